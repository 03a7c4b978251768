import { FilterBank, type PositionObservation } from '../geo/filter_bank.ts';
import { LocalFrame } from '../geo/local_frame.ts';
import { idOf } from '../model/ids.ts';
import type { Observation } from '../model/observation.ts';
import type { TrackState } from '../model/track.ts';
import type { CoreOutput, RestoredTrack, TrackRemoval } from '../model/track_row.ts';
import { bindableSlot, fits, hasOwnSerial, jumped, nearestSlot, sameAircraft, transmitterOf } from './association.ts';
import { IdentityIndex } from './identity_index.ts';
import { stateAfterHit, stateAfterSilence } from './life_cycle.ts';
import { type PlacedSensor, positionOf } from './measurement.ts';
import { cardsOf, rowsOf } from './report.ts';
import type { SensorValue, TrackingSettings } from './settings.ts';
import { identityKey, TrackRecord } from './track_record.ts';

/** White-noise acceleration density of the horizontal axes: small multirotors to light aircraft, m²/s³. */
const PROCESS_NOISE = 8;
/** A state is not moved further back than this for a late observation. */
const MAX_LATE_MS = 5_000;
/** Silence is looked at so often. */
const SWEEP_MS = 250;
/** Coasting tracks are told anew so often: their place and their uncertainty move on. */
const COAST_REPORT_MS = 1_000;
/** After so long without a hit, what was counted since the card was last told is told. */
const BURST_OVER_MS = 1_500;

/**
 * The picture's source of truth: observations in, what changed out. Pure: all time comes with the input, ids are made of
 * the seed and a counter, so the same input gives the same output, byte for byte.
 */
export class Core {
  readonly #settings: TrackingSettings;
  readonly #seed: Uint8Array;
  readonly #bank: FilterBank;
  readonly #sensors = new Map<string, PlacedSensor>();
  readonly #tracks = new Map<number, TrackRecord>();
  readonly #bySlot: (TrackRecord | undefined)[] = [];
  readonly #identities = new IdentityIndex();
  #made = 0;
  #lastNumber: number;
  #sweptMs = Number.NEGATIVE_INFINITY;
  #coastedMs = Number.NEGATIVE_INFINITY;
  #changed = new Set<TrackRecord>();
  /** Tracks of which only the card is told: their place is still what it was said to be. */
  readonly #cardsOnly = new Set<TrackRecord>();
  #removed: TrackRemoval[] = [];

  /** `seed` is 8 bytes; `lastNumber` the highest track number given out before. */
  constructor(settings: TrackingSettings, seed: Uint8Array, lastNumber: number) {
    this.#settings = settings;
    this.#seed = seed;
    this.#lastNumber = lastNumber;
    this.#bank = new FilterBank(settings.maxTracks, PROCESS_NOISE);
  }

  setSensors(sensors: readonly SensorValue[]): void {
    this.#sensors.clear();
    for (const sensor of sensors) {
      const { placement } = sensor;
      const frame = placement ? new LocalFrame(placement.latDeg, placement.lonDeg, placement.altHaeM) : null;
      this.#sensors.set(sensor.id, { ...sensor, frame });
    }
  }

  /** Takes back what an earlier run left, as lost; call before the first step. */
  restore(tracks: readonly RestoredTrack[]): void {
    for (const left of tracks) {
      if (this.#tracks.size >= this.#settings.maxTracks) return;
      const track = new TrackRecord(left.id, left.number, left.firstSeenMs);
      track.state = 'lost';
      track.lastSeenMs = left.lastSeenMs;
      for (const heard of left.identities) track.identities.set(identityKey(heard), heard);
      for (const contributor of left.contributors) track.contributors.set(contributor.sensorId, contributor);
      for (const flag of left.flags) track.flags.add(flag);
      track.classification = left.classification;
      track.operator = left.operator;
      track.takeoff = left.takeoff;
      track.status = left.status;
      track.cooperative = left.cooperative !== 'non_coop_only';
      track.sensed = left.cooperative !== 'coop_only';
      this.#tracks.set(track.number, track);
      this.#identities.claim(track);
      this.#lastNumber = Math.max(this.#lastNumber, track.number);
      track.dueCard(left.lastSeenMs);
    }
  }

  /** Takes a batch of observations and the time; returns what changed. An empty batch lets time pass. */
  step(observations: readonly Observation[], nowMs: number): CoreOutput {
    const assigned = new Uint32Array(observations.length);
    observations.forEach((observation, i) => {
      assigned[i] = this.#take(observation)?.number ?? 0;
    });
    if (nowMs - this.#sweptMs >= SWEEP_MS) this.#sweep(nowMs);
    const output = {
      nowMs,
      rows: rowsOf([...this.#changed], this.#bank, nowMs),
      cards: cardsOf(new Set([...this.#changed, ...this.#cardsOnly]), nowMs),
      removed: this.#removed,
      assigned,
    };
    this.#changed = new Set();
    this.#cardsOnly.clear();
    this.#removed = [];
    return output;
  }

  /** Ends a track at a person's word; false where there is none with this number. */
  drop(number: number): boolean {
    const track = this.#tracks.get(number);
    if (!track) return false;
    this.#end(track, 'dropped');
    return true;
  }

  #take(observation: Observation): TrackRecord | null {
    const sensor = this.#sensors.get(observation.sensorId);
    const position = positionOf(observation, sensor);
    const track = this.#trackFor(observation, position);
    if (!track) return null;
    track.hear(observation, sensor);
    if (position) this.#place(track, observation, position);
    this.#identities.claim(track);
    this.#enter(track, stateAfterHit(track, observation.receivedMs, this.#settings));
    this.#changed.add(track);
    return track;
  }

  #trackFor(observation: Observation, position: PositionObservation | null): TrackRecord | null {
    if (observation.identities.length === 0) return this.#anonymousTrack(observation, position);
    const named = this.#identities.find(observation);
    const fitting = named.filter((track) => fits(this.#bank, track, observation, position));
    const [track, ...others] = fitting;
    if (!track) return this.#newIdentity(observation, position, named);
    for (const other of others) this.#compare(other, track, position);
    this.#noticeFlip(track, observation);
    return track;
  }

  /**
   * One observation names two tracks. That alone is only a claim: they are one aircraft where they are in one place and
   * the other carries no serial of its own. A serial that is told under the address of another serial is a false one.
   */
  #compare(other: TrackRecord, track: TrackRecord, position: PositionObservation | null): void {
    if (hasOwnSerial(other, track)) for (const claimant of [other, track]) this.#flag(claimant);
    else if (sameAircraft(this.#bank, other, track, position)) this.#merge(other, track);
  }

  #anonymousTrack(observation: Observation, position: PositionObservation | null): TrackRecord | null {
    if (!position) return null;
    const slot = nearestSlot(this.#bank, position);
    return (slot === null ? undefined : this.#bySlot[slot]) ?? this.#open(observation);
  }

  /** An identity nobody carries yet, or one that `rivals` carry where this observation cannot come from. */
  #newIdentity(
    observation: Observation,
    position: PositionObservation | null,
    rivals: TrackRecord[],
  ): TrackRecord | null {
    if (rivals.length === 0 && position) {
      const slot = bindableSlot(this.#bank, position, (at) => this.#bySlot[at]?.identities.size === 0);
      const anonymous = slot === null ? undefined : this.#bySlot[slot];
      if (anonymous) return anonymous;
    }
    const track = this.#open(observation);
    if (rivals.length > 0) for (const claimant of [...rivals, track]) this.#flag(claimant);
    return track;
  }

  #flag(track: TrackRecord): void {
    track.raise('id_duplicate');
    this.#changed.add(track);
  }

  /** One transmitter that changes its serial is one aircraft with a doubtful identity, not two aircraft. */
  #noticeFlip(track: TrackRecord, observation: Observation): void {
    for (const identity of observation.identities) {
      if (identity.type !== 'serial' || track.identities.has(identityKey(identity))) continue;
      if ([...track.identities.values()].some((heard) => heard.type === 'serial')) track.raise('id_duplicate');
    }
  }

  #place(track: TrackRecord, observation: Observation, position: PositionObservation): void {
    track.transmitter = transmitterOf(observation) ?? track.transmitter;
    if (track.slot === null) {
      track.slot = this.#bank.acquire();
      if (track.slot === null) return;
      this.#bySlot[track.slot] = track;
      this.#bank.begin(track.slot, position);
      return;
    }
    if (position.timeMs < this.#bank.timeMs(track.slot) - MAX_LATE_MS) return;
    if (track.state === 'lost' || jumped(this.#bank, track.slot, position)) this.#bank.begin(track.slot, position);
    else this.#bank.observe(track.slot, position);
  }

  #open(observation: Observation): TrackRecord {
    if (this.#tracks.size >= this.#settings.maxTracks) this.#makeRoom();
    const track = new TrackRecord(idOf(this.#seed, ++this.#made), ++this.#lastNumber, observation.receivedMs);
    this.#tracks.set(track.number, track);
    return track;
  }

  /** The least trusted and longest unheard track makes room: tentative first, then lost, then coasting. */
  #makeRoom(): void {
    const rank: Record<TrackState, number> = { closed: 0, tentative: 1, lost: 2, coasting: 3, confirmed: 4 };
    let victim: TrackRecord | null = null;
    for (const track of this.#tracks.values()) {
      if (!victim || rank[track.state] < rank[victim.state]) victim = track;
      else if (rank[track.state] === rank[victim.state] && track.lastSeenMs < victim.lastSeenMs) victim = track;
    }
    if (victim) this.#end(victim, 'dropped');
  }

  #merge(from: TrackRecord, into: TrackRecord): void {
    for (const heard of from.identities.values()) into.carry(heard);
    this.#end(from, 'merged', into.id);
    into.changed();
  }

  #enter(track: TrackRecord, state: TrackState): void {
    if (state === track.state) return;
    track.state = state;
    this.#changed.add(track);
  }

  #sweep(nowMs: number): void {
    this.#sweptMs = nowMs;
    const coastDue = nowMs - this.#coastedMs >= COAST_REPORT_MS;
    if (coastDue) this.#coastedMs = nowMs;
    for (const track of [...this.#tracks.values()]) {
      this.#enter(track, stateAfterSilence(track, nowMs, this.#settings));
      if (track.state === 'closed') this.#end(track, 'closed');
      else if (coastDue && track.state === 'coasting') this.#changed.add(track);
      else if (nowMs - track.lastSeenMs > BURST_OVER_MS && track.isCardDue(nowMs)) this.#cardsOnly.add(track);
    }
  }

  #end(track: TrackRecord, reason: TrackRemoval['reason'], into?: string): void {
    track.state = 'closed';
    this.#tracks.delete(track.number);
    this.#identities.release(track);
    this.#changed.delete(track);
    this.#cardsOnly.delete(track);
    if (track.slot !== null) {
      this.#bank.release(track.slot);
      this.#bySlot[track.slot] = undefined;
    }
    this.#removed.push({ id: track.id, number: track.number, reason, ...(into === undefined ? {} : { into }) });
  }
}
