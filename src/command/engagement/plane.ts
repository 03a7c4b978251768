import { LocalFrame } from '../../geo/local_frame.ts';
import type { Track } from '../../model/track.ts';
import type { Spot } from './matching.ts';

type Place = { lat: number; lon: number; alt_hae_m?: number | null };

/** The plane that a round of planning reckons in, about a place near all of it. */
export class Plane {
  readonly #frame: LocalFrame;
  readonly #altHaeM: number;

  constructor({ lat, lon, alt_hae_m }: Place) {
    this.#altHaeM = alt_hae_m ?? 0;
    this.#frame = new LocalFrame(lat, lon, this.#altHaeM);
  }

  /** A height that is not known is taken for that of the plane: what is to be climbed is then no part of the reckoning. */
  spot({ lat, lon, alt_hae_m }: Place): Spot {
    return this.#frame.toEnu(lat, lon, alt_hae_m ?? this.#altHaeM);
  }

  /** Of a track, over ground; still where it is not known. */
  velocity({ position, velocity }: Pick<Track, 'position' | 'velocity'>): { east: number; north: number } {
    if (!position || !velocity || velocity.speed_mps === null || velocity.course_deg === null)
      return { east: 0, north: 0 };
    const course = (velocity.course_deg * Math.PI) / 180;
    const [east, north] = [velocity.speed_mps * Math.sin(course), velocity.speed_mps * Math.cos(course)];
    return this.#frame.turnFrom(position.lat, position.lon).vector(east, north, 0);
  }
}
