import type { Classification, FlightStatus, Observation, Operator, Takeoff } from '../model/observation.ts';
import type { TrackFlag, TrackState } from '../model/track.ts';
import type { Contributor, HeardAs, TrackCard } from '../model/track_row.ts';
import type { SensorValue } from './settings.ts';

const MAX_CONTRIBUTORS = 32;
const MAX_IDENTITIES = 16;
/** Times in a card that alone changed are told at most so often: with every hit of a source that comes once a second. */
const CARD_REFRESH_MS = 900;

/** One track inside the core. Its kinematics live in the filter bank under `slot`; null while nothing placed it. */
export class TrackRecord {
  readonly id: string;
  readonly number: number;
  state: TrackState = 'tentative';
  slot: number | null = null;
  readonly identities = new Map<string, HeardAs>();
  readonly contributors = new Map<string, Contributor>();
  readonly flags = new Set<TrackFlag>();
  classification: Classification[] = [];
  operator: Operator | null = null;
  takeoff: Takeoff | null = null;
  status: FlightStatus | null = null;
  heightTakeoffM = Number.NaN;
  altAglM = Number.NaN;
  cooperative = false;
  sensed = false;
  /** The transmitter address that last gave a position: a jump to another is a second transmitter. */
  transmitter: string | null = null;
  readonly firstSeenMs: number;
  lastSeenMs: number;
  /** Arrival times of the hits that may yet confirm a tentative track. */
  hits: number[] = [];
  #cardDirty = true;
  #cardStale = false;
  #cardSentMs = Number.NEGATIVE_INFINITY;

  constructor(id: string, number: number, seenMs: number) {
    this.id = id;
    this.number = number;
    this.firstSeenMs = seenMs;
    this.lastSeenMs = seenMs;
  }

  /** Something of the card changed that is to be told at once. */
  changed(): void {
    this.#cardDirty = true;
  }

  raise(flag: TrackFlag): void {
    if (this.flags.has(flag)) return;
    this.flags.add(flag);
    this.changed();
  }

  /** Takes over who saw it and what it says of itself. */
  hear(observation: Observation, sensor: SensorValue | undefined): void {
    this.lastSeenMs = Math.max(this.lastSeenMs, observation.receivedMs);
    this.#contribute(observation);
    this.#identify(observation);
    this.#describe(observation);
    const cooperative = sensor?.cooperative ?? observation.identities.length > 0;
    if (cooperative ? !this.cooperative : !this.sensed) this.changed();
    if (cooperative) this.cooperative = true;
    else this.sensed = true;
    this.#cardStale = true;
  }

  #contribute(o: Observation): void {
    const known = this.contributors.get(o.sensorId);
    if (known) {
      known.lastMs = o.receivedMs;
      known.hits++;
      known.rssiDbm = o.rssiDbm ?? known.rssiDbm;
      return;
    }
    if (this.contributors.size >= MAX_CONTRIBUTORS) this.contributors.delete(oldest(this.contributors));
    this.contributors.set(o.sensorId, { sensorId: o.sensorId, lastMs: o.receivedMs, hits: 1, rssiDbm: o.rssiDbm });
    this.changed();
  }

  #identify(o: Observation): void {
    for (const identity of o.identities) {
      const key = identityKey(identity);
      const known = this.identities.get(key);
      if (known) {
        known.lastMs = o.receivedMs;
        known.transport = identity.transport;
        continue;
      }
      this.carry({ ...identity, firstMs: o.receivedMs, lastMs: o.receivedMs });
    }
  }

  /** Takes on an identity it does not carry yet; the longest unheard makes room. */
  carry(heard: HeardAs): void {
    const key = identityKey(heard);
    if (this.identities.has(key)) return;
    if (this.identities.size >= MAX_IDENTITIES) this.identities.delete(oldest(this.identities));
    this.identities.set(key, heard);
    this.changed();
  }

  #describe(o: Observation): void {
    if (o.heightTakeoffM !== null) this.heightTakeoffM = o.heightTakeoffM;
    if (o.altAglM !== null) this.altAglM = o.altAglM;
    if (o.operator && !sameJson(o.operator, this.operator)) this.#set(() => (this.operator = o.operator));
    if (o.takeoff && !sameJson(o.takeoff, this.takeoff)) this.#set(() => (this.takeoff = o.takeoff));
    if (o.classification.length > 0 && !sameJson(o.classification, this.classification))
      this.#set(() => (this.classification = o.classification));
    if (o.status !== null && o.status !== this.status) this.#set(() => (this.status = o.status));
    if (o.status === 'emergency') this.raise('emergency');
    else if (o.status !== null && this.flags.delete('emergency')) this.changed();
  }

  #set(assign: () => void): void {
    assign();
    this.changed();
  }

  isCardDue(nowMs: number): boolean {
    return this.#cardDirty || (this.#cardStale && nowMs - this.#cardSentMs >= CARD_REFRESH_MS);
  }

  /** The card where it is due: at once after a change, once a second where only times moved on; else null. */
  dueCard(nowMs: number): TrackCard | null {
    if (!this.isCardDue(nowMs)) return null;
    this.#cardDirty = false;
    this.#cardStale = false;
    this.#cardSentMs = nowMs;
    return this.card();
  }

  card(): TrackCard {
    return {
      id: this.id,
      number: this.number,
      identities: [...this.identities.values()].map((heard) => ({ ...heard })),
      classification: this.classification,
      cooperative: this.sensed ? (this.cooperative ? 'both' : 'non_coop_only') : 'coop_only',
      operator: this.operator,
      takeoff: this.takeoff,
      status: this.status,
      contributors: [...this.contributors.values()].map((contributor) => ({ ...contributor })),
      flags: [...this.flags],
      firstSeenMs: this.firstSeenMs,
    };
  }
}

export function identityKey(identity: { type: string; value: string }): string {
  return `${identity.type}:${identity.value}`;
}

function oldest<T extends { lastMs: number }>(entries: Map<string, T>): string {
  let key = '';
  let ms = Number.POSITIVE_INFINITY;
  for (const [candidate, entry] of entries) if (entry.lastMs < ms) [key, ms] = [candidate, entry.lastMs];
  return key;
}

function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
