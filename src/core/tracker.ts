import { addon, type TrackerHandle } from '../geo/addon.ts';
import { OBSERVED_WIDTH } from '../model/observation_row.ts';
import { LEADS_S, ROW_WIDTH } from '../model/track_row.ts';
import { columnsOf, MAX_SENSORS } from './sensor_columns.ts';
import type { Place, SensorValue, TrackingSettings, TrackLife } from './settings.ts';

/** Observations handed over in one call at most: what comes back then always fits. */
const MAX_ROWS = 2_000;
/** Plots that may wait for the rest of their scan, at least; twice the tracks where those are more. */
const MIN_PENDING = 8_192;
const MIN_CLAIMS = 4_000;

/** So many may claim to be somebody at once: always more than there are tracks to be. */
export function claimsOf({ maxTracks }: TrackingSettings): number {
  return Math.max(MIN_CLAIMS, 2 * maxTracks);
}
export const ANSWER = { sequence: 0, number: 1, sensor: 2, receivedS: 3, row: 4, rssiDbm: 5, width: 6 } as const;
const END_REASONS = ['closed', 'merged', 'dropped'] as const;

const sentences: Record<number, string> = {
  [-1]: 'the batch does not hold a whole number of observations',
  [-2]: 'there is no such tracker',
  [-3]: 'an argument has a wrong type or length',
  [-5]: 'tracks stand in the axes of the site already',
  [-4]: 'more came back than there was room for',
};

/**
 * What one call gave: `answers` is a view that holds until the next call, `due` how many tracks are to be told anew, 0 in
 * the middle of a batch.
 */
export type Stepped = {
  due: number;
  answers: Float64Array;
  ends: { number: number; reason: (typeof END_REASONS)[number]; into: number }[];
  partings: { claim: number; from: number; to: number }[];
  dueS: number;
};

/** The native tracker of one world; see native/tracker. Numbers in, numbers out, one call a batch and one for what is told of it. */
export class Tracker {
  readonly #handle: TrackerHandle;
  readonly #leads = Float64Array.from(LEADS_S);
  readonly #rows: Float64Array;
  readonly #answers: Float64Array;
  readonly #ends: Float64Array;
  readonly #partings = new Float64Array(MAX_ROWS * 3);
  readonly #counts = new Float64Array(5);

  constructor(settings: TrackingSettings, origin: Place, lastNumber: number) {
    const limits = Float64Array.of(settings.maxTracks, claimsOf(settings), MAX_SENSORS);
    const { latDeg, lonDeg, altHaeM } = origin;
    const made = addon.makeTracker(tuned(settings), limits, latDeg, lonDeg, altHaeM, lastNumber);
    if (typeof made === 'number') throw new Error(sentence(made));
    this.#handle = made;
    this.#rows = new Float64Array(settings.maxTracks * ROW_WIDTH);
    const answers = MAX_ROWS + Math.max(MIN_PENDING, 2 * settings.maxTracks);
    this.#answers = new Float64Array(answers * ANSWER.width);
    this.#ends = new Float64Array((settings.maxTracks + 2 * answers) * 3);
  }

  static readonly maxRows = MAX_ROWS;

  /** For what measures its tracks against something; see areas.ts. */
  get handle(): TrackerHandle {
    return this.#handle;
  }

  /** When tracks are confirmed, coast, are lost and closed, from the next step on. */
  setLife({ confirmHits, confirmWindowS, coastS, lostS, closeS }: TrackLife): void {
    check(addon.setTrackerLife(this.#handle, Float64Array.of(confirmHits, confirmWindowS, coastS, lostS, closeS)));
  }

  /** Where the site's axes stand; only while no track has a place. Sensors are to be set anew. */
  setSite({ latDeg, lonDeg, altHaeM }: Place): void {
    check(addon.setSite(this.#handle, latDeg, lonDeg, altHaeM));
  }

  setSensor(sensor: SensorValue): void {
    check(addon.setTrackerSensor(this.#handle, sensor.index, columnsOf(sensor)));
  }

  /** `observations` holds at most `maxRows` rows of `OBSERVED_WIDTH`; `nowS` NaN where more of the batch follows. */
  step(observations: Float64Array, nowS: number): Stepped {
    if (observations.length > MAX_ROWS * OBSERVED_WIDTH) throw new Error(sentence(-4));
    const counts = this.#counts;
    const code = addon.stepTracker(this.#handle, observations, nowS, this.#answers, this.#ends, this.#partings, counts);
    check(code);
    const [due = 0, answers = 0, ends = 0, partings = 0, dueS = 0] = counts;
    return {
      due,
      answers: this.#answers.subarray(0, answers * ANSWER.width),
      ends: triples(this.#ends, ends).map(([number, reason, into]) => ({
        number,
        reason: END_REASONS[reason] ?? 'closed',
        into,
      })),
      partings: triples(this.#partings, partings).map(([claim, from, to]) => ({ claim, from, to })),
      dueS,
    };
  }

  /**
   * Rows of the tracks that are to be told anew, in a view that holds until the next call. Where there are more than `most`,
   * those in `urgent`, numbers in order, and others as there is room for: first what was passed over before.
   */
  report(nowS: number, urgent: Float64Array, most: number): Float64Array {
    const rows = check(addon.reportTracks(this.#handle, nowS, this.#leads, urgent, most, this.#rows));
    return this.#rows.subarray(0, rows * ROW_WIDTH);
  }

  /** A track of an earlier run, known by its claim (−1: by none); false where there is no room. */
  restore(number: number, claim: number, heardS: number): boolean {
    return check(addon.restoreTrack(this.#handle, number, claim, heardS)) === 1;
  }

  /** Two claims turn out to be one. */
  join(from: number, into: number): void {
    check(addon.joinClaims(this.#handle, from, into));
  }

  forget(claim: number): void {
    check(addon.forgetClaim(this.#handle, claim));
  }

  drop(number: number): boolean {
    return check(addon.dropTrack(this.#handle, number)) === 1;
  }

  /** Two tracks are one aircraft, called `into`; false where one is not there or both are claimed. */
  merge(number: number, into: number): boolean {
    return check(addon.mergeTracks(this.#handle, number, into)) === 1;
  }

  /** What was learnt of a sensor. */
  learnt(index: number): { azimuthDeg: number; rangeM: number; plots: number; clutterPerLook: number } {
    const out = new Float64Array(4);
    check(addon.trackerSensor(this.#handle, index, out));
    const [azimuthDeg = 0, rangeM = 0, plots = 0, clutterPerLook = 0] = out;
    return { azimuthDeg, rangeM, plots, clutterPerLook };
  }
}

/** Names of everything that can be tuned, with defaults. */
export const trackerSettings: Readonly<Record<string, number>> = addon.trackerSettings();

/** The settings as the native side takes them: in its order, NaN for its default. */
function tuned(settings: TrackingSettings): Float64Array {
  const given: Record<string, number> = {
    confirm_hits: settings.confirmHits,
    confirm_window_s: settings.confirmWindowS,
    coast_s: settings.coastS,
    lost_s: settings.lostS,
    close_s: settings.closeS,
    ...settings.tuning,
  };
  return Float64Array.from(Object.keys(trackerSettings), (name) => given[name] ?? Number.NaN);
}

function triples(values: Float64Array, count: number): [number, number, number][] {
  return Array.from({ length: count }, (_, i) => [values[3 * i] ?? 0, values[3 * i + 1] ?? 0, values[3 * i + 2] ?? 0]);
}

function sentence(code: number): string {
  return `the tracker refused: ${sentences[code] ?? `code ${code}`}`;
}

function check(code: number): number {
  if (code < 0) throw new Error(sentence(code));
  return code;
}
