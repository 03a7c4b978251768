import { LocalFrame } from '../geo/local_frame.ts';
import type { Enu } from '../geo/position.ts';
import type { Track } from '../model/track.ts';

/** Position in a document. The home of a vehicle has no height above the ellipsoid. */
type Place = Pick<NonNullable<Track['position']>, 'lat' | 'lon'> & { alt_hae_m?: number | null };

/** Horizontal distance between two positions in the plane, m. */
export function apartM(a: Pick<Enu, 'eastM' | 'northM'>, b: Pick<Enu, 'eastM' | 'northM'>): number {
  return Math.hypot(a.eastM - b.eastM, a.northM - b.northM);
}

/** Horizontal velocity in the plane. */
export type LevelVelocity = { eastMps: number; northMps: number };

export const still: LevelVelocity = { eastMps: 0, northMps: 0 };

/** Local plane for one round of planning, around a given position. */
export class Plane {
  readonly #frame: LocalFrame;
  readonly #altHaeM: number;

  constructor({ lat, lon, alt_hae_m }: Place) {
    this.#altHaeM = alt_hae_m ?? 0;
    this.#frame = new LocalFrame(lat, lon, this.#altHaeM);
  }

  /**
   * Converts a position to the plane. An unknown height becomes the height of the plane, so that no climb is planned.
   */
  spot({ lat, lon, alt_hae_m }: Place): Enu {
    return this.#frame.toEnu(lat, lon, alt_hae_m ?? this.#altHaeM);
  }

  /** Horizontal velocity of a track; zero if unknown. */
  velocity({ position, velocity }: Pick<Track, 'position' | 'velocity'>): LevelVelocity {
    if (!position || !velocity || velocity.speed_mps === null || velocity.course_deg === null) return still;
    const course = (velocity.course_deg * Math.PI) / 180;
    const [eastMps, northMps] = [velocity.speed_mps * Math.sin(course), velocity.speed_mps * Math.cos(course)];
    const turned = this.#frame.turnFrom(position.lat, position.lon).vector(eastMps, northMps, 0);
    return { eastMps: turned.east, northMps: turned.north };
  }
}
