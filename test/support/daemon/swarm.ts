import { createSocket, type Socket } from 'node:dgram';
import type { ObservationDocument } from '../../../src/model/observation.ts';
import type { Owner } from '../basics/owner.ts';

/** Aircraft on straight lines, 400 m apart so that none is taken for another; the same number is always the same one. */
export function rowOf(aircraft: number, sensorId: string, flownS: number): ObservationDocument {
  const northM = Math.floor(aircraft / 20) * 400 + 10 * flownS;
  const eastM = (aircraft % 20) * 400;
  return {
    sensor_id: sensorId,
    report: 'position',
    position: { lat: 47.4 + northM / 111_194, lon: 8.5 + eastM / 75_270, alt_hae_m: 600 },
    sigma: { h_m: 5, v_m: 5 },
    velocity: { speed_mps: 10, course_deg: 0, climb_mps: 0 },
    identity: [{ type: 'serial', value: serialOf(aircraft), transport: 'bt5' }],
  };
}

export function serialOf(aircraft: number): string {
  return `1581F${String(aircraft).padStart(12, '0')}`;
}

export type Swarm = { sent(): number; stop(): void };

/**
 * Tells of aircraft `from` to `from + count - 1` as obs_json over UDP, `hz` times a second each, until it is stopped or
 * the test ends. One datagram carries one aircraft.
 */
export function flySwarm(
  t: Owner,
  port: number,
  { from = 0, count, hz, sensor }: { from?: number; count: number; hz: number; sensor: string },
): Swarm {
  const socket: Socket = createSocket('udp4');
  socket.unref();
  // What is sent while the daemon is gone comes back as an error.
  socket.on('error', () => {});
  const begunMs = performance.now();
  let sent = 0;
  let next = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - begunMs) / 1_000) * hz * count);
    // After a pause of this process only a burst that the kernel's buffer holds is made up for.
    if (due - next > 2_000) next = due - 2_000;
    for (; next < due; next++, sent++) {
      const row = rowOf(from + (next % count), sensor, (performance.now() - begunMs) / 1_000);
      socket.send(`${JSON.stringify(row)}\n`, port, '127.0.0.1');
    }
  }, 5);
  let stopped = false;
  const stop = (): void => {
    if (stopped) return;
    stopped = true;
    clearInterval(timer);
    socket.close();
  };
  t.teardown(stop);
  return { sent: () => sent, stop };
}
