import { blankObservation } from '../../../src/edge/feed/blank.ts';
import type { Identity, Observation } from '../../../src/model/observation.ts';

/** An observation of a position, metres north and east of a place in Switzerland. */
export function positionAt(atMs: number, northM: number, eastM: number, more: Partial<Observation> = {}): Observation {
  return {
    ...blankObservation('00000000-0000-8000-8000-00000000aaaa', null, atMs),
    report: 'position',
    latDeg: 47 + northM / 111_194,
    lonDeg: 8 + eastM / 75_950,
    sigmaHM: 5,
    ...more,
  };
}

export const mac = (value: string): Identity => ({ type: 'mac', value, transport: 'mavlink' });
export const serial = (value: string): Identity => ({ type: 'serial', value, transport: 'mavlink' });
