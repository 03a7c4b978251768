import type { Metrics } from '../../host/metrics.ts';
import { type HttpMetrics, httpCounters, httpGauges } from '../../http/log.ts';
import { alertStates } from '../../model/alert.ts';
import { rejectReasons } from '../../model/link.ts';
import { sensorStates } from '../../model/sensor.ts';
import type { HistoryLog } from '../../store/log/history.ts';
import type { World } from '../../worlds/world.ts';

const STEP_BUCKETS_S = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5];

/** The counters of the HTTP room, in the page that everything else is on. */
export function httpMetrics(metrics: Metrics): HttpMetrics {
  const counters = new Map(
    Object.entries(httpCounters).map(([name, help]) => [name, metrics.counter(`dunlin_${name}`, `${help}.`)]),
  );
  return {
    count: (name, n = 1) => counters.get(name)?.add(n),
    gauge: (name, read) => metrics.read('gauge', `dunlin_${name}`, `${httpGauges[name]}.`, [], (put) => put(read())),
  };
}

/** What the parts of the daemon count, read when the page is asked for. */
export function addDaemonMetrics(metrics: Metrics, world: World, history: HistoryLog, nowMs: () => number): void {
  metrics.read('gauge', 'dunlin_tracks', 'Tracks by state.', ['state'], (put) => {
    const states = new Map<string, number>();
    for (const { state } of world.tracks()) states.set(state, (states.get(state) ?? 0) + 1);
    for (const [state, count] of states) put(count, { state });
  });
  metrics.read(
    'gauge',
    'dunlin_identities_heard',
    'Identities heard since the start, as far as remembered.',
    [],
    (put) => put(world.heard.size),
  );
  const steps = metrics.histogram('dunlin_core_step_seconds', 'Time that the core took for a step.', STEP_BUCKETS_S);
  world.onStep = (tookMs) => steps.observe(tookMs / 1000);
  metrics.read(
    'counter',
    'dunlin_observations_dropped_total',
    'Observations dropped because the core was behind.',
    [],
    (put) => put(world.observationsDropped),
  );
  metrics.read('gauge', 'dunlin_alerts', 'Alerts in the picture by state.', ['state'], (put) => {
    for (const state of alertStates)
      put(world.alerts.shown().filter((alert) => alert.state === state).length, { state });
  });
  metrics.read('counter', 'dunlin_alerts_dropped_total', 'Alerts that made room for others.', [], (put) =>
    put(world.alerts.droppedCount),
  );
  metrics.read('gauge', 'dunlin_link_open', '1 where the link is open.', ['link'], (put) => {
    for (const link of world.links.list()) put(link.status().state === 'open' ? 1 : 0, { link: link.spec.name });
  });
  metrics.read('counter', 'dunlin_link_received_bytes_total', 'Bytes received.', ['link'], (put) => {
    for (const link of world.links.list()) put(link.status().rxBytes, { link: link.spec.name });
  });
  metrics.read('counter', 'dunlin_link_messages_total', 'Messages decoded.', ['link'], (put) => {
    for (const link of world.links.list()) put(link.document().rx_msgs, { link: link.spec.name });
  });
  metrics.read(
    'counter',
    'dunlin_link_repeats_total',
    'Broadcasts that said what was told before.',
    ['link'],
    (put) => {
      for (const link of world.links.list()) put(link.repeats, { link: link.spec.name });
    },
  );
  metrics.read(
    'counter',
    'dunlin_link_own_claims_total',
    'Remote ID that vehicles told of themselves.',
    ['link'],
    (put) => {
      for (const link of world.links.list()) put(link.ownClaims, { link: link.spec.name });
    },
  );
  metrics.read('counter', 'dunlin_link_rejects_total', 'Frames refused.', ['link', 'reason'], (put) => {
    for (const link of world.links.list()) {
      const rejects = link.rejects();
      for (const reason of rejectReasons) put(rejects[reason], { link: link.spec.name, reason });
    }
  });
  addSensorMetrics(metrics, world, nowMs);
  addHistoryMetrics(metrics, history);
}

function addSensorMetrics(metrics: Metrics, { sensors, links }: World, nowMs: () => number): void {
  metrics.read('gauge', 'dunlin_sensors', 'Sensors by state.', ['state'], (put) => {
    const list = sensors.list(nowMs());
    for (const state of sensorStates) put(list.filter((sensor) => sensor.state === state).length, { state });
  });
  metrics.read(
    'counter',
    'dunlin_link_sources_unplaced_total',
    'Messages of unproven sources that found all places of their link taken.',
    ['link'],
    (put) => {
      for (const link of links.list()) put(link.sourcesUnplaced, { link: link.spec.name });
    },
  );
}

function addHistoryMetrics(metrics: Metrics, history: HistoryLog): void {
  metrics.read('gauge', 'dunlin_history_queued_rows', 'History rows not yet on the disk.', [], (put) =>
    put(history.status().queued),
  );
  metrics.read('counter', 'dunlin_history_written_rows_total', 'History rows committed.', [], (put) =>
    put(history.status().written),
  );
  metrics.read('counter', 'dunlin_history_dropped_rows_total', 'History rows given up.', ['kind'], (put) => {
    for (const [kind, rows] of Object.entries(history.status().droppedByKind)) put(rows, { kind });
  });
  metrics.read('gauge', 'dunlin_history_bytes', 'Size of the history on the disk.', [], (put) =>
    put(history.status().bytes),
  );
}
