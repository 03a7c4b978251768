import type { Classification, FlightStatus, Identity, Operator, Takeoff } from '../../model/observation.ts';
import type { Dossier } from '../../model/observation_row.ts';
import { RECEIVED, RECEIVED_LIST } from '../../model/received_row.ts';
import { sameJson } from '../../model/same_json.ts';
import type { TrackFlag } from '../../model/track.ts';
import type { Integrity, ReceivedAs, RestoredTrack, TrackCard } from '../../model/track_row.ts';
import { externalNameOf, identityKey, isGiven } from '../integrity/dossier.ts';
import { type Tracked, unchecked } from '../integrity/verdict.ts';
import type { PackedRows } from '../tracking/packed_rows.ts';
import { Contributors } from './contributors.ts';
import { ForeignClaims } from './foreign_claims.ts';
import { HeldStatus, isAlarm } from './held_status.ts';
import { Lineages } from './lineages.ts';

const MAX_IDENTITIES = 16;
/** Least interval between published reception times, ms: below 1 s, so that reports at 1 Hz are all published. */
const RECEIVED_EVERY_MS = 900;
/**
 * Greatest age of a reported height at the last report of the track, ms. An aircraft that reports every 5 s keeps its
 * height if one report is lost. An older height may be wrong by a whole climb or descent.
 */
const HEIGHT_HOLDS_MS = 12_000;

/** Everything known about one track besides its motion: its sensors, its own reports, and their integrity. */
export class TrackRecord {
  readonly id: string;
  readonly number: number;
  /** Identities by type, value and transport: an aircraft may send one over several radios. */
  readonly identities = new Map<string, ReceivedAs>();
  #contributors = new Contributors();
  readonly flags = new Set<TrackFlag>();
  classification: Classification[] = [];
  operator: Operator | null = null;
  takeoff: Takeoff | null = null;
  status: FlightStatus | null = null;
  #held = new HeldStatus();
  #foreign = new ForeignClaims();
  #lineages = new Lineages();
  /** Whether the autopilot last reported, over an authenticated link, that the aircraft is on the ground. */
  landed = false;
  heightTakeoffM = Number.NaN;
  altAglM = Number.NaN;
  /** World times of the last reports with a height above take-off and above ground, ms. */
  #takeoffMs = Number.NaN;
  #aglMs = Number.NaN;
  cooperative = false;
  sensed = false;
  /** Whether the aircraft sends reports. (`cooperative` is true even of a track that only another system reports.) */
  reportsItself = false;
  integrity: Integrity = unchecked;
  /** The tracker's verdict on the claim of this track. */
  readonly tracked: Tracked = { verdict: 0, reasons: 0 };
  /** Index of the claim that is bound to this track; −1 for none. */
  claim = -1;
  // The initial value is NaN: if a field was once undefined, V8 allocates a new object at each assignment of a number
  // to it.
  firstSeenMs = Number.NaN;
  lastSeenMs = Number.NaN;
  #dossier: Dossier | null = null;
  #holds = 0;
  /** Entries of `identities` that the last dossier (reported values of one transmitter) contains. */
  #spoken: ReceivedAs[] = [];
  #cardPublished = false;
  #cardDirty = true;
  #received = false;
  #publishedMs = Number.NEGATIVE_INFINITY;

  constructor(id: string, number: number, seenMs: number) {
    this.id = id;
    // A number below 2³¹ is stored as a small integer of V8, since maps of tracks have it as their key.
    this.number = number < 2 ** 31 ? number | 0 : number;
    this.firstSeenMs = seenMs;
    this.lastSeenMs = seenMs;
  }

  /** Restores the record of an earlier run's track. Clients already have it, and the next report publishes it again. */
  static of(left: RestoredTrack, claim: number): TrackRecord {
    const record = new TrackRecord(left.id, left.number, left.firstSeenMs);
    record.lastSeenMs = left.lastSeenMs;
    for (const received of left.identities) record.identities.set(receivedKey(received), received);
    record.#contributors = Contributors.of(left.contributors);
    for (const flag of left.flags) record.flags.add(flag);
    record.classification = left.classification;
    record.operator = left.operator;
    record.takeoff = left.takeoff;
    record.status = left.status;
    record.#held = new HeldStatus(left.status);
    record.#foreign = ForeignClaims.of(left.claims);
    record.#lineages = Lineages.of(left.lineage);
    record.cooperative = left.cooperative !== 'non_coop_only';
    record.sensed = left.cooperative !== 'coop_only';
    record.reportsItself = left.identities.some((identity) => !isGiven(identity));
    record.claim = claim;
    record.#published(left.lastSeenMs);
    return record;
  }

  /** Marks the description as changed: the next `publish` sends it. */
  changed(): void {
    this.#cardDirty = true;
  }

  raise(flag: TrackFlag): void {
    if (this.flags.has(flag)) return;
    this.flags.add(flag);
    this.changed();
  }

  /** Sets the flag if its condition `holds`, else clears it. */
  mark(flag: TrackFlag, holds: boolean): void {
    if (holds) this.raise(flag);
    else if (this.flags.size > 0 && this.flags.delete(flag)) this.changed();
  }

  /** Notes a report of the track, by a sensor or by the aircraft itself. */
  receive(sensorId: string, cooperative: boolean, receivedMs: number, rssiDbm: number | null): void {
    this.lastSeenMs = Math.max(this.lastSeenMs, receivedMs);
    this.#forgetHeights();
    if (this.#contributors.receive(sensorId, receivedMs, rssiDbm)) this.changed();
    if (cooperative ? !this.cooperative : !this.sensed) this.changed();
    if (cooperative) this.cooperative = true;
    else this.sensed = true;
    this.#received = true;
  }

  /**
   * Sets the reported heights above take-off and above ground, m. NaN keeps the previous value until `HEIGHT_HOLDS_MS`
   * later, because some reports of an aircraft have no height.
   */
  heights(takeoffM: number, aglM: number, receivedMs: number): void {
    if (!Number.isNaN(takeoffM)) {
      this.heightTakeoffM = takeoffM;
      this.#takeoffMs = receivedMs;
    }
    if (Number.isNaN(aglM)) return;
    this.altAglM = aglM;
    this.#aglMs = receivedMs;
  }

  /**
   * Forgets the heights that are too old for the last report of the track. Without a report they stay, because the
   * position is as old as they are.
   */
  #forgetHeights(): void {
    if (this.lastSeenMs - this.#takeoffMs > HEIGHT_HOLDS_MS) this.heightTakeoffM = this.#takeoffMs = Number.NaN;
    if (this.lastSeenMs - this.#aglMs > HEIGHT_HOLDS_MS) this.altAglM = this.#aglMs = Number.NaN;
  }

  /** Takes over the values of a report that belongs to the claim of the track. */
  describe(dossier: Dossier, receivedMs: number): void {
    if (dossier === this.#dossier) {
      // A loop by index: at thousands of reports a second, iterators would create much garbage.
      for (let i = 0; i < this.#spoken.length; i++) {
        const known = this.#spoken[i];
        if (known && known.lastMs < receivedMs) known.lastMs = receivedMs;
      }
      if (dossier.status !== null) this.#receiveStatus(dossier.status, receivedMs);
      return;
    }
    this.#dossier = dossier;
    this.#identify(dossier, receivedMs);
    const { operator, takeoff, classification } = dossier;
    if (operator && !sameJson(operator, this.operator)) this.#set(() => (this.operator = operator));
    if (takeoff && !sameJson(takeoff, this.takeoff)) this.#set(() => (this.takeoff = takeoff));
    if (classification.length > 0 && !sameJson(classification, this.classification))
      this.#set(() => (this.classification = [...classification]));
    this.landed = dossier.landed ?? this.landed;
    if (dossier.claim && this.#foreign.take(dossier.claim, externalNameOf(dossier), receivedMs)) this.changed();
    this.#trace(dossier, receivedMs);
    if (dossier.status !== null) this.#receiveStatus(dossier.status, receivedMs);
  }

  #trace({ lineage }: Dossier, receivedMs: number): void {
    if (lineage && this.#lineages.take(lineage, receivedMs)) this.changed();
  }

  /**
   * Takes over identities and classification from a sensor's plot. A classification by the aircraft itself has
   * precedence, because the plot may be of another object beside it.
   */
  annotate(dossier: Dossier, receivedMs: number): void {
    const { identities, classification } = dossier;
    this.#trace(dossier, receivedMs);
    for (const identity of identities) {
      const known = this.identities.get(receivedKey(identity));
      if (known) known.lastMs = Math.max(known.lastMs, receivedMs);
      else this.carry({ firstMs: receivedMs, lastMs: receivedMs, ...identity });
    }
    if (this.reportsItself || classification.length === 0 || sameJson(classification, this.classification)) return;
    this.#set(() => (this.classification = [...classification]));
  }

  #receiveStatus(status: FlightStatus, receivedMs: number): void {
    this.#held.receive(status, receivedMs);
    this.settleStatus(receivedMs);
  }

  /** Whether exactly one of `status` and the last status is an alarm; false if either is null. */
  deniesAlarm(status: FlightStatus | null): boolean {
    const { last } = this.#held;
    return status !== null && last !== null && isAlarm(status) !== isAlarm(last);
  }

  /**
   * Updates the status, because an emergency ends some time after its last report. Returns whether the status changed.
   */
  settleStatus(nowMs: number): boolean {
    const status = this.#held.at(nowMs);
    if (status === this.status) return false;
    this.#set(() => (this.status = status));
    this.mark('emergency', status === 'emergency');
    return true;
  }

  #identify(dossier: Dossier, receivedMs: number): void {
    this.#spoken = [];
    for (const identity of dossier.identities) {
      const known = this.identities.get(receivedKey(identity));
      if (known) known.lastMs = Math.max(known.lastMs, receivedMs);
      else this.carry({ firstMs: receivedMs, lastMs: receivedMs, ...identity });
      if (identity.type === 'external') this.#prove(identity, dossier.claim?.fromProven === true);
    }
    for (const identity of dossier.identities) {
      const known = this.identities.get(receivedKey(identity));
      if (known) this.#spoken.push(known);
    }
  }

  /** Records whether an external number comes from a proven sender: only then may the number identify an asset. */
  #prove(identity: Identity, isProven: boolean): void {
    const known = this.identities.get(receivedKey(identity));
    if (!known || (known.isProven === true) === isProven) return;
    known.isProven = isProven;
    this.changed();
  }

  /** Clears the values taken from a claim that turned out to be another aircraft's. */
  disown(): void {
    this.identities.clear();
    this.operator = null;
    this.takeoff = null;
    this.classification = [];
    this.status = null;
    this.#held = new HeldStatus();
    this.#foreign.clear();
    this.#lineages.clear();
    this.landed = false;
    this.heightTakeoffM = this.#takeoffMs = Number.NaN;
    this.altAglM = this.#aglMs = Number.NaN;
    this.flags.delete('emergency');
    this.cooperative = false;
    this.reportsItself = false;
    this.claim = -1;
    this.#dossier = null;
    this.#spoken = [];
    this.raise('inconsistent_sources');
    this.changed();
  }

  /** Merges the record of a track that turned out to be the same aircraft. */
  absorb(other: TrackRecord): void {
    for (const identity of other.identities.values()) this.carry(identity);
    this.#contributors.absorb(other.#contributors);
    this.operator ??= other.operator;
    this.takeoff ??= other.takeoff;
    this.#held.absorb(other.#held);
    this.#foreign.absorb(other.#foreign);
    this.#lineages.absorb(other.#lineages);
    this.status ??= other.status;
    if (this.classification.length === 0) this.classification = other.classification;
    for (const flag of other.flags) this.flags.add(flag);
    this.cooperative ||= other.cooperative;
    this.sensed ||= other.sensed;
    this.reportsItself ||= other.reportsItself;
    this.firstSeenMs = Math.min(this.firstSeenMs, other.firstSeenMs);
    this.lastSeenMs = Math.max(this.lastSeenMs, other.lastSeenMs);
    if (this.claim < 0) this.claim = other.claim;
    this.changed();
  }

  /**
   * Updates the integrity from `tracked` and `said`. `said` has one bit for each contradiction within the claim's own
   * reports.
   */
  judge(said: number, inWords: () => Integrity): void {
    const holds = this.tracked.verdict + 4 * this.tracked.reasons + 64 * said;
    if (holds === this.#holds) return;
    this.#holds = holds;
    this.integrity = inWords();
    this.changed();
  }

  /** Adds an identity unless it is known. At `MAX_IDENTITIES` the one received longest ago is dropped. */
  carry(identity: ReceivedAs): void {
    const key = receivedKey(identity);
    if (this.identities.has(key)) return;
    if (this.identities.size >= MAX_IDENTITIES) this.identities.delete(oldest(this.identities));
    this.identities.set(key, identity);
    if (!isGiven(identity)) this.#putGivenLast();
    this.changed();
  }

  /** Moves identities from other systems behind those of the aircraft, because readers take the first as the best. */
  #putGivenLast(): void {
    for (const [key, identity] of [...this.identities]) {
      if (!isGiven(identity)) continue;
      this.identities.delete(key);
      this.identities.set(key, identity);
    }
  }

  #set(assign: () => void): void {
    assign();
    this.changed();
  }

  /** Whether the description differs from the published one. */
  get isChanged(): boolean {
    return this.#cardDirty;
  }

  isDue(nowMs: number): boolean {
    return this.#cardDirty || (this.#received && nowMs - this.#publishedMs >= RECEIVED_EVERY_MS);
  }

  /**
   * Publishes a changed description at once. If it did not change, publishes reception times about once a second, as
   * packed rows. A row refers to an entry of the last published description by index, since entries change only with a
   * new description.
   */
  publish(nowMs: number, cards: TrackCard[], received: PackedRows): void {
    if (!this.isDue(nowMs)) return;
    if (this.#cardDirty || !this.#cardPublished) {
      this.#cardPublished = true;
      cards.push(this.card());
    } else {
      this.#packReceived(received);
    }
    this.#published(nowMs);
  }

  #published(nowMs: number): void {
    this.#cardDirty = false;
    this.#received = false;
    this.#publishedMs = nowMs;
  }

  #packReceived(received: PackedRows): void {
    let place = 0;
    for (const { lastMs, hits, rssiDbm } of this.#contributors.list()) {
      const at = this.#beginRow(received, RECEIVED_LIST.contributors, place++, lastMs);
      received.values[at + RECEIVED.hits] = hits;
      received.values[at + RECEIVED.rssiDbm] = rssiDbm ?? Number.NaN;
    }
    place = 0;
    for (const { lastMs } of this.identities.values())
      this.#beginRow(received, RECEIVED_LIST.identities, place++, lastMs);
  }

  #beginRow(received: PackedRows, list: number, place: number, lastMs: number): number {
    const at = received.add();
    const { values } = received;
    values[at + RECEIVED.number] = this.number;
    values[at + RECEIVED.list] = list;
    values[at + RECEIVED.place] = place;
    values[at + RECEIVED.lastMs] = lastMs;
    return at;
  }

  card(): TrackCard {
    return {
      id: this.id,
      number: this.number,
      identities: [...this.identities.values()].map((identity) => ({ ...identity })),
      classification: this.classification,
      cooperative: this.sensed ? (this.cooperative ? 'both' : 'non_coop_only') : 'coop_only',
      operator: this.operator,
      takeoff: this.takeoff,
      status: this.status,
      contributors: this.#contributors.list().map((contributor) => ({ ...contributor })),
      claims: this.#foreign.list(),
      lineage: this.#lineages.list(),
      flags: [...this.flags],
      integrity: this.integrity,
      firstSeenMs: this.firstSeenMs,
    };
  }
}

function oldest<T extends { lastMs: number }>(entries: Map<string, T>): string {
  let key = '';
  let ms = Number.POSITIVE_INFINITY;
  for (const [candidate, entry] of entries) if (entry.lastMs < ms) [key, ms] = [candidate, entry.lastMs];
  return key;
}

function receivedKey(identity: { type: string; value: string; transport: string }): string {
  return `${identityKey(identity)} ${identity.transport}`;
}
