import { createHash } from 'node:crypto';
import { Access } from '../access/access.ts';
import { monotonicMs } from '../access/boot.ts';
import { readSealingKey } from '../access/sealed.ts';
import { raiseBoxAlert } from '../alerts/box_alert.ts';
import { LogLevelService } from '../app/log_level_service.ts';
import { oneAtATime } from '../app/one_at_a_time.ts';
import { Workspace } from '../app/workspace.ts';
import { Workspaces } from '../app/workspaces.ts';
import { Claims } from '../edge/link/claims.ts';
import { loadGeoid } from '../geo/geoid.ts';
import { createClock, isKeptByNtp } from '../host/clock.ts';
import { type Config, parseHostPort, secretKeyFile } from '../host/config.ts';
import { returnFreeMemory } from '../host/free_memory.ts';
import { GpsTime, type TimeReport } from '../host/gps/gps_time.ts';
import type { Journal } from '../host/journal.ts';
import { createLagWatch } from '../host/lag_watch.ts';
import { createLifecycle } from '../host/lifecycle.ts';
import { createLoopDelay } from '../host/loop_delay.ts';
import { addProcessMetrics, createMetrics } from '../host/metrics.ts';
import { createNotifier } from '../host/notify.ts';
import { program } from '../host/program.ts';
import { idleTimers } from '../host/timers.ts';
import { createServer, type HttpServer } from '../http/server.ts';
import { type HttpSettings, httpDefaults } from '../http/settings.ts';
import { MapService } from '../maps/map_service.ts';
import type { Setting } from '../model/setting.ts';
import { formatTime } from '../model/time.ts';
import { RecordingStore } from '../recording/recording_store.ts';
import { DiscoverySwitch } from '../registry/discovery.ts';
import { retentionOf } from '../registry/retention.ts';
import { AuditRows } from '../store/audit.ts';
import type { AuditPlace } from '../store/audit_head.ts';
import { auditKey } from '../store/audit_key.ts';
import { beginAudit } from '../store/audit_sealing.ts';
import { AuditSupervisor } from '../store/audit_supervisor.ts';
import { heldSpans, holdRows } from '../store/holds.ts';
import { Ledger } from '../store/ledger.ts';
import { createHistoryLog, type HistoryLog } from '../store/log/history.ts';
import { BLOCK, LogCounter, reserveIn } from '../store/log_counter.ts';
import { openStateOrRecover } from '../store/recovery.ts';
import { endRecovery, recordInRecovery, takeInRecovery } from '../store/recovery_audit.ts';
import { noteRestored } from '../store/restored.ts';
import { RetentionClock } from '../store/retention_clock.ts';
import type { State } from '../store/state.ts';
import { type WorkspaceRow, workspaceRows } from '../store/workspaces.ts';
import { addClockMetrics } from './clock_metrics.ts';
import { playDemo } from './demo.ts';
import { addDaemonMetrics, httpMetrics } from './metrics.ts';
import { addOutletMetrics } from './outlet_metrics.ts';
import { OutsideWatch } from './outside_watch.ts';
import { PruningLog } from './pruning_log.ts';

/**
 * Silence of a core, ms, after which the service manager's watchdog gets no more notices and restarts the daemon. A
 * slow event loop is only reported as load, because a restart makes no disk or processor faster.
 */
const CORE_DEAD_MS = 5_000;
const CLOCK_TICK_MS = 60_000;
/**
 * Interval at which the disk reserve of the state database grows by `RESERVE_STEP_BYTES`, ms. The steps are small,
 * because the thread that answers requests writes them.
 */
const RESERVE_TICK_MS = 10_000;
const RESERVE_STEP_BYTES = 1024 * 1024;

const monoMs = (): number => performance.now();

/**
 * Creates the daemon from its configuration. Its parts start in the order in which they are added below, and stop in
 * reverse. `onFatal` is called when the process should end. `settings` returns the origin of each setting, which is
 * shown to operators. With `demo`, the demonstration is played from the start.
 */
export function createDaemon(
  config: Config,
  journal: Journal,
  onFatal: (sentence: string) => void,
  { settings = () => [], demo = false }: { settings?: () => readonly Setting[]; demo?: boolean } = {},
) {
  const { log } = journal;
  const gps = new GpsTime({ wall: () => Date.now(), isKept: isKeptByNtp });
  const clock = createClock({ gps: (nowMs) => gps.state(nowMs) });
  const metrics = createMetrics();
  const notifier = createNotifier();
  const lifecycle = createLifecycle(log);
  const utcMs = (): number => clock.utcMs(clock.nowMs());
  const startedAt = formatTime(utcMs());
  const dataDir = config.data.dir;
  const workspaces = new Workspaces();
  const histories = new Map<string, HistoryLog>();
  const pruningLog = new PruningLog();
  let auditSupervisor: AuditSupervisor | null = null;
  let retentionClock: RetentionClock | null = null;
  let reserveTick: NodeJS.Timeout | undefined;
  let clockTick: NodeJS.Timeout | undefined;
  let state: State;
  let recovery: string | null = null;
  let counter: LogCounter;
  let ledger: Ledger;
  let access: Access;
  let maps: MapService;
  let logLevel: LogLevelService;
  let server: HttpServer;
  let url = '';

  lifecycle.add('state', {
    start() {
      ({ state, recovery } = openStateOrRecover(dataDir));
      state.fillReserve();
      reserveTick = setInterval(() => {
        state.fillReserve(RESERVE_STEP_BYTES);
        state.retry();
      }, RESERVE_TICK_MS).unref();
      if (recovery !== null) log.fatal({}, `started in recovery. ${recovery}`);
      if (state.recovered)
        log.warn('the last run was not shut down properly; the state database was checked and is intact');
    },
    stop() {
      clearInterval(reserveTick);
      state.close();
    },
  });

  const beginHistory = async (row: WorkspaceRow, first: boolean): Promise<HistoryLog> => {
    const history = createHistoryLog({
      dataDir,
      // The first workspace uses the folder name of versions that had only one workspace.
      folder: first ? 'history' : `history-${row.id}`,
      // Retention deletes no rows by age until the trust in the clock is known.
      retention: {
        prunedBefore: null,
        bytes: recovery === null ? retentionOf(state, row.id, config.data.retention).bytes : Number.MAX_SAFE_INTEGER,
      },
      held: heldSpans(holdRows(state).list(row.id)),
      onFault: (fault) => log.error({ code: fault.code }, fault.message),
      onPruned: (pruned) => pruningLog.take(row.id, pruned),
    });
    histories.set(row.id, history);
    await history.start();
    return history;
  };

  lifecycle.add('history', {
    async start() {
      for (const [index, row] of workspaceRows(state).list().entries()) await beginHistory(row, index === 0);
    },
    stop: async () => void (await Promise.all([...histories.values()].map((history) => history.stop()))),
    stopTimeoutMs: 5_000,
  });

  const loopDelay = createLoopDelay();
  addProcessMetrics(metrics, loopDelay);
  lifecycle.add('loop delay', loopDelay);
  const lag = createLagWatch();
  let endReturns = (): void => {};

  lifecycle.add('worlds', {
    async start() {
      const seqs = await Promise.all([...histories.values()].map((history) => history.lastEventSeq()));
      counter = new LogCounter(Math.max(0, ...seqs, new AuditRows(state).lastSeq()), reserveIn(state, BLOCK));
      ledger = new Ledger(state, counter, utcMs);
      const key = auditKey(dataDir, secretKeyFile(), true);
      if (recovery === null) beginAudit({ state, ledger, key });
      noteRestored(state, ledger);
      const wallMs = (): number => clock.believedMs();
      retentionClock = new RetentionClock({ state, ledger, wallMs, monoMs, trust: () => clock.trust() });
      clockTick = setInterval(() => retentionClock?.tick(), CLOCK_TICK_MS).unref();
      pruningLog.start(ledger);
      const cutoffMs = (days: number): number | null => retentionClock?.cutoffMs(days) ?? null;
      const days = config.data.audit_days;
      const onTrouble = (sentence: string): void => log.error(sentence);
      const onAlarm = (sentence: string, severity: 'critical' | 'warning'): void => {
        onTrouble(sentence);
        raiseBoxAlert(workspaces.first.world.alerts, { part: 'audit_log', text: sentence, severity }, clock.nowMs());
      };
      const onHead = ({ seq: row, hash }: AuditPlace): void => log.info({ row, hash }, 'the head of the audit log');
      // In recovery the state is in memory and has no audit chain. Its rows are written to a separate file, and the
      // head of the real chain stays unchanged.
      let gap: string | null = null;
      if (recovery !== null) recordInRecovery(dataDir, ledger, key, onTrouble);
      else gap = takeInRecovery(state, ledger, dataDir, key);
      auditSupervisor =
        recovery !== null
          ? null
          : new AuditSupervisor({ state, ledger, key, days, cutoffMs, onTrouble, onAlarm, onHead });
      const settingsHash = createHash('sha256').update(JSON.stringify(config)).digest('hex').slice(0, 16);
      const about = { ...program, startedAt };
      const sealingKey = readSealingKey(secretKeyFile());
      const ownPort = (): number | null => portOf(url === '' ? `http://${config.http.listen}` : url);
      const recordings = new RecordingStore(dataDir);
      const shared = {
        claims: new Claims(),
        discovery: new DiscoverySwitch(state),
        settings,
        sealingKey,
        ownPort,
        recordings,
        retentionClock,
        recovery,
        lagMs: () => lag.worstMs(),
        trials: oneAtATime('a what-if'),
      };
      const box = { config, state, ledger, counter, clock, log, about, settingsHash, onFatal, shared };
      const timeReported = (report: TimeReport): void => gps.take(report);
      // The links, sensors and outlets of the configuration belong to the first workspace.
      const [ofFile, none] = [
        { links: config.links, sensors: config.sensors, outlets: config.outlets },
        { links: [], sensors: [], outlets: [] },
      ];
      const begin = (row: WorkspaceRow, history: HistoryLog, first: boolean): Promise<Workspace> =>
        Workspace.begin({ ...box, row, isFirst: first, history, ...(first ? { ...ofFile, timeReported } : none) });
      for (const [index, row] of workspaceRows(state).list().entries()) {
        const history = histories.get(row.id);
        if (history) workspaces.add(await begin(row, history, index === 0));
      }
      workspaces.beginWith(async (row) => {
        try {
          const workspace = await begin(row, await beginHistory(row, false), false);
          workspace.world.links.start();
          workspace.outlets.start();
          return workspace;
        } catch (thrown) {
          await histories.get(row.id)?.stop();
          histories.delete(row.id);
          throw thrown;
        }
      });
      auditSupervisor?.start();
      if (recovery === null) endRecovery(dataDir);
      if (gap !== null) onAlarm(gap, 'critical');
      if (recovery !== null)
        raiseBoxAlert(workspaces.first.world.alerts, { part: 'state', text: recovery }, clock.nowMs());
      addDaemonMetrics(metrics, workspaces.first.world, workspaces.first.history, () => clock.nowMs());
      addOutletMetrics(metrics, workspaces.first.outlets);
      addClockMetrics(metrics, clock, gps);
    },
    async stop() {
      await workspaces.stop();
      clearInterval(clockTick);
      pruningLog.stop();
      retentionClock?.stop();
      auditSupervisor?.stop();
    },
    // The time limit is long enough for a running step of the largest scenario to end.
    stopTimeoutMs: 5_000,
  });

  let outside: OutsideWatch;
  lifecycle.add('access', {
    start() {
      const { sign_in_per_minute: signInsPerMinute } = config.limits;
      const sealingKey = readSealingKey(secretKeyFile());
      const { session_max_h: sessionMaxH } = config.access;
      const clocks = { nowMs: monotonicMs, utcMs };
      access = new Access({ state, ledger, ...clocks, signInsPerMinute, sessionMaxH, sealingKey });
      if (secretKeyFile() !== null && access.secrets.missing !== null) log.error({}, access.secrets.missing);
      outside = new OutsideWatch({ state, counter, ledger, access });
      outside.start();
    },
    stop: () => outside.stop(),
  });

  lifecycle.add('maps', {
    async start() {
      const { all_bytes: allBytes, min_free_bytes: minFreeBytes } = config.data.maps;
      maps = new MapService({ dataDir, ledger, settings: { allBytes, minFreeBytes } });
      await maps.start();
    },
    stop: () => maps.stop(),
  });

  lifecycle.add('log level', {
    start() {
      logLevel = new LogLevelService({ journal, configured: config.log.level, ledger, utcMs, timers: idleTimers });
    },
    stop: () => logLevel.stop(),
  });

  lifecycle.add('http', {
    async start() {
      server = createServer({
        ...{ workspaces, access, maps, logLevel },
        settings: { ...httpSettings(config), recovery: reasonOf(recovery) },
        log,
        metrics: httpMetrics(metrics),
      });
      url = (await server.start()).url;
    },
    stop: () => server.stop(),
  });

  lifecycle.add('links', {
    start() {
      for (const { world } of workspaces.list()) world.links.start();
    },
    stop: async () => void (await Promise.all(workspaces.list().map(({ world }) => world.links.stop()))),
  });

  lifecycle.add('outlets', {
    start() {
      for (const { outlets } of workspaces.list()) outlets.start();
    },
    stop: async () => void (await Promise.all(workspaces.list().map(({ outlets }) => outlets.stop()))),
  });

  const isCoreAlive = (): boolean => workspaces.list().every(({ world }) => world.coreSilentMs() < CORE_DEAD_MS);
  const watchdog = notifier.watchdog(isCoreAlive);
  lifecycle.add('readiness', {
    start() {
      notifier.ready(`serving ${url}`);
      watchdog.start();
      lag.start();
      endReturns = returnFreeMemory();
      const links = workspaces.list().reduce((sum, { world }) => sum + world.links.list().length, 0);
      log.info({ url, data: dataDir, links }, 'ready');
      // Geoid heights are needed soon, but loading them must not delay the first request.
      setImmediate(loadGeoid);
      if (demo) playDemo(workspaces.first.playback, log);
    },
    stop() {
      watchdog.stop();
      lag.stop();
      endReturns();
      notifier.stopping();
    },
  });

  return {
    /**
     * Starts all parts. Returns the address at which the daemon serves; null if it was stopped during the start. Throws
     * the error of the step that failed; the log names the step.
     */
    async start(): Promise<string | null> {
      return (await lifecycle.start()) === 'started' ? url : null;
    },
    /** Stops all parts in reverse order, within 8 s. Returns the exit code. */
    stop: () => lifecycle.stop(),
  };
}

/** Returns the sentence with which changes are refused in recovery; null in normal operation. */
function reasonOf(recovery: string | null): string | null {
  return recovery && `Dunlin runs in recovery and can change nothing. ${recovery}`;
}

/**
 * Returns the port of an address; null for port 0, for which the system chooses a port when the server begins to
 * listen.
 */
function portOf(address: string): number | null {
  const { port, protocol } = new URL(address);
  if (port === '0') return null;
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

function httpSettings(config: Config): HttpSettings {
  const { access, limits, stream } = config;
  const { tls } = config.http;
  return {
    listen: parseHostPort(config.http.listen) ?? httpDefaults.listen,
    tls: tls && { certFile: tls.cert_file, keyFile: tls.key_file },
    access: {
      trustedNetworks: access.trusted_networks,
      allowedHosts: access.allowed_hosts,
      openRole: access.open_role,
    },
    recovery: null,
    privacy: { viewerSeesPilot: config.privacy.viewer_sees_pilot },
    limits: {
      ...httpDefaults.limits,
      bodyBytes: limits.body_bytes,
      ingestBodyBytes: limits.ingest_body_bytes,
      ingestRows: limits.ingest_rows,
    },
    stream: {
      ...httpDefaults.stream,
      heartbeatMs: stream.heartbeat_s * 1000,
      clients: stream.max_streams,
      blockedMs: stream.blocked_s * 1000,
      pendingEvents: stream.max_pending,
    },
  };
}
