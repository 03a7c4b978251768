import type { Geodetic } from '../../geo/position.ts';
import type { TrackRecord } from '../tracks/track_record.ts';

/** A vehicle that stands stays within this of where it was when it said so, as its track is estimated. */
const STANDS_WITHIN_DEG = 0.000_5;
const STANDS_WITHIN_ALT_M = 20;

type AreaRelation = Geodetic & { record: Pick<TrackRecord, 'landed'> };

/** Whether it is known that a track stands on the ground: its autopilot said so, and it has not moved since. */
export class Ground {
  #place: Geodetic | null = null;

  /** Takes each report; true while the track stands. */
  holds({ record, latDeg, lonDeg, altHaeM }: AreaRelation): boolean {
    if (!record.landed || Number.isNaN(latDeg)) {
      this.#place = null;
      return false;
    }
    this.#place ??= { latDeg, lonDeg, altHaeM };
    const { cos, abs, hypot, PI } = Math;
    const east = (lonDeg - this.#place.lonDeg) * cos((latDeg * PI) / 180);
    const up = abs(altHaeM - this.#place.altHaeM);
    return hypot(east, latDeg - this.#place.latDeg) <= STANDS_WITHIN_DEG && !(up > STANDS_WITHIN_ALT_M);
  }
}
