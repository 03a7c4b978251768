import type { Test } from 'tap';
import type { Alert } from '../../../src/model/alert.ts';
import { placeAt } from '../../support/basics/place.ts';
import { must } from '../../support/daemon/alerts.ts';
import { type Daemon, startDaemon, until } from '../../support/daemon/daemon.ts';
import { Drones, hovering } from '../../support/sky/drones.ts';

/** Centre of the protected zone. */
export const site = { lat: 47.1987, lon: 8.7302 };
/** Serial of the intruder. */
export const serial = '1581F5FKD2294D000001';

/** A box with a protected zone and an unknown drone over it, which has raised its alerts. */
export async function intruded(t: Test): Promise<{ daemon: Daemon; alert: Alert; drones: Drones }> {
  const daemon = await startDaemon(t);
  await must(daemon, '/api/sensors', { name: 'mast', modality: 'remote_id' });
  const geometry = { type: 'Point', coordinates: [site.lon, site.lat], radius_m: 300 };
  await must(daemon, '/api/zones', { name: 'Depot', kind: 'protected', geometry, alarm: { level: 'critical' } });
  const drones = new Drones(t, daemon).fly(serial, hovering(placeAt(site, 90, 50)));
  const alert = await until(async () => {
    const alerts = await daemon.get<Alert[]>('/api/alerts');
    return alerts.find(({ severity }) => severity === 'critical') ?? null;
  }, 'a critical alert');
  return { daemon, alert, drones };
}
