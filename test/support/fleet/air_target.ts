import type { Track } from '../../../src/model/track.ts';
import { moved, type Point } from '../vehicles/flight.ts';
import { track } from './airspace.ts';

/** A turn that it flies from now on, degrees a second to the right, and its speed. */
export type Turn = { rateDps: number; speedMps: number };

/** Something that flies past, as the tracker tells it: where it is, and straight on from there. */
export class AirTarget {
  readonly id: string;
  at: Point;
  courseDeg: number;
  readonly altHaeM: number;
  /** The track stays as it was told last. */
  isHeard = true;
  state: Track['state'] = 'confirmed';
  readonly #turnAt: (tS: number) => Turn;
  #tS = 0;
  #told: Track | null = null;

  constructor(of: { at: Point; altHaeM: number; courseDeg?: number; id?: string; turnAt: (tS: number) => Turn }) {
    this.id = of.id ?? '00000000-0000-4000-8000-00000000000a';
    this.at = of.at;
    this.altHaeM = of.altHaeM;
    this.courseDeg = of.courseDeg ?? 90;
    this.#turnAt = of.turnAt;
  }

  step(dtS: number): void {
    const { rateDps, speedMps } = this.#turnAt(this.#tS);
    this.#tS += dtS;
    this.courseDeg = (this.courseDeg + rateDps * dtS + 360) % 360;
    const course = (this.courseDeg * Math.PI) / 180;
    this.at = moved(this.at, Math.cos(course) * speedMps * dtS, Math.sin(course) * speedMps * dtS);
  }

  track(utcMs: number): Track {
    if (this.isHeard || !this.#told) {
      const { speedMps } = this.#turnAt(this.#tS);
      const { lat, lon } = this.at;
      const at = new Date(utcMs).toISOString();
      const seen = { id: this.id, first_seen_at: at, last_seen_at: at, updated_at: at };
      this.#told = track(
        { latDeg: lat, lonDeg: lon, altHaeM: this.altHaeM, courseDeg: this.courseDeg, speedMps },
        seen,
      );
    }
    return { ...this.#told, state: this.state };
  }
}
