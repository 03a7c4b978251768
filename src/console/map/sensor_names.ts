import type { Sensor } from '../../model/sensor.ts';
import { words } from '../words/en.ts';
import { durationText } from '../words/units.ts';
import { type Camera, project, type Spot } from './camera.ts';

/** Name of a sensor on the map, with its silence or fault as a second line. */
export type SensorName = { id: string; spot: Spot; lines: string[]; isDead: boolean };

export const isDead = ({ state }: Pick<Sensor, 'state'>): boolean => state === 'silent' || state === 'fault';

/** Names of the sensors in view. The second line is short on a narrow map: it must fit beside its sensor. */
export function sensorNames(
  sensors: readonly Sensor[],
  camera: Camera,
  silentS: (sensor: Sensor) => number | null,
): SensorName[] {
  return sensors.flatMap((sensor) => {
    if (sensor.placement === null) return [];
    const [x, y] = project(camera, sensor.placement);
    if (x < 0 || y < 0 || x > camera.widthPx || y > camera.heightPx) return [];
    const lines = isDead(sensor) ? [sensor.name, silence(sensor, silentS(sensor), camera)] : [sensor.name];
    return [{ id: `sensor ${sensor.id}`, spot: [x, y] as const, lines, isDead: isDead(sensor) }];
  });
}

/** Width of a map on which texts are short, px: a phone, or a screen at 200 % zoom. */
const NARROW_PX = 700;

function silence({ state, last_obs_at: lastAt }: Sensor, silentS: number | null, { widthPx }: Camera): string {
  const since = lastAt === null || widthPx < NARROW_PX ? '' : ` ${words.sinceClock(lastAt)}`;
  return `${state.toUpperCase()}${silentS === null ? '' : ` ${durationText(silentS)}`}${since}`;
}
