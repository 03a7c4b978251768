import { idOf } from '../model/ids.ts';
import { RECEIVED_WIDTH } from '../model/received_row.ts';
import { ANSWER, LIMIT, OBSERVED, SUSPECT_REASON, TRACK } from '../model/rows/layouts.ts';
import { type CoreOutput, ROW_WIDTH, type TrackCard, type TrackRemoval, verdictCodes } from '../model/track_row.ts';
import type { IdentityMap } from './identity/identity_map.ts';
import { DUPLICATE } from './integrity/claim_watch.ts';
import type { ReadDossier } from './integrity/dossier.ts';
import { type Tracked, verdictOf } from './integrity/verdict.ts';
import { isHeldBack, isHeldRow } from './tracking/held_back.ts';
import { PackedRows } from './tracking/packed_rows.ts';
import type { SensorSite } from './tracking/sensor_site.ts';
import type { Stepped } from './tracking/tracker.ts';
import { TrackRecord } from './tracks/track_record.ts';

/** Unpublished receptions of a track are published once the track has had no report for this time, ms. */
const BURST_OVER_MS = 1_500;
const SWEEP_MS = 250;

/** End of a track. `into` is the id of the track it was merged into; absent otherwise. */
export type Ending = Pick<TrackRemoval, 'number' | 'reason' | 'into'>;

/**
 * Descriptions of all tracks: identities, receptions and verdicts. The tracker holds the states of motion. Applies the
 * answers of the tracker batch by batch, and collects changes until the caller takes them.
 */
export class TrackRecords {
  readonly #seed: Uint8Array;
  readonly #claims: IdentityMap;
  readonly #sensors: SensorSite;
  readonly #ended: (ending: Ending) => void;
  readonly #records = new ByTrack<TrackRecord>();
  #news = new Set<TrackRecord>();
  #removed: TrackRemoval[] = [];
  readonly #received = new PackedRows(RECEIVED_WIDTH);
  /** Pairs of an observation's sequence number and its track number. */
  readonly #assigned = new PackedRows(2);
  /** Dossiers of plots whose track the tracker has not reported yet, by the observation's sequence number. */
  readonly #expected = new Map<number, ReadDossier>();
  #sweptMs = Number.NEGATIVE_INFINITY;

  /** `seed` has 8 bytes, from which track ids derive. `ended` is called when a track ends. */
  constructor(seed: Uint8Array, claims: IdentityMap, sensors: SensorSite, ended: (ending: Ending) => void) {
    this.#seed = seed;
    this.#claims = claims;
    this.#sensors = sensors;
    this.#ended = ended;
  }

  get(number: number): TrackRecord | undefined {
    return this.#records.get(number);
  }

  restore(record: TrackRecord): void {
    this.#records.set(record.number, record);
  }

  /** Publishes the end of a track from an earlier run that the tracker did not restore. */
  refuse({ id, number }: { id: string; number: number }): void {
    this.#removed.push({ id, number, reason: 'dropped' });
  }

  /** Clears the values that tracks received from the claim. */
  disown(claim: number): void {
    for (const record of this.#records.values()) if (record.claim === claim) record.disown();
  }

  /** Records the track number of an observation: 0 for no track, negative if the position was held back. */
  assign(sequence = 0, number = 0): void {
    const at = this.#assigned.add();
    this.#assigned.values[at] = sequence;
    this.#assigned.values[at + 1] = number;
  }

  /** Stores the dossier of a plot. The tracker assigns the plot when its scan is complete, often in a later step. */
  expect(sequence = 0, dossier: ReadDossier): void {
    this.#expected.set(sequence, dossier);
    const [oldest] = this.#expected.keys();
    if (this.#expected.size > LIMIT.pendingPlots && oldest !== undefined) this.#expected.delete(oldest);
  }

  /**
   * Credits a sensor with a report of a track. `speaks` states whether the report was a claim. It is used only if the
   * sensor is unknown; a known sensor is declared as cooperative or not.
   */
  credit(
    record: TrackRecord,
    sensorIndex: number | undefined,
    receivedMs: number,
    rssiDbm = Number.NaN,
    speaks = true,
  ): void {
    const sensor = this.#sensors.get((sensorIndex ?? -1) | 0);
    const rssi = Number.isNaN(rssiDbm) ? null : rssiDbm;
    const cooperative = sensor?.cooperative ?? speaks;
    record.receive(sensor?.id ?? '', cooperative, receivedMs, rssi);
    if (cooperative && !sensor?.fused) record.reportsItself = true;
  }

  /** Credits another receiver with a report that was already counted. */
  creditRepeat(record: TrackRecord, sensorIndex: number | undefined, receivedMs: number, rssiDbm?: number): void {
    this.credit(record, sensorIndex, receivedMs, rssiDbm);
    this.#news.add(record);
  }

  /** Applies the tracker's decisions about the observations in `rows`. */
  follow(stepped: Stepped, rows: Float64Array, dossiers: ReadonlyMap<number, ReadDossier>): void {
    const { answers } = stepped;
    for (let at = 0; at < answers.length; at += ANSWER.width) this.#takeAnswer(answers, at, rows, dossiers);
    for (const { claim, from, to } of stepped.partings) this.#part(claim, from, to);
    for (const { number, reason, into } of stepped.ends) this.#end(number, reason, into);
  }

  #takeAnswer(answers: Float64Array, at: number, rows: Float64Array, dossiers: ReadonlyMap<number, ReadDossier>): void {
    const number = answers[at + ANSWER.number] ?? 0;
    this.assign(answers[at + ANSWER.sequence], isHeldBack(rows, answers, at) ? -number : number);
    const annotation = this.#takeExpected(answers[at + ANSWER.sequence] ?? 0);
    if (number === 0) return;
    const receivedMs = (answers[at + ANSWER.receivedS] ?? 0) * 1000;
    const record = this.get(number) ?? this.#open(number, receivedMs);
    const row = ((answers[at + ANSWER.row] ?? -1) | 0) * OBSERVED.width;
    const dossier = row < 0 ? undefined : dossiers.get((rows[row + OBSERVED.dossier] ?? -1) | 0);
    const claims = row >= 0 && (rows[row + OBSERVED.claim] ?? -1) >= 0;
    this.credit(record, answers[at + ANSWER.sensor], receivedMs, answers[at + ANSWER.rssiDbm], claims);
    if (annotation && !claims) record.annotate(annotation, receivedMs);
    if (row < 0) return;
    const takeoffM = rows[row + OBSERVED.heightTakeoffM] ?? Number.NaN;
    record.heights(takeoffM, rows[row + OBSERVED.altAglM] ?? Number.NaN, receivedMs);
    if (!dossier || !claims) return;
    record.claim = (rows[row + OBSERVED.claim] ?? -1) | 0;
    if (!isHeldRow(rows, row)) record.describe(dossier, receivedMs);
    const claimant = this.#claims.of(record.claim);
    if (claimant) claimant.track = record.number;
  }

  #takeExpected(sequence: number): ReadDossier | undefined {
    const dossier = this.#expected.size > 0 ? this.#expected.get(sequence) : undefined;
    if (dossier) this.#expected.delete(sequence);
    return dossier;
  }

  #open(number: number, seenMs: number): TrackRecord {
    const record = new TrackRecord(idOf(this.#seed, number), number, seenMs);
    this.#records.set(number, record);
    return record;
  }

  /** Handles a claim that moved from track `from` to track `to`: the old track loses the claim's identities. */
  #part(claim: number, from: number, to: number): void {
    const left = this.get(from);
    left?.disown();
    if (left) this.#news.add(left);
    const record = this.get(to);
    if (!record) return;
    record.claim = claim;
    const claimant = this.#claims.of(claim);
    if (claimant) claimant.track = to;
  }

  #end(number: number, reason: TrackRemoval['reason'], into: number): void {
    const record = this.get(number);
    if (!record) return;
    const heir = reason === 'merged' ? this.get(into) : undefined;
    if (heir) {
      heir.absorb(record);
      this.#news.add(heir);
    } else if (record.claim >= 0) {
      this.#claims.release(record.claim, number);
    }
    this.#records.delete(number);
    const ending = { number, reason, ...(heir ? { into: heir.id } : {}) };
    this.#ended(ending);
    this.#news.delete(record);
    this.#removed.push({ id: record.id, ...ending });
  }

  /**
   * Adds the values that aircraft report to the rows of the tracker. Updates the verdicts on claims for the time
   * `nowS`, s.
   */
  takeRows(rows: Float64Array, nowS: number): void {
    for (let at = 0; at < rows.length; at += ROW_WIDTH) {
      const record = this.get(rows[at + TRACK.number] ?? 0);
      if (!record) continue;
      rows[at + TRACK.heightTakeoffM] = record.heightTakeoffM;
      rows[at + TRACK.altAglM] = record.altAglM;
      rows[at + TRACK.lastSeenMs] = record.lastSeenMs;
      record.tracked.verdict = rows[at + TRACK.verdict] ?? 0;
      record.tracked.reasons = rows[at + TRACK.reasons] ?? 0;
      if (!record.reportsItself) forgiveMisses(record.tracked);
      this.#judge(record, nowS);
      this.#news.add(record);
    }
  }

  /**
   * Updates the verdict on the claim of a track. For a proven vehicle, the contradictions in its own reports do not
   * count, except a duplicate identity.
   */
  #judge(record: TrackRecord, nowS: number): void {
    const claimant = record.claim >= 0 ? this.#claims.of(record.claim) : undefined;
    let said = claimant?.watch.holds(nowS, this.#claims.identity) ?? 0;
    record.mark('id_duplicate', (said & DUPLICATE) !== 0);
    if (claimant && said !== 0 && this.#claims.isProven(claimant, nowS)) said &= DUPLICATE;
    record.judge(said, () => verdictOf(record.tracked, claimant?.watch.reasons(said) ?? []));
  }

  /**
   * Updates the verdicts of tracks whose claims were marked as duplicates. Collects tracks whose unpublished changes
   * are due.
   */
  sweep(nowMs: number): void {
    const { marked } = this.#claims;
    const sweep = nowMs - this.#sweptMs >= SWEEP_MS;
    if (!sweep && marked.size === 0) return;
    if (sweep) {
      this.#sweptMs = nowMs;
      this.#claims.forgetSilent(nowMs / 1000, (number) => this.#records.has(number));
    }
    for (const record of this.#records.values()) {
      const claimant = record.claim >= 0 ? this.#claims.of(record.claim) : undefined;
      const isMarked = claimant !== undefined && marked.has(claimant);
      if (isMarked) this.#judge(record, nowMs / 1000);
      if (sweep && record.settleStatus(nowMs)) this.#news.add(record);
      if ((isMarked || nowMs - record.lastSeenMs > BURST_OVER_MS) && record.isDue(nowMs)) this.#news.add(record);
    }
    marked.clear();
  }

  /**
   * Returns the numbers of tracks that are new or whose description changed, ascending. Their rows are published first.
   */
  urgent(): Float64Array {
    const numbers: number[] = [];
    for (const record of this.#records.values()) if (record.isChanged) numbers.push(record.number);
    return Float64Array.from(numbers).sort();
  }

  /**
   * Returns the changes since the last call and removes them. Calls `described` for each track whose description
   * changed.
   */
  takeNews(
    nowMs: number,
    described: (record: TrackRecord) => void,
  ): Pick<CoreOutput, 'cards' | 'received' | 'removed' | 'assigned'> {
    const [news, removed] = [this.#news, this.#removed];
    [this.#news, this.#removed] = [new Set(), []];
    const cards: TrackCard[] = [];
    for (const record of news) {
      if (record.isChanged) described(record);
      record.publish(nowMs, cards, this.#received);
    }
    return { cards, received: this.#received.take(), removed, assigned: this.#assigned.take() };
  }
}

/**
 * Removes the reason `not_seen_by_sensor` from a track that does not report itself: the claim is another system's. That
 * system may see farther than the own sensors, and its errors are not the aircraft's.
 */
function forgiveMisses(tracked: Tracked): void {
  if ((tracked.reasons & SUSPECT_REASON.notSeenBySensor) === 0) return;
  tracked.reasons &= ~SUSPECT_REASON.notSeenBySensor;
  if (tracked.reasons === 0) tracked.verdict = verdictCodes.indexOf('unchecked');
}

/**
 * Map with track numbers as keys. The doubles of a row are converted to 32-bit integers, which V8 finds many times
 * faster as keys.
 */
export class ByTrack<T> {
  readonly #entries = new Map<number, T>();

  get(number: number): T | undefined {
    return this.#entries.get(number | 0);
  }

  has(number: number): boolean {
    return this.#entries.has(number | 0);
  }

  set(number: number, value: T): void {
    this.#entries.set(number | 0, value);
  }

  delete(number: number): void {
    this.#entries.delete(number | 0);
  }

  values(): IterableIterator<T> {
    return this.#entries.values();
  }
}
