import type { Metrics } from '../host/metrics.ts';
import { type HttpMetrics, httpCounters, httpGauges } from '../http/log.ts';
import { alertStates } from '../model/alert.ts';
import { rejectReasons } from '../model/link.ts';
import { sensorStates } from '../model/sensor.ts';
import type { HistoryLog } from '../store/log/history.ts';
import type { LinkRunner } from '../world/link_runner.ts';
import type { World } from '../world/world.ts';

const STEP_BUCKETS_S = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5];

/** Creates the counters and gauges of the HTTP server on the daemon's metrics page. */
export function httpMetrics(metrics: Metrics): HttpMetrics {
  const counters = new Map(
    Object.entries(httpCounters).map(([name, help]) => [name, metrics.counter(`dunlin_${name}`, `${help}.`)]),
  );
  return {
    text: () => metrics.text(),
    count: (name, n = 1) => counters.get(name)?.add(n),
    gauge: (name, read) => metrics.read('gauge', `dunlin_${name}`, `${httpGauges[name]}.`, [], (put) => put(read())),
  };
}

/** Adds the counters and gauges of the daemon's other parts. Their values are read when the page is requested. */
export function addDaemonMetrics(metrics: Metrics, world: World, history: HistoryLog, nowMs: () => number): void {
  const one = (type: 'counter' | 'gauge', name: string, help: string, value: () => number): void =>
    metrics.read(type, `dunlin_${name}`, help, [], (put) => put(value()));
  const perState = (name: string, help: string, known: readonly string[], states: () => string[]): void =>
    metrics.read('gauge', `dunlin_${name}`, help, ['state'], (put) => {
      const counts = new Map(known.map((state) => [state, 0]));
      for (const state of states()) counts.set(state, (counts.get(state) ?? 0) + 1);
      for (const [state, count] of counts) put(count, { state });
    });
  const perLink = (type: 'counter' | 'gauge', name: string, help: string, value: (link: LinkRunner) => number): void =>
    metrics.read(type, `dunlin_link_${name}`, help, ['link'], (put) => {
      for (const link of world.links.list()) put(value(link), { link: link.spec.name });
    });

  perState('tracks', 'Tracks by state.', [], () => world.tracks().map(({ state }) => state));
  const steps = metrics.histogram('dunlin_core_step_seconds', 'Time that the core took for a step.', STEP_BUCKETS_S);
  world.stepped.add((tookMs) => steps.observe(tookMs / 1000));
  one(
    'counter',
    'observations_dropped_total',
    'Observations dropped because the core was behind.',
    () => world.observationsDropped,
  );
  perState('alerts', 'Alerts in the picture by state.', alertStates, () =>
    world.alerts.shown().map(({ state }) => state),
  );
  one(
    'counter',
    'alerts_dropped_total',
    'Alerts removed from the picture to make room for others.',
    () => world.alerts.droppedCount,
  );
  perLink('gauge', 'open', '1 if the link is open.', (link) => (link.status().state === 'open' ? 1 : 0));
  perLink('counter', 'received_bytes_total', 'Bytes received.', (link) => link.status().rxBytes);
  perLink('counter', 'messages_total', 'Messages decoded.', (link) => link.document().rx_msgs);
  perLink('counter', 'repeats_total', 'Broadcasts that repeated an earlier one.', (link) => link.repeats);
  perLink('counter', 'own_claims_total', 'Remote ID messages of vehicles about themselves.', (link) => link.ownClaims);
  perLink('counter', 'over_limit_total', 'Connections refused and senders displaced: too many at once.', (link) => {
    return link.status().overLimit;
  });
  perLink(
    'counter',
    'kernel_drops_total',
    'Datagrams and radio frames lost before the link could read them.',
    (link) => {
      return link.status().kernelDrops;
    },
  );
  metrics.read('counter', 'dunlin_link_rejects_total', 'Frames refused.', ['link', 'reason'], (put) => {
    for (const link of world.links.list()) {
      const rejects = link.rejects();
      for (const reason of rejectReasons) put(rejects[reason], { link: link.spec.name, reason });
    }
  });
  perState('sensors', 'Sensors by state.', sensorStates, () => world.sensors.list(nowMs()).map(({ state }) => state));
  perLink(
    'counter',
    'sources_unplaced_total',
    'Messages without a sensor, because their link had its maximum number of sources.',
    (link) => link.sourcesUnplaced,
  );
  perLink(
    'counter',
    'receiver_conflicts_total',
    'Messages that carry the name of a proven receiver, but came from another host.',
    (link) => link.receiverConflicts,
  );
  one('gauge', 'history_queued_rows', 'History rows not yet on the disk.', () => history.status().queued);
  one('counter', 'history_written_rows_total', 'History rows committed.', () => history.status().written);
  metrics.read('counter', 'dunlin_history_dropped_rows_total', 'History rows dropped.', ['kind'], (put) => {
    for (const [kind, rows] of Object.entries(history.status().droppedByKind)) put(rows, { kind });
  });
  one('gauge', 'history_bytes', 'Size of the history on the disk.', () => history.status().bytes);
}
