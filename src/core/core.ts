import type { AssessedThreat } from '../model/assessment.ts';
import type { DecisionPolicy } from '../model/decision_config.ts';
import { HEARD_WIDTH } from '../model/heard_row.ts';
import { idOf } from '../model/ids.ts';
import { OBSERVED, OBSERVED_KIND, OBSERVED_WIDTH, type ObservationBatch } from '../model/observation_row.ts';
import {
  COLUMN,
  type CoreOutput,
  type RestoredTrack,
  ROW_WIDTH,
  type TrackCard,
  type TrackRemoval,
} from '../model/track_row.ts';
import { Assessor, type Measure } from './assess/assessor.ts';
import type { AssessPolicy } from './assess/briefed.ts';
import { AssignedPairs } from './assigned_pairs.ts';
import { ByTrack } from './by_track.ts';
import { ClaimBook } from './claim_book.ts';
import { creditTo } from './credit.ts';
import { type ReadDossier, readDossier } from './dossier.ts';
import { holdBack, isHeldBack } from './held_back.ts';
import { DUPLICATE } from './integrity/claim_watch.ts';
import { Listener } from './integrity/listener.ts';
import type { MergeOutcome } from './messages.ts';
import { numbersOf, urgentOf } from './numbers.ts';
import { emptyOutput } from './output.ts';
import { PackedRows } from './packed_rows.ts';
import { isOnEarth, isPlace, isSane } from './plausible.ts';
import { RowsAStep } from './rows_a_step.ts';
import { SensorOffsets } from './sensor_offsets.ts';
import type { Place, SensorValue, TrackingSettings, TrackLife } from './settings.ts';
import { TrackRecord } from './track_record.ts';
import { ANSWER, claimsOf, type Stepped, Tracker } from './tracker.ts';
import { verdictOf } from './verdict.ts';

/** After so long without a hit, what was counted since the card was last told is told. */
const BURST_OVER_MS = 1_500;
const SWEEP_MS = 250;
/** What waits is told in the steps that follow at once. */
const NEXT_STEP_MS = 5;

const inBrief = { brief: true };

/**
 * The picture's source of truth: observations in, what changed out. Pure: all time comes with the input, ids are made of
 * the seed and the track's number, so the same input gives the same output, byte for byte. Where things are, the native
 * tracker knows; who they say they are, and what a person reads about them, is kept here.
 */
export class Core {
  readonly #seed: Uint8Array;
  readonly #claims: ClaimBook;
  readonly #sensors = new Map<number, SensorValue>();
  readonly #dossiers = new Map<number, ReadDossier>();
  readonly #records = new ByTrack<TrackRecord>();
  readonly #tracker: Tracker;
  readonly #offsets = new SensorOffsets();
  readonly #listener = new Listener();
  /** Which of the tracks matter; people's policy, the site and what is said of tracks go to it. */
  readonly assessor: Assessor;
  #sited: boolean;
  #nowS = Number.NEGATIVE_INFINITY;
  /** Claims are settled before the tracker sees the rows, so those that wait are stepped before two become one. */
  #pending: { rows: Float64Array; from: number; to: number } | null = null;
  #output = emptyOutput();
  readonly #rowsAStep = new RowsAStep();
  readonly #heard = new PackedRows(HEARD_WIDTH);
  readonly #assigned = new AssignedPairs();
  #sweptMs = Number.NEGATIVE_INFINITY;
  #dueS = Number.POSITIVE_INFINITY;

  readonly #measure: Measure = (areas, chosen, nowS, horizonS) =>
    areas.measure(this.#tracker, nowS, horizonS, numbersOf(chosen), inBrief);

  /** `seed` is 8 bytes; `lastNumber` the highest track number given out before. */
  constructor(settings: TrackingSettings, seed: Uint8Array, lastNumber: number) {
    this.#seed = seed;
    this.assessor = new Assessor(settings.maxTracks, seed);
    this.#sited = settings.origin !== undefined;
    this.#tracker = new Tracker(settings, settings.origin ?? { latDeg: 0, lonDeg: 0, altHaeM: 0 }, lastNumber);
    this.#claims = new ClaimBook(claimsOf(settings), {
      settle: () => this.#run(),
      join: (from, into) => {
        this.#run();
        this.#tracker.join(from, into);
      },
      forget: (claim) => {
        this.#run();
        this.#tracker.forget(claim);
        for (const record of this.#records.values()) if (record.claim === claim) record.disown();
      },
    });
  }

  /** What was taken before is tracked under what held then. */
  setLife(life: TrackLife): void {
    this.#run();
    this.#tracker.setLife(life);
  }

  /** How far what aircraft say of themselves is believed, from the next observation on. */
  setIdentityPolicy(identity: DecisionPolicy['identity']): void {
    this.#claims.identity = identity;
  }

  setSensors(sensors: readonly SensorValue[]): void {
    const place = sensors.find(({ placement }) => placement && isPlace(placement))?.placement;
    for (const sensor of sensors) this.#sensors.set(sensor.index, sensor);
    if (!this.#sited && place) this.#settle(place);
    else for (const sensor of sensors) this.#tracker.setSensor(sensor);
  }

  /** The site's axes stand where the first thing is known to be: a sensor, else an aircraft. */
  #settle(place: Place): void {
    this.#run();
    this.#sited = true;
    this.#tracker.setSite(place);
    for (const sensor of this.#sensors.values()) this.#tracker.setSensor(sensor);
  }

  /** Takes back what an earlier run left, as lost; call before the first step. */
  restore(tracks: readonly RestoredTrack[]): void {
    for (const left of tracks) this.#takeBack(left);
  }

  /** Takes a batch of observations and the time; returns what changed. An empty batch lets time pass. */
  step(batch: ObservationBatch, nowMs: number): CoreOutput {
    this.#nowS = nowMs / 1000;
    for (const dossier of batch.dossiers) this.#dossiers.set(dossier.index, readDossier(dossier));
    const { rows } = batch;
    for (let at = 0; at < rows.length; at += OBSERVED_WIDTH) this.#take(rows, at);
    this.#run(nowMs / 1000);
    this.#tellOver(nowMs);
    return this.#told(nowMs);
  }

  /** Rows of tracks wait for the steps that follow at once. */
  get rowsWait(): boolean {
    return this.#rowsAStep.someWait;
  }

  /** Something that came waits for the steps that follow at once. */
  get isBehind(): boolean {
    return this.rowsWait || this.assessor.isBehind;
  }

  /** What tracks would score now under another policy; of all where `numbers` is null. Changes nothing. */
  preview(policy: AssessPolicy, numbers: readonly number[] | null, nowMs: number): AssessedThreat[] {
    this.#run();
    return this.assessor.preview(this.#measure, nowMs, policy, numbers);
  }

  /** Ends a track at a person's word; false where there is none with this number. */
  drop(number: number): boolean {
    this.#run();
    return this.#tracker.drop(number);
  }

  /**
   * Two tracks are one aircraft at a person's word: `number` ends, and what is known of it is `into`'s. Not where each has a
   * serial of its own: those are two aircraft, or one of them lies.
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

  /** What was learnt of a sensor's offsets, for its document. */
  learnt(index: number): ReturnType<Tracker['learnt']> {
    return this.#tracker.learnt(index);
  }

  #takeBack(left: RestoredTrack): void {
    const dossier = readDossier({ ...left, index: -1 });
    const heardS = left.lastSeenMs / 1000;
    const claim =
      left.identities.length > 0
        ? this.#claims.restore(dossier, left.number, heardS, left.flags.includes('id_duplicate'))
        : -1;
    if (!this.#tracker.restore(left.number, claim, heardS)) {
      if (claim >= 0) this.#claims.release(claim, left.number);
      this.#output.removed.push({ id: left.id, number: left.number, reason: 'dropped' });
      return;
    }
    this.#records.set(left.number, TrackRecord.of(left, claim));
  }

  /** Settles who speaks; the row then waits for its batch. */
  #take(rows: Float64Array, at: number): void {
    const index = (rows[at + OBSERVED.claim] ?? -1) | 0;
    rows[at + OBSERVED.dossier] = index;
    const dossier = index >= 0 ? this.#dossiers.get(index) : undefined;
    const kind = rows[at + OBSERVED.kind];
    if (kind === OBSERVED_KIND.evidence) return void this.#claims.refuse(dossier, rows, at);
    if (kind === OBSERVED_KIND.repeat) return void this.#repeat(dossier, rows, at);
    if (dossier && isSane(rows, at)) rows[at + OBSERVED.claim] = this.#listen(dossier, rows, at);
    else rows[at + OBSERVED.claim] = -1;
    if (!this.#sited) this.#siteAt(rows, at);
    const follows = this.#pending?.to === at && at - this.#pending.from < Tracker.maxRows * OBSERVED_WIDTH;
    if (!follows || !this.#pending) {
      this.#run();
      this.#pending = { rows, from: at, to: at };
    }
    this.#pending.to = at + OBSERVED_WIDTH;
  }

  /** Another receiver has brought in a report that was counted: it has heard the aircraft too, and that is all. */
  #repeat(dossier: ReadDossier | undefined, rows: Float64Array, at: number): void {
    const claimant = dossier && isOnEarth(rows, at) ? this.#claims.resolve(dossier, rows, at) : undefined;
    this.#run();
    const record = claimant && this.#records.get(claimant.track);
    this.#assigned.add(rows[at + OBSERVED.sequence], record?.number ?? 0);
    if (!dossier || !record) return;
    const receivedMs = (rows[at + OBSERVED.receivedS] ?? 0) * 1000;
    creditTo(
      record,
      this.#sensors.get((rows[at + OBSERVED.sensor] ?? -1) | 0),
      receivedMs,
      rows[at + OBSERVED.rssiDbm],
    );
    record.describe(dossier, receivedMs);
    this.#output.news.add(record);
  }

  /** Settles whose claim it is, and holds what it says against what it said before: not of one who is proven. */
  #listen(dossier: ReadDossier, rows: Float64Array, at: number): number {
    const claimant = this.#claims.resolve(dossier, rows, at);
    const heardS = rows[at + OBSERVED.receivedS] ?? 0;
    const { isHeldBack: isHeld, identity } = this.#claims;
    // One report may be garbled: from the second on it is what the transmitter says.
    const counts = !isHeld || claimant.story.strays(heardS) > 1;
    if (counts && !this.#claims.isProven(claimant, heardS))
      this.#listener.hear(claimant.watch, dossier, rows, at, identity);
    if (isHeld) holdBack(rows, at);
    return claimant.index;
  }

  #siteAt(rows: Float64Array, at: number): void {
    if (rows[at + OBSERVED.kind] !== OBSERVED_KIND.position || !isSane(rows, at)) return;
    this.#settle({ latDeg: rows[at + OBSERVED.a] ?? 0, lonDeg: rows[at + OBSERVED.b] ?? 0, altHaeM: 0 });
  }

  /** Gives the tracker what waits; with `nowS`, time passes until then. */
  #run(nowS = Number.NaN): void {
    const waiting = this.#pending;
    this.#pending = null;
    if (!waiting && Number.isNaN(nowS)) return;
    const rows = waiting ? waiting.rows.subarray(waiting.from, waiting.to) : new Float64Array(0);
    const stepped = this.#tracker.step(rows, nowS);
    this.#hearOf(stepped, rows);
    if (!Number.isNaN(nowS)) this.#tellRows(stepped.due, nowS);
  }

  #hearOf(stepped: Stepped, rows: Float64Array): void {
    this.#dueS = stepped.dueS;
    this.#takeAnswers(stepped.answers, rows);
    for (const { claim, from, to } of stepped.partings) this.#part(claim, from, to);
    for (const { number, reason, into } of stepped.ends) this.#end(number, reason, into);
  }

  #tellRows(due: number, nowS: number): void {
    const most = this.#rowsAStep.of(due);
    if (due > 0) this.#tellSome(due, most, nowS);
    else this.#rowsAStep.left(0);
  }

  #tellSome(due: number, most: number, nowS: number): void {
    const urgent = due > most ? urgentOf(this.#records.values()) : new Float64Array(0);
    const told = this.#tracker.report(nowS, urgent, most).slice();
    this.#rowsAStep.left(due - told.length / ROW_WIDTH);
    for (let at = 0; at < told.length; at += ROW_WIDTH) this.#takeRow(told, at);
    this.#output.rows = told;
    this.assessor.moved(told, (number) => this.#records.get(number), this.#rowsAStep.moved);
  }

  #takeAnswers(answers: Float64Array, rows: Float64Array): void {
    for (let at = 0; at < answers.length; at += ANSWER.width) {
      const number = answers[at + ANSWER.number] ?? 0;
      this.#assigned.add(answers[at + ANSWER.sequence], isHeldBack(rows, answers, at) ? -number : number);
      if (number === 0) continue;
      const receivedMs = (answers[at + ANSWER.receivedS] ?? 0) * 1000;
      const record = this.#records.get(number) ?? this.#open(number, receivedMs);
      this.#credit(record, answers, at, rows, receivedMs);
    }
  }

  #credit(record: TrackRecord, answers: Float64Array, at: number, rows: Float64Array, receivedMs: number): void {
    const row = ((answers[at + ANSWER.row] ?? -1) | 0) * OBSERVED_WIDTH;
    const dossier = row < 0 ? undefined : this.#dossiers.get((rows[row + OBSERVED.dossier] ?? -1) | 0);
    const sensor = this.#sensors.get((answers[at + ANSWER.sensor] ?? -1) | 0);
    creditTo(record, sensor, receivedMs, answers[at + ANSWER.rssiDbm], dossier !== undefined);
    if (row < 0) return;
    record.heights(rows[row + OBSERVED.heightTakeoffM] ?? Number.NaN, rows[row + OBSERVED.altAglM] ?? Number.NaN);
    if (!dossier) return;
    record.claim = (rows[row + OBSERVED.claim] ?? -1) | 0;
    record.describe(dossier, receivedMs);
    const claimant = this.#claims.of(record.claim);
    if (claimant) claimant.track = record.number;
  }

  #open(number: number, seenMs: number): TrackRecord {
    const record = new TrackRecord(idOf(this.#seed, number), number, seenMs);
    this.#records.set(number, record);
    return record;
  }

  /** A claim left its track for one of its own: what the track carries of it is not its own. */
  #part(claim: number, from: number, to: number): void {
    const left = this.#records.get(from);
    left?.disown();
    if (left) this.#output.news.add(left);
    const record = this.#records.get(to);
    if (record) record.claim = claim;
  }

  #end(number: number, reason: TrackRemoval['reason'], into: number): void {
    const record = this.#records.get(number);
    if (!record) return;
    const heir = reason === 'merged' ? this.#records.get(into) : undefined;
    if (heir) {
      heir.absorb(record);
      this.#output.news.add(heir);
    } else if (record.claim >= 0) {
      this.#claims.release(record.claim, number);
    }
    this.#records.delete(number);
    this.assessor.forget({ number, reason, ...(heir ? { into: heir.id } : {}) });
    this.#output.news.delete(record);
    this.#output.removed.push({ id: record.id, number, reason, ...(heir ? { into: heir.id } : {}) });
  }

  #takeRow(rows: Float64Array, at: number): void {
    const record = this.#records.get(rows[at + COLUMN.number] ?? 0);
    if (!record) return;
    rows[at + COLUMN.heightTakeoffM] = record.heightTakeoffM;
    rows[at + COLUMN.altAglM] = record.altAglM;
    rows[at + COLUMN.lastSeenMs] = record.lastSeenMs;
    record.tracked.verdict = rows[at + COLUMN.verdict] ?? 0;
    record.tracked.reasons = rows[at + COLUMN.reasons] ?? 0;
    this.#judge(record);
    this.#output.news.add(record);
  }

  /** What sensors hold of its claim and what the claim holds against itself; of one who is proven, only who else uses its name. */
  #judge(record: TrackRecord): void {
    const claimant = record.claim >= 0 ? this.#claims.of(record.claim) : undefined;
    let said = claimant?.watch.holds(this.#nowS, this.#claims.identity) ?? 0;
    record.mark('id_duplicate', (said & DUPLICATE) !== 0);
    if (claimant && said !== 0 && this.#claims.isProven(claimant, this.#nowS)) said &= DUPLICATE;
    record.judge(said, () => verdictOf(record.tracked, claimant?.watch.reasons(said) ?? []));
  }

  /** Marks that fell on a claim fall on its track, and bursts that are over are told. */
  #tellOver(nowMs: number): void {
    const marked = this.#claims.marked;
    const sweep = nowMs - this.#sweptMs >= SWEEP_MS;
    if (!sweep && marked.size === 0) return;
    if (sweep) this.#sweptMs = nowMs;
    for (const record of this.#records.values()) {
      const claimant = record.claim >= 0 ? this.#claims.of(record.claim) : undefined;
      if (claimant && marked.has(claimant)) this.#judge(record);
      const over = nowMs - record.lastSeenMs > BURST_OVER_MS || (claimant && marked.has(claimant));
      if (over && record.isDue(nowMs)) this.#output.news.add(record);
    }
    marked.clear();
  }

  #told(nowMs: number): CoreOutput {
    const { rows, news, removed } = this.#output;
    this.#output = emptyOutput();
    const cards: TrackCard[] = [];
    for (const record of news) {
      if (record.isChanged) this.assessor.described(record);
      record.tell(nowMs, cards, this.#heard);
    }
    const assessment = this.assessor.look(this.#measure, nowMs);
    return {
      nowMs,
      rows,
      cards,
      heard: this.#heard.take(),
      removed,
      assigned: this.#assigned.take(),
      assessment,
      dueMs: Math.min(
        this.#dueS * 1000,
        this.assessor.dueMs,
        this.rowsWait ? nowMs + NEXT_STEP_MS : Number.POSITIVE_INFINITY,
      ),
      offsets: this.#offsets.news(this.#sensors.values(), this.#tracker, nowMs),
    };
  }
}
