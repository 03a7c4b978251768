import { createSocket } from 'node:dgram';
import type { Owner } from '../../../test/support/basics/owner.ts';
import { type Aircraft, positionOf, toPlace } from './sky.ts';

/** Standard deviations of what the sensors measure, m, and the share of detections. */
const SIGMA_H_M = 12;
const SIGMA_V_M = 8;
const DETECTED = 0.9;
const EVERY_MS = 1_000;
/** Rows in one datagram. */
const AT_ONCE = 10;

/** Sends what a box's radar and Remote ID receiver measure once a second, as rows of `obs_json`, until `owner` ends. */
export function sendMeasurements(
  owner: Owner,
  port: number,
  seen: readonly Aircraft[],
  { nowS, random }: { nowS: () => number; random: () => number },
): void {
  const socket = createSocket('udp4');
  const sendAll = (): void => {
    const at = { atS: nowS(), sourceAt: new Date().toISOString() };
    const rows = seen.flatMap((one) => rowsOf(one, at, random));
    for (let i = 0; i < rows.length; i += AT_ONCE)
      socket.send(`${rows.slice(i, i + AT_ONCE).join('\n')}\n`, port, '127.0.0.1');
  };
  const timer = setInterval(sendAll, EVERY_MS);
  owner.teardown(() => {
    clearInterval(timer);
    socket.close();
  });
}

function rowsOf(one: Aircraft, at: { atS: number; sourceAt: string }, random: () => number): string[] {
  const rows: string[] = [];
  if (random() < DETECTED) rows.push(rowOf(one, 'radar', at, random));
  if (one.serial !== null && random() < DETECTED) rows.push(rowOf(one, 'receiver', at, random));
  return rows;
}

function rowOf(
  one: Aircraft,
  sensor: 'radar' | 'receiver',
  { atS, sourceAt }: { atS: number; sourceAt: string },
  random: () => number,
): string {
  const { eastM, northM, upM } = positionOf(one, atS);
  const [east, north, up] = [eastM, northM, upM].map(
    (metres, axis) => metres + (axis === 2 ? SIGMA_V_M : SIGMA_H_M) * gaussian(random),
  );
  const { latDeg, lonDeg, altHaeM } = toPlace({ eastM: east ?? 0, northM: north ?? 0, upM: up ?? 0 });
  return JSON.stringify({
    ...{ sensor_id: sensor, source_at: sourceAt, report: 'position' },
    position: { lat: latDeg, lon: lonDeg, alt_hae_m: altHaeM },
    sigma: { h_m: SIGMA_H_M, v_m: SIGMA_V_M },
    ...(sensor === 'receiver' && { identity: [{ type: 'serial', value: one.serial, transport: 'wifi_beacon' }] }),
  });
}

/** A normally distributed number (Box and Muller 1958). */
function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
