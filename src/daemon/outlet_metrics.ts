import type { Metrics } from '../host/metrics.ts';
import { outletDropReasons } from '../model/outlet.ts';
import type { OutletRunner } from '../outlet/outlet.ts';
import type { Outlets } from '../outlet/outlets.ts';

/** Adds the counters and gauges of outlets. Their values are read when the page is requested. */
export function addOutletMetrics(metrics: Metrics, outlets: Pick<Outlets, 'running'>): void {
  const each = (type: 'counter' | 'gauge', name: string, help: string, value: (of: OutletRunner) => number): void =>
    metrics.read(type, `dunlin_outlet_${name}`, help, ['outlet'], (put) => {
      for (const outlet of outlets.running()) put(value(outlet), { outlet: outlet.spec.name });
    });
  each('counter', 'msgs_total', 'Messages sent.', ({ counts }) => counts.msgs);
  each('counter', 'bytes_total', 'Bytes sent.', ({ counts }) => counts.bytes);
  each('gauge', 'tracks', 'Tracks that the peer has.', ({ tracks }) => tracks);
  each('gauge', 'up', '1 if the outlet is open.', (outlet) => (outlet.status().state === 'open' ? 1 : 0));
  metrics.read('counter', 'dunlin_outlet_dropped_total', 'Items not sent.', ['outlet', 'reason'], (put) => {
    for (const { spec, counts } of outlets.running())
      for (const reason of outletDropReasons) put(counts.dropped[reason], { outlet: spec.name, reason });
  });
}
