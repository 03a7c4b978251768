import { createHash } from 'node:crypto';
import { loadGeoid } from '../../geo/geoid.ts';
import { createClock } from '../../host/clock.ts';
import { type Config, parseHostPort } from '../../host/config.ts';
import type { Journal } from '../../host/journal.ts';
import { createLifecycle } from '../../host/lifecycle.ts';
import { createLoopDelay } from '../../host/loop_delay.ts';
import { addProcessMetrics, createMetrics } from '../../host/metrics.ts';
import { createNotifier } from '../../host/notify.ts';
import { createServer, type HttpServer } from '../../http/server.ts';
import { type HttpSettings, httpDefaults } from '../../http/settings.ts';
import { formatTime } from '../../model/time.ts';
import { SensorRegistry } from '../../registry/sensors.ts';
import { createHistoryLog } from '../../store/log/history.ts';
import { sensorRows } from '../../store/sensors.ts';
import { openState, type State } from '../../store/state.ts';
import { workspaceRows } from '../../store/workspaces.ts';
import { LiveWorld, lastTracksSinceMs } from '../../worlds/live.ts';
import { program } from '../program.ts';
import { addDaemonMetrics, httpMetrics } from './metrics.ts';
import { SensorDesk } from './sensor_desk.ts';
import { createService } from './service.ts';

export type Daemon = {
  /** Resolves with its address once it serves, with null where it was stopped meanwhile. Throws a Fault that names what could not start. */
  start(): Promise<string | null>;
  /** Ends everything in reverse order, within 8 s; answers the exit code. */
  stop(): Promise<number>;
};

/** The service manager is told that all is well only while the core answers and the event loop turns. */
const CORE_DEAD_MS = 5_000;
const LOOP_DEAD_MS = 1_000;

/**
 * The daemon, put together: configuration in, running service out. Start goes down this page, stop goes up it.
 * `onFatal` is told when the process should end.
 */
export function createDaemon(config: Config, journal: Journal, onFatal: (sentence: string) => void): Daemon {
  const { log } = journal;
  const clock = createClock();
  const metrics = createMetrics();
  const notifier = createNotifier();
  const lifecycle = createLifecycle(log);
  const startedAt = formatTime(clock.utcMs(clock.nowMs()));
  const dataDir = config.data.dir;
  let state: State;
  let world: LiveWorld;
  let server: HttpServer;
  let url = '';

  lifecycle.add('state', {
    start() {
      state = openState(dataDir);
      if (state.recovered) log.warn('the last run did not end in order; the state was checked and is whole');
    },
    stop: () => state.close(),
  });

  const history = createHistoryLog({
    dataDir,
    retention: config.data.retention,
    onFault: (fault) => log.error({ code: fault.code }, fault.message),
  });
  lifecycle.add('history', { start: () => history.start(), stop: () => history.stop(), stopTimeoutMs: 5_000 });

  const loopDelay = createLoopDelay();
  addProcessMetrics(metrics, loopDelay);
  lifecycle.add('loop delay', loopDelay);

  lifecycle.add('world', {
    async start() {
      const [workspace] = workspaceRows(state).list();
      const sinceMs = lastTracksSinceMs(clock.nowMs());
      const before = { lastSeq: await history.lastEventSeq(), lastTracks: await history.lastTracks({ sinceMs }) };
      const settings = { workspaceId: workspace?.id ?? '', ...worldSettings(config) };
      world = new LiveWorld(settings, { clock, log, history, onFatal }, before);
      await world.start();
      addDaemonMetrics(metrics, world, history);
    },
    stop: () => world.stop(),
  });

  lifecycle.add('http', {
    async start() {
      const [workspace] = workspaceRows(state).list();
      if (!workspace) throw new TypeError('the state holds no workspace');
      const scope = { workspaceId: workspace.id, environment: 'live' } as const;
      const registry = new SensorRegistry(sensorRows(state), scope, () => formatTime(clock.utcMs(clock.nowMs())));
      const desk = new SensorDesk(registry, world, () => clock.nowMs());
      desk.load(config.sensors, startedAt);
      const about = { ...program, startedAt };
      const settingsHash = createHash('sha256').update(JSON.stringify(config)).digest('hex').slice(0, 16);
      const service = createService({
        world,
        desk,
        history,
        metrics,
        config,
        about,
        workspace,
        settingsHash,
        nowMs: () => clock.nowMs(),
      });
      server = createServer({ service, settings: httpSettings(config), log, metrics: httpMetrics(metrics) });
      url = (await server.start()).url;
    },
    stop: () => server.stop(),
  });

  lifecycle.add('links', { start: () => world.startLinks(), stop: () => world.stopLinks() });

  const watchdog = notifier.watchdog(() => world.coreSilentMs() < CORE_DEAD_MS && loopDelay.p99Ms() < LOOP_DEAD_MS);
  lifecycle.add('readiness', {
    start() {
      notifier.ready(`serving ${url}`);
      watchdog.start();
      log.info({ url, data: dataDir, links: config.links.length }, 'ready');
      // Heights are wanted soon, but not before the first request.
      setImmediate(loadGeoid);
    },
    stop() {
      watchdog.stop();
      notifier.stopping();
    },
  });

  return {
    async start() {
      return (await lifecycle.start()) === 'started' ? url : null;
    },
    stop: () => lifecycle.stop(),
  };
}

function worldSettings(config: Config) {
  const { feeds, tracking, stream, links } = config;
  return {
    links,
    feeds: {
      maxAgeS: feeds.max_age_s,
      aheadS: feeds.ahead_s,
      senderMsgsPerS: feeds.sender_msgs_per_s,
      maxSenders: feeds.max_senders,
    },
    tracking: {
      confirmHits: tracking.confirm_hits,
      confirmWindowS: tracking.confirm_window_s,
      coastS: tracking.coast_s,
      lostS: tracking.lost_s,
      closeS: tracking.close_s,
      maxTracks: tracking.max_tracks,
    },
    stream: { trackHz: stream.track_hz, tickMs: stream.tick_ms, replayEvents: stream.replay_events },
  };
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
