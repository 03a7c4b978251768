import type { Test } from 'tap';
import type { Zone } from '../../../src/model/zone.ts';
import { StreamClient } from '../http/stream_client.ts';
import { Drones } from '../sky/drones.ts';
import { must } from './alerts.ts';
import { type Daemon, startDaemon } from './daemon.ts';

/** A works with a mast that listens, where drones fly. */
export const site = { lat: 47.1987, lon: 8.7302 };
export const serial = '1581F5FKD2294E000001';
export const point = (place: { lat: number; lon: number }, radius_m: number) => ({
  type: 'Point',
  coordinates: [place.lon, place.lat],
  radius_m,
});

export async function begin(t: Test): Promise<{ daemon: Daemon; stream: StreamClient; drones: Drones }> {
  const daemon = await startDaemon(t);
  await must(daemon, '/api/sensors', { name: 'mast', modality: 'remote_id' });
  return { daemon, stream: await StreamClient.open(t, daemon), drones: new Drones(t, daemon) };
}

export const zoned = (daemon: Daemon, body: object): Promise<Zone> =>
  must<Zone>(daemon, '/api/zones', { name: 'works', kind: 'protected', ...body });
