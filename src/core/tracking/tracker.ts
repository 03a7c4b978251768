import { addon, type TrackerHandle } from '../../geo/addon.ts';
import type { Geodetic } from '../../geo/position.ts';
import {
  ANSWER,
  CLAIM_PARTING,
  type EndReason,
  endReasons,
  LIMIT,
  OBSERVED,
  SENSOR_LEARNT,
  STEP_COUNTS,
  TRACK_END,
  TRACK_LIFE,
  TRACKER_CODE,
  TRACKER_LIMITS,
} from '../../model/rows/layouts.ts';
import { packRow } from '../../model/rows/pack_row.ts';
import { LEADS_S, ROW_WIDTH } from '../../model/track_row.ts';
import { columnsOf, MAX_SENSORS } from './sensor_columns.ts';
import type { SensorValue, TrackingSettings, TrackLife } from './settings.ts';

/** Greatest number of observations in one call. The result arrays are sized for it. */
const MAX_ROWS = 2_000;
const MIN_CLAIMS = 4_000;

/** Returns the greatest number of simultaneous claims: twice the number of tracks, and at least `MIN_CLAIMS`. */
export function claimsOf({ maxTracks }: TrackingSettings): number {
  return Math.max(MIN_CLAIMS, 2 * maxTracks);
}

const sentences: Record<number, string> = {
  [TRACKER_CODE.rowsUneven]: 'the batch does not hold a whole number of observations',
  [TRACKER_CODE.noTracker]: 'the handle does not belong to a tracker',
  [TRACKER_CODE.wrongArguments]: 'an argument has a wrong type or length',
  [TRACKER_CODE.noRoom]: 'the result is larger than its array',
  [TRACKER_CODE.siteTaken]: 'tracks already have positions in the present axes of the site',
};

/**
 * Result of one `step`. `answers` is a view that is valid until the next call. `due` is the number of tracks that
 * `report` would return; it is 0 while more rows of the batch follow. `dueS` is the world time at which the next step
 * is needed without new observations.
 */
export type Stepped = {
  due: number;
  answers: Float64Array;
  ends: { number: number; reason: EndReason; into: number }[];
  partings: { claim: number; from: number; to: number }[];
  dueS: number;
};

/**
 * The native tracker of one world; see native/tracker. Arguments and results are arrays of numbers. A batch takes one
 * call of `step` or more, and one call of `report`.
 */
export class Tracker {
  readonly #handle: TrackerHandle;
  readonly #leads = Float64Array.from(LEADS_S);
  readonly #rows: Float64Array;
  readonly #answers: Float64Array;
  readonly #ends: Float64Array;
  readonly #partings = new Float64Array(MAX_ROWS * CLAIM_PARTING.width);
  readonly #counts = new Float64Array(STEP_COUNTS.width);

  constructor(settings: TrackingSettings, origin: Geodetic, lastNumber: number) {
    const room = { tracks: settings.maxTracks, claims: claimsOf(settings), sensors: MAX_SENSORS };
    const limits = packRow(TRACKER_LIMITS, room);
    const { latDeg, lonDeg, altHaeM } = origin;
    const made = addon.makeTracker(tuned(settings), limits, latDeg, lonDeg, altHaeM, lastNumber);
    if (typeof made === 'number') throw new Error(sentence(made));
    this.#handle = made;
    this.#rows = new Float64Array(settings.maxTracks * ROW_WIDTH);
    const answers = MAX_ROWS + Math.max(LIMIT.pendingPlots, 2 * settings.maxTracks);
    this.#answers = new Float64Array(answers * ANSWER.width);
    this.#ends = new Float64Array((settings.maxTracks + 2 * answers) * TRACK_END.width);
  }

  static readonly maxRows = MAX_ROWS;

  /** Native handle, with which `Areas` measures the tracks; see areas.ts. */
  get handle(): TrackerHandle {
    return this.#handle;
  }

  /** Sets when tracks are confirmed, coast, are lost and are closed. Applies from the next step on. */
  setLife({ confirmHits, confirmWindowS, coastS, lostS, closeS }: TrackLife): void {
    const life = { confirmHits, confirmWindowS, coastS, lostS, closeS };
    check(addon.setTrackerLife(this.#handle, packRow(TRACK_LIFE, life)));
  }

  /**
   * Sets the origin of the site's axes. Call it only while no track has a position, and call `setSensor` for every
   * sensor afterwards.
   */
  setSite({ latDeg, lonDeg, altHaeM }: Geodetic): void {
    check(addon.setSite(this.#handle, latDeg, lonDeg, altHaeM));
  }

  setSensor(sensor: SensorValue): void {
    check(addon.setTrackerSensor(this.#handle, sensor.index, columnsOf(sensor)));
  }

  /**
   * Processes observations, at most `maxRows` rows of `OBSERVED.width`. `nowS` is NaN if more rows of the batch
   * follow.
   */
  step(observations: Float64Array, nowS: number): Stepped {
    if (observations.length > MAX_ROWS * OBSERVED.width) throw new Error(sentence(TRACKER_CODE.noRoom));
    const counts = this.#counts;
    const code = addon.stepTracker(this.#handle, observations, nowS, this.#answers, this.#ends, this.#partings, counts);
    check(code);
    const count = (column: number): number => counts[column] ?? 0;
    return {
      due: count(STEP_COUNTS.due),
      answers: this.#answers.subarray(0, count(STEP_COUNTS.answers) * ANSWER.width),
      ends: unpacked(this.#ends, count(STEP_COUNTS.ends), TRACK_END.width, (cell) => ({
        number: cell(TRACK_END.number),
        reason: endReasons[cell(TRACK_END.reason)] ?? 'closed',
        into: cell(TRACK_END.into),
      })),
      partings: unpacked(this.#partings, count(STEP_COUNTS.partings), CLAIM_PARTING.width, (cell) => ({
        claim: cell(CLAIM_PARTING.claim),
        from: cell(CLAIM_PARTING.from),
        to: cell(CLAIM_PARTING.to),
      })),
      dueS: count(STEP_COUNTS.dueS),
    };
  }

  /**
   * Returns rows of the due tracks, in a view that is valid until the next call. `urgent` holds track numbers in
   * ascending order. If more than `most` tracks are due, all urgent ones are returned. Other due tracks fill the rows
   * up to `most`; those that earlier reports left out come first.
   */
  report(nowS: number, urgent: Float64Array, most: number): Float64Array {
    const rows = check(addon.reportTracks(this.#handle, nowS, this.#leads, urgent, most, this.#rows));
    return this.#rows.subarray(0, rows * ROW_WIDTH);
  }

  /**
   * Restores a track of an earlier run with its claim (−1 for none). Returns false if the tracker is full, or
   * `receivedS` is not finite.
   */
  restore(number: number, claim: number, receivedS: number): boolean {
    return check(addon.restoreTrack(this.#handle, number, claim, receivedS)) === 1;
  }

  /** Merges claim `from` into claim `into`: both turned out to be of one aircraft. */
  join(from: number, into: number): void {
    check(addon.joinClaims(this.#handle, from, into));
  }

  forget(claim: number): void {
    check(addon.forgetClaim(this.#handle, claim));
  }

  drop(number: number): boolean {
    return check(addon.dropTrack(this.#handle, number)) === 1;
  }

  /**
   * Merges two tracks of one aircraft; the result has the number `into`. Returns false if a track does not exist or
   * both have a claim.
   */
  merge(number: number, into: number): boolean {
    return check(addon.mergeTracks(this.#handle, number, into)) === 1;
  }

  /**
   * Returns the values that the tracker learnt about a sensor: its offsets, the number of plots from which these were
   * learnt, and the mean number of false plots per scan.
   */
  learnt(index: number): { azimuthDeg: number; rangeM: number; plots: number; clutterPerScan: number } {
    const out = new Float64Array(SENSOR_LEARNT.width);
    check(addon.trackerSensor(this.#handle, index, out));
    const cell = (column: number): number => out[column] ?? 0;
    return {
      azimuthDeg: cell(SENSOR_LEARNT.azimuthOffsetDeg),
      rangeM: cell(SENSOR_LEARNT.rangeOffsetM),
      plots: cell(SENSOR_LEARNT.plots),
      clutterPerScan: cell(SENSOR_LEARNT.clutterPerScan),
    };
  }
}

/** Names and default values of all settings of the native tracker. */
export const trackerSettings: Readonly<Record<string, number>> = addon.trackerSettings();

/** Returns the settings as the array that `makeTracker` takes: in native order, with NaN for each default. */
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

function unpacked<T>(
  rows: Float64Array,
  count: number,
  width: number,
  read: (cell: (column: number) => number) => T,
): T[] {
  return Array.from({ length: count }, (_, i) => read((column) => rows[i * width + column] ?? 0));
}

function sentence(code: number): string {
  return `the tracker refused its input: ${sentences[code] ?? `code ${code}`}`;
}

function check(code: number): number {
  if (code < 0) throw new Error(sentence(code));
  return code;
}
