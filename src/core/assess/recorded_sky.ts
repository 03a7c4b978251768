import type { TrackWord } from '../../model/assessment.ts';
import type { Firing } from '../../model/firing.ts';
import { AREA_STATE, TRACK } from '../../model/rows/layouts.ts';
import type { RuleCount, RuleValue } from '../../model/rule_value.ts';
import type { TrackPoint } from '../../model/track.ts';
import { type Integrity, type RestoredTrack, ROW_WIDTH, stateCodes } from '../../model/track_row.ts';
import { areaStates } from '../tracking/areas.ts';
import { TrackRecord } from '../tracks/track_record.ts';
import { Assessor, type Measure } from './assessor.ts';
import type { AssessPolicy, AssessSite } from './configuration.ts';

const RADIANS = Math.PI / 180;

/** A recorded track with what the history keeps of it: its last reports, integrity and decision. */
export type RecordedTrack = { left: RestoredTrack; integrity: Integrity; word: TrackWord };

/**
 * Assesses recorded tracks with the code of the live core, from recorded positions instead of tracked ones. The history
 * keeps no covariances, so the relations to areas take positions and velocities as exact.
 */
export class RecordedSky {
  readonly #assessor: Assessor;
  readonly #records = new Map<number, TrackRecord>();
  readonly #row = new Float64Array(ROW_WIDTH);

  constructor(maxTracks: number, policy: AssessPolicy, site: AssessSite, rules: readonly RuleValue[]) {
    this.#assessor = new Assessor(maxTracks, new Uint8Array(8));
    this.#assessor.setPolicy(policy);
    this.#assessor.setSite(site);
    this.#assessor.rules.setRules(rules);
  }

  add({ left, integrity, word }: RecordedTrack): void {
    const record = TrackRecord.of(left, -1);
    record.integrity = integrity;
    this.#records.set(left.number, record);
    this.#assessor.receiveWords([word]);
  }

  move(number: number, atMs: number, point: TrackPoint): void {
    const record = this.#records.get(number);
    if (!record) return;
    record.lastSeenMs = atMs;
    // A recorded point has the height that the track had at its time, so null means that it was unknown.
    record.heightTakeoffM = point.height_takeoff_m ?? Number.NaN;
    this.#write(number, atMs, point);
    this.#assessor.moved(this.#row, () => record);
  }

  end(number: number): void {
    if (this.#records.delete(number)) this.#assessor.forget({ number, reason: 'closed' });
  }

  evaluate(nowMs: number): { firings: Firing[]; counts: RuleCount[] } {
    const { firings, counts } = this.#assessor.evaluate(measurePublished, nowMs);
    // Repeats until all tracks are assessed, because a recording has no real-time limit.
    while (this.#assessor.isBehind) {
      const more = this.#assessor.evaluate(measurePublished, nowMs);
      firings.push(...more.firings);
      counts.push(...more.counts);
    }
    return { firings, counts };
  }

  #write(number: number, atMs: number, point: TrackPoint): void {
    const row = this.#row.fill(Number.NaN);
    const set = (column: number, value: number | null): void => {
      row[column] = value ?? Number.NaN;
    };
    const speed = point.speed_mps ?? Number.NaN;
    const course = (point.course_deg ?? 0) * RADIANS;
    set(TRACK.number, number);
    set(TRACK.state, stateCodes.indexOf(point.state));
    set(TRACK.updatedMs, atMs);
    set(TRACK.lastSeenMs, atMs);
    set(TRACK.latDeg, point.lat);
    set(TRACK.lonDeg, point.lon);
    set(TRACK.altHaeM, point.alt_hae_m);
    set(TRACK.eastMps, speed * Math.sin(course));
    set(TRACK.northMps, speed * Math.cos(course));
    set(TRACK.upMps, point.climb_mps);
    set(TRACK.majorM, point.h_m);
  }
}

const measurePublished: Measure = (areas, chosen, _nowS, horizonS) => {
  const states = areaStates(chosen.length);
  chosen.forEach(({ number, latDeg, lonDeg, altHaeM, eastMps, northMps, upMps }, i) => {
    const at = i * AREA_STATE.width;
    states[at + AREA_STATE.number] = number;
    states[at + AREA_STATE.latDeg] = latDeg;
    states[at + AREA_STATE.lonDeg] = lonDeg;
    states[at + AREA_STATE.altHaeM] = altHaeM;
    states[at + AREA_STATE.eastMps] = eastMps || 0;
    states[at + AREA_STATE.northMps] = northMps || 0;
    states[at + AREA_STATE.upMps] = upMps || 0;
  });
  return areas.measureStates(states, horizonS);
};
