import type { Clock } from '../host/clock.ts';
import type { GpsTime } from '../host/gps/gps_time.ts';
import type { Metrics } from '../host/metrics.ts';
import { clockTrusts } from '../model/clock_trust.ts';

/**
 * Adds the metrics of the box's clock. The metrics of GPS time and of clock steps are absent until they have a value.
 */
export function addClockMetrics(metrics: Metrics, clock: Clock, gps: GpsTime): void {
  const maybe = (name: string, help: string, value: () => number | null): void =>
    metrics.read('gauge', `dunlin_clock_${name}`, help, [], (put) => {
      const found = value();
      if (found !== null) put(found);
    });
  const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1_000);

  metrics.read('gauge', 'dunlin_clock_trust', '1 for the present trust in UTC, 0 for the others.', ['trust'], (put) => {
    const present = clock.trust();
    for (const trust of clockTrusts) put(trust === present ? 1 : 0, { trust });
  });
  maybe('fault', '1 while the clock has a fault.', () => (clock.state().fault === null ? 0 : 1));
  maybe('uses_gps', '1 while UTC follows the satellites and not the system clock.', () =>
    Number(clock.state().usesGps),
  );
  maybe('system_minus_gps_seconds', 'System clock minus GPS time.', () => seconds(clock.state().systemMinusGpsMs));
  maybe('gps_age_seconds', 'Age of the last good report of GPS time.', () => seconds(clock.state().gpsAgeMs));
  maybe('last_step_seconds', 'Last step of the system clock.', () => seconds(clock.state().lastStep?.ms ?? null));
  maybe('last_step_age_seconds', 'Age of the last step of the system clock.', () =>
    seconds(clock.state().lastStep?.agoMs ?? null),
  );
  metrics.read('counter', 'dunlin_clock_steps_total', 'Steps of the system clock.', [], (put) => put(clock.steps()));
  metrics.read('counter', 'dunlin_clock_gps_refused_total', 'Reports of GPS time refused for their date.', [], (put) =>
    put(gps.refused),
  );
}
