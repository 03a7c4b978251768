import type { Enu } from '../../../src/geo/position.ts';
import type { Track } from '../../../src/model/track.ts';
import { TrackingScore } from '../../../src/sim/score/tracking_score.ts';
import { type Aircraft, aircraft, positionOf, toField } from './sky.ts';

/** Distance within which a track belongs to an aircraft, m: neighbours are 160 m apart at least. */
const NEAR_M = 75;

/**
 * A shown track: the aircraft that it belongs to, null for none; the nearest one, in whose area it is; and its position at
 * the moment of the look.
 */
export type Placed = { track: Track; of: Aircraft | null; nearest: Aircraft; position: Enu };

/**
 * Tracks that a system shows as present. Each is carried on with its own velocity from the time of its position to the
 * moment of the look. Two systems are thus compared by what they say about the same moment.
 */
export function placed(tracks: readonly Track[], toS: (at: string) => number, nowS: number): Placed[] {
  const shown = tracks.filter(({ state }) => state === 'confirmed' || state === 'coasting');
  return shown.flatMap((track) => {
    const { position: at, velocity, updated_at } = track;
    if (at === null) return [];
    const position = carriedOn(toField(at.lat, at.lon, at.alt_hae_m ?? 600), velocity, nowS - toS(updated_at));
    const nearest = nearestTo(position, nowS);
    const isNear = metresApart(positionOf(nearest, nowS), position) < NEAR_M;
    return [{ track, of: isNear ? nearest : null, nearest, position }];
  });
}

function carriedOn({ eastM, northM, upM }: Enu, velocity: Track['velocity'], s: number): Enu {
  const { speed_mps: speed = null, course_deg: course = null, climb_mps: climb = null } = velocity ?? {};
  const [along, angle] = [(speed ?? 0) * s, ((course ?? 0) * Math.PI) / 180];
  return {
    eastM: eastM + along * Math.sin(angle),
    northM: northM + along * Math.cos(angle),
    upM: upM + (climb ?? 0) * s,
  };
}

function nearestTo(position: Enu, atS: number): Aircraft {
  const metres = (one: Aircraft): number => metresApart(positionOf(one, atS), position);
  return aircraft.reduce((best, one) => (metres(one) < metres(best) ? one : best));
}

const metresApart = (a: Enu, b: Enu): number => Math.hypot(a.eastM - b.eastM, a.northM - b.northM);

const spotsOf = (positions: readonly Enu[]): Float64Array =>
  Float64Array.from(positions.flatMap(({ eastM, northM, upM }) => [eastM, northM, upM]));

/** Scores the tracks of one system over one set of aircraft, look by look. Tracks of other aircraft are left out. */
export class AreaScore {
  readonly #score = new TrackingScore();
  readonly #aircraft: readonly Aircraft[];

  constructor(ofArea: readonly Aircraft[]) {
    this.#aircraft = ofArea;
  }

  look(all: readonly Placed[], nowS: number): void {
    const tracks = all.filter(({ nearest }) => this.#aircraft.includes(nearest));
    this.#score.evaluate(
      {
        ids: this.#aircraft.map(({ index }) => String(index)),
        spots: spotsOf(this.#aircraft.map((one) => positionOf(one, nowS))),
      },
      { ids: tracks.map(({ track }) => track.id), spots: spotsOf(tracks.map(({ position }) => position)) },
      { ids: [], spots: new Float64Array(0) },
      tracks.map(() => false),
      nowS,
    );
  }

  metrics() {
    return this.#score.metrics();
  }
}
