import type { AssessedThreat } from '../model/assessment.ts';
import type { DecisionPolicy } from '../model/decision_config.ts';
import type { ObservationBatch } from '../model/observation_row.ts';
import { OBSERVED } from '../model/rows/layouts.ts';
import { type CoreOutput, type RestoredTrack, ROW_WIDTH } from '../model/track_row.ts';
import { Assessor, type Measure } from './assess/assessor.ts';
import type { AssessPolicy } from './assess/configuration.ts';
import { IdentityMap } from './identity/identity_map.ts';
import { Intake } from './intake.ts';
import { readDossier } from './integrity/dossier.ts';
import type { MergeOutcome } from './messages.ts';
import { TrackRecords } from './track_records.ts';
import { SensorOffsets } from './tracking/sensor_offsets.ts';
import { SensorSite } from './tracking/sensor_site.ts';
import type { SensorValue, TrackingSettings, TrackLife } from './tracking/settings.ts';
import { claimsOf, Tracker } from './tracking/tracker.ts';
import { RowsAStep } from './tracks/rows_a_step.ts';
import { TrackRecord } from './tracks/track_record.ts';

/** Delay of the next step, ms, if the last one could not publish all rows. */
const NEXT_STEP_MS = 5;

const inBrief = { brief: true };
const noRows = new Float64Array(0);

/**
 * Computes the picture: takes observations and returns the changes of the picture. The core is pure: all times come
 * with the input, and ids derive from the seed and the track number. The same input gives the same output, byte for
 * byte. The native tracker holds the states of tracks; `TrackRecords` holds their identities and descriptions.
 */
export class Core {
  readonly #claims: IdentityMap;
  readonly #tracker: Tracker;
  readonly #sensors: SensorSite;
  readonly #intake: Intake;
  readonly #records: TrackRecords;
  readonly #offsets = new SensorOffsets();
  /** Receives policy, site, rules and decisions about tracks, and scores the tracks. */
  readonly assessor: Assessor;
  readonly #rowsAStep = new RowsAStep();
  /** Rows of the current step. The array is not reused, because its memory is transferred with the output. */
  #rows = new Float64Array(0);
  #dueS = Number.POSITIVE_INFINITY;

  readonly #measure: Measure = (areas, chosen, nowS, horizonS) =>
    areas.measure(this.#tracker, nowS, horizonS, numbersOf(chosen), inBrief);

  /** `seed` has 8 bytes; `lastNumber` is the highest track number assigned so far. */
  constructor(settings: TrackingSettings, seed: Uint8Array, lastNumber: number) {
    const flush = (): void => this.#run();
    const tracker = new Tracker(settings, settings.origin ?? { latDeg: 0, lonDeg: 0, altHaeM: 0 }, lastNumber);
    const sensors = new SensorSite(tracker, settings.origin !== undefined, flush);
    const claims = new IdentityMap(claimsOf(settings), {
      settle: flush,
      join: (from, into) => {
        flush();
        tracker.join(from, into);
      },
      forget: (claim) => {
        flush();
        tracker.forget(claim);
        this.#records.disown(claim);
      },
    });
    this.assessor = new Assessor(settings.maxTracks, seed);
    const records = new TrackRecords(seed, claims, sensors, (ending) => this.assessor.forget(ending));
    [this.#tracker, this.#sensors, this.#claims, this.#records] = [tracker, sensors, claims, records];
    this.#intake = new Intake({ claims, sensors, records, flush });
  }

  /**
   * Sets how long tracks live. Observations received before this call are still processed under the previous setting.
   */
  setLife(life: TrackLife): void {
    this.#run();
    this.#tracker.setLife(life);
  }

  /** Sets how claims are checked, from the next observation on. */
  setIdentityPolicy(identity: DecisionPolicy['identity']): void {
    this.#claims.identity = identity;
  }

  setSensors(sensors: readonly SensorValue[]): void {
    this.#sensors.set(sensors);
  }

  /**
   * Restores the tracks of an earlier run in the state `lost`. Call this before the first step. A track that the
   * tracker refuses, for example because it is full, is published as dropped.
   */
  restore(tracks: readonly RestoredTrack[]): void {
    for (const left of tracks) this.#takeBack(left);
  }

  #takeBack(left: RestoredTrack): void {
    const { lineage: _lineage, ...reported } = left;
    const dossier = readDossier({ ...reported, index: -1 });
    const receivedS = left.lastSeenMs / 1000;
    const claim =
      left.identities.length > 0
        ? this.#claims.restore(dossier, left.number, receivedS, left.flags.includes('id_duplicate'))
        : -1;
    if (this.#tracker.restore(left.number, claim, receivedS)) {
      this.#records.restore(TrackRecord.of(left, claim));
      return;
    }
    if (claim >= 0) this.#claims.release(claim, left.number);
    this.#records.refuse(left);
  }

  /**
   * Processes a batch of observations, advances the time to `nowMs`, and returns the changes. An empty batch only
   * advances the time.
   */
  step({ rows, dossiers }: ObservationBatch, nowMs: number): CoreOutput {
    this.#intake.know(dossiers);
    for (let at = 0; at < rows.length; at += OBSERVED.width) this.#intake.take(rows, at);
    this.#run(nowMs / 1000);
    this.#records.sweep(nowMs);
    return this.#output(nowMs);
  }

  /** Whether rows of tracks wait for a later step, because one step publishes a limited number of rows. */
  get rowsWait(): boolean {
    return this.#rowsAStep.someWait;
  }

  /** Whether rows or assessments wait for a later step. */
  get isBehind(): boolean {
    return this.rowsWait || this.assessor.isBehind;
  }

  /** Scores tracks under another policy; their scores and levels stay. `numbers` null means all tracks. */
  preview(policy: AssessPolicy, numbers: readonly number[] | null, nowMs: number): AssessedThreat[] {
    this.#run();
    return this.assessor.preview(this.#measure, nowMs, policy, numbers);
  }

  /** Ends a track on a person's order. Returns false if no track has this number. */
  drop(number: number): boolean {
    this.#run();
    return this.#tracker.drop(number);
  }

  /**
   * Merges two tracks on a person's order: track `number` ends, and track `into` takes over its identities and history.
   * Refuses to do so (`two_claims`) if both claims have serials but none in common: they are two aircraft, or one
   * report is false.
   */
  merge(number: number, into: number): MergeOutcome {
    this.#run();
    const [gone, kept] = [this.#records.get(number), this.#records.get(into)];
    if (!gone || !kept || gone === kept) return 'not_there';
    if (gone.claim >= 0 && kept.claim >= 0) {
      return this.#claims.unite(gone.claim, kept.claim) ? 'done' : 'two_claims';
    }
    if (!this.#tracker.merge(number, into)) return 'not_there';
    const claimant = this.#claims.of(Math.max(gone.claim, kept.claim));
    if (claimant) claimant.track = into;
    return 'done';
  }

  /** Returns the values that the tracker learnt about a sensor. */
  learnt(index: number): ReturnType<Tracker['learnt']> {
    return this.#tracker.learnt(index);
  }

  /** Passes the waiting rows to the tracker. If `nowS` is given, then advances the time to `nowS`, s. */
  #run(nowS = Number.NaN): void {
    const rows = this.#intake.takePending();
    const timePasses = !Number.isNaN(nowS);
    if (!rows && !timePasses) return;
    const stepped = this.#tracker.step(rows ?? noRows, nowS);
    this.#dueS = stepped.dueS;
    this.#records.follow(stepped, rows ?? noRows, this.#intake.dossiers);
    if (timePasses) this.#report(stepped.due, nowS);
  }

  /** Takes the rows of the `due` tracks from the tracker, at most as many as one step allows. */
  #report(due: number, nowS: number): void {
    const most = this.#rowsAStep.of(due);
    if (due === 0) return void this.#rowsAStep.left(0);
    const rows = this.#tracker.report(nowS, due > most ? this.#records.urgent() : noRows, most).slice();
    this.#rowsAStep.left(due - rows.length / ROW_WIDTH);
    this.#records.takeRows(rows, nowS);
    this.#rows = rows;
    this.assessor.moved(rows, (number) => this.#records.get(number), this.#rowsAStep.moved);
  }

  #output(nowMs: number): CoreOutput {
    const rows = this.#rows;
    this.#rows = new Float64Array(0);
    const { cards, received, removed, assigned } = this.#records.takeNews(nowMs, (record) =>
      this.assessor.described(record),
    );
    const assessment = this.assessor.evaluate(this.#measure, nowMs);
    const nextMs = this.rowsWait ? nowMs + NEXT_STEP_MS : Number.POSITIVE_INFINITY;
    return {
      nowMs,
      rows,
      cards,
      received,
      removed,
      assigned,
      assessment,
      dueMs: Math.min(this.#dueS * 1000, this.assessor.dueMs, nextMs),
      offsets: this.#offsets.news(this.#sensors.values(), this.#tracker, nowMs),
    };
  }
}

function numbersOf(chosen: readonly { number: number }[]): Float64Array {
  const numbers = new Float64Array(chosen.length);
  for (let i = 0; i < chosen.length; i++) numbers[i] = chosen[i]?.number ?? 0;
  return numbers;
}
