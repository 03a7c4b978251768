import type { Affiliator, Decision } from '../model/affiliation.ts';
import type { Alert, AlertKind } from '../model/alert.ts';
import type { Assessment } from '../model/assessment.ts';
import type { EventBody, EventKind, LogEvent } from '../model/event.ts';
import { hearInto } from '../model/heard_row.ts';
import type { Picture } from '../model/picture.ts';
import { leastAutonomy } from '../model/posture.ts';
import type { Provenance, Track } from '../model/track.ts';
import { COLUMN, type CoreOutput, ROW_WIDTH, type TrackCard } from '../model/track_row.ts';
import { Actions } from './actions.ts';
import { judge, moveTo, withMark } from './claimed.ts';
import { countsOf } from './counts.ts';
import { compose, type Entry, entryOf, note, told } from './entry.ts';
import { Listed } from './listed.ts';
import type { Announced, PicturePolicy, PictureRim, PictureSettings } from './rim.ts';
import { Threats } from './threats.ts';
import { cardFields, kinematicFields, stateOfRow, undecidedFields, unplacedRow } from './track_document.ts';

/** One numbered change. `object` names what it is about, so that a blocked client's pending changes can be merged. */
export type PictureEvent = {
  [K in EventKind]: { seq: number; at: string; kind: K; object: string; body: EventBody<K> };
}[EventKind];

/** A change before it is told. */
export type PictureChange = { [K in EventKind]: { kind: K; object: string; body: EventBody<K> } }[EventKind];

/** A picture says of itself what it shows, whatever else is shown beside it: `sim` tells that. */
const modeOf: Record<Provenance, Picture['mode']> = { live: 'live', simulated: 'sim', replayed: 'replay' };

/**
 * The current state of one world, and its changes as numbered deltas. New tracks, changes of state and ends are told at
 * the next flush; updates of one track are gathered so that it is told `trackHz` times a second at most, the first
 * change after a pause at once. Numbers are given after gathering: a client that applies every event to the snapshot
 * holds what `snapshot()` returns.
 */
export class PictureState {
  readonly epoch: string;
  readonly #settings: PictureSettings;
  readonly #rim: PictureRim;
  readonly #tracks = new Map<number, Entry>();
  readonly #byId = new Map<string, Entry>();
  readonly listed: Listed;
  readonly actions: Actions;
  readonly threats: Threats;
  readonly #changed = new Set<Entry>();
  readonly #unjudged = new Set<Entry>();
  #policy: PicturePolicy = { posture: 'normal', autonomy: 'off', autonomyCap: 'off' };
  #queued: PictureChange[] = [];
  #isWatched: boolean;
  #seq = 0;
  #affiliator: Affiliator | null = null;
  /** Told of each track that carries the key of an asset it is not, once a track and asset. */
  onCloned: (track: Track, asset: { id: string; name: string }) => void = () => {};
  /** Told of each track that is held for somebody else, or on another ground, than before. */
  onAffiliated: (track: Track, was: Pick<Track, 'affiliation' | 'affiliation_basis' | 'asset_id'>) => void = () => {};

  /** Told of each track of which something else is decided than before, for those who go by its number. */
  onDecided: (number: number, decision: Decision) => void = () => {};
  /** Told of each change that is not the track's own as it happens, whoever watches. */
  onChange: (change: PictureChange) => void = () => {};
  /** Who holds the alerts that are shown. */
  alerts: () => Alert[] = () => [];

  constructor(settings: PictureSettings, rim: PictureRim) {
    this.epoch = settings.epoch;
    this.#settings = settings;
    this.#rim = rim;
    this.#isWatched = !settings.unwatched;
    this.actions = new Actions((kind, object, body) => this.#queue(kind, object, body));
    this.listed = new Listed((kind, object, body) => this.#queue(kind, object, body));
    this.threats = new Threats(rim.timeText, {
      update: (threat) => this.#queue('threat_update', threat.track_id, threat),
      cleared: (track_id) => this.#queue('threat_cleared', track_id, { track_id }),
    });
  }

  get seq(): number {
    return this.#seq;
  }

  /** Takes back the tracks of an earlier run, before the first event. */
  restore(number: number, document: Track): void {
    this.#add(number, document, false);
  }

  #add(number: number, document: Track, isNew: boolean): Entry {
    const entry = entryOf(number, document, isNew);
    this.#tracks.set(number, entry);
    this.#byId.set(document.id, entry);
    return entry;
  }

  apply(output: CoreOutput): void {
    for (const card of output.cards) this.#takeCard(card);
    for (const number of hearInto(output.heard, (number) => this.#tracks.get(number)?.card)) this.#takeTimes(number);
    for (let at = 0; at < output.rows.length; at += ROW_WIDTH) this.#takeRow(output.rows.subarray(at, at + ROW_WIDTH));
    for (const { number, id, reason, into } of output.removed) {
      const entry = this.#tracks.get(number);
      if (!entry) continue;
      this.#tracks.delete(number);
      this.#byId.delete(id);
      this.#changed.delete(entry);
      this.#unjudged.delete(entry);
      this.threats.forget(id);
      if (!entry.isNew) this.#queue('track_removed', id, { id, reason, ...(into === undefined ? {} : { into }) });
    }
  }

  /** What the core finds of what matters; call after what it was found from was applied. */
  assess({ threats, cleared, groups, zoneEvents }: Assessment): void {
    for (const { number, groupId } of groups) this.#join(number, groupId);
    for (const threat of threats) if (this.#tracks.has(threat.number)) this.threats.take(threat);
    for (const { trackId } of cleared) this.threats.clear(trackId);
    for (const { zoneId: zone_id, trackId: track_id, transition, atMs, etaS } of zoneEvents) {
      const about = { zone_id, track_id, transition, at: this.#rim.timeText(atMs) };
      this.#queue('zone_event', track_id, etaS === null ? about : { ...about, eta_s: Math.round(etaS * 10) / 10 });
    }
  }

  #join(number: number, group_id: string | null): void {
    const entry = this.#tracks.get(number);
    if (!entry) return;
    note(entry, { group_id });
    this.#mark(entry);
  }

  /** What tracked these has forgotten them: each is lost until it is heard again. */
  loseAll(): void {
    for (const entry of this.#tracks.values()) this.#turn(entry, 'lost');
  }

  /** Who says who a track is. Before it is set, nobody is known. */
  setAffiliator(affiliator: Affiliator): void {
    this.#affiliator = affiliator;
    this.reconsider();
  }

  /** What is known of the assets may be another, or time has passed: tracks that are others now are told at once. */
  reconsider(): void {
    const affiliator = this.#affiliator;
    if (!affiliator) return;
    for (const entry of this.#tracks.values()) {
      const fresh = entry.claimed.generation === affiliator.generation;
      if (entry.unjudged === 'card' && fresh) continue;
      const isAnother = entry.unjudged === 'card' ? this.#consider(entry) : this.#judge(entry, affiliator);
      if (!isAnother) continue;
      entry.dueMs = 0;
      this.#mark(entry);
    }
  }

  /** Something of the workspace changed that clients show, and that has no row of its own here. */
  announce(kind: Announced | AlertKind, body: object): void {
    this.#queue(kind, kind, body as never);
  }

  /** Clients are told of it as the change of a config. */
  setPolicy(policy: PicturePolicy): void {
    this.#policy = policy;
  }

  log(event: LogEvent): void {
    this.#queue('log', event.id, event);
  }

  track(id: string): Track | undefined {
    const entry = this.#byId.get(id);
    if (entry) this.#refresh(entry);
    return entry?.document;
  }

  assetName(id: string): string | null {
    const asset = this.listed.row('assets', id) as { name?: string } | undefined;
    return asset?.name ?? null;
  }

  numberOf(id: string): number | null {
    for (const [number, entry] of this.#tracks) if (entry.document.id === id) return number;
    return null;
  }

  tracks(): Track[] {
    return [...this.#tracks.values()].map((entry) => {
      this.#refresh(entry);
      return entry.document;
    });
  }

  documentOf(number: number): Track | undefined {
    const entry = this.#tracks.get(number);
    if (entry) this.#refresh(entry);
    return entry?.document;
  }

  /** The id that detections of a track carry, without composing its document. */
  idOf(number: number): string | null {
    return this.#tracks.get(number)?.document.id ?? null;
  }

  /**
   * Judges who each track is of which something came in, now and not when it is told: to be called where each moment is
   * to be the same again, whoever looks. Nothing is composed where nobody is another than before.
   */
  settle(): void {
    for (const entry of this.#unjudged) this.#consider(entry);
  }

  /**
   * Somebody looks: from now on changes are told. Before, nobody can have begun to follow them, so none are gathered: what
   * they came to stands in the first snapshot.
   */
  watch(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    for (const entry of this.#tracks.values()) told(entry);
  }

  /** Milliseconds of the clock of those who watch at which the next event is due; null where nothing waits. */
  dueMs(): number | null {
    if (this.#queued.length > 0) return 0;
    let due: number | null = null;
    for (const entry of this.#changed) if (due === null || entry.dueMs < due) due = entry.dueMs;
    return due;
  }

  /** The events that are due, numbered. */
  flush(): PictureEvent[] {
    const nowMs = this.#rim.tellMs();
    const at = this.#rim.timeText(this.#rim.nowMs());
    const queued = this.#queued;
    this.#queued = [];
    for (const entry of this.#changed) {
      if (entry.dueMs > nowMs) continue;
      this.#changed.delete(entry);
      entry.dueMs = nowMs + 1000 / this.#settings.trackHz;
      this.#refresh(entry);
      queued.push(told(entry));
    }
    return queued.map((event) => ({ seq: ++this.#seq, at, ...event }) as PictureEvent);
  }

  /** Everything that holds now; call after a flush, so that what was queued has its number. */
  snapshot(): Picture {
    const [tracks, alerts] = [this.tracks(), this.alerts()];
    const listed = this.listed.all();
    const sim = this.#rim.sim();
    return {
      epoch: this.epoch,
      seq: this.#seq,
      server_at: this.#rim.timeText(this.#rim.nowMs()),
      workspace_id: this.#settings.workspaceId,
      environment: this.#settings.environment,
      mode: modeOf[this.#rim.provenance],
      posture: this.#policy.posture,
      tracks,
      threats: this.threats.list(),
      alerts,
      ...listed,
      ...this.actions.all(),
      autonomy: this.#policy.autonomy,
      autonomy_effective: leastAutonomy(this.#policy.autonomy, this.#policy.autonomyCap, this.actions.autonomy),
      sim,
      counts: countsOf(tracks, listed.sensors, listed.links, alerts),
    };
  }

  #takeCard(card: TrackCard): void {
    const entry = this.#tracks.get(card.number) ?? this.#open(card);
    entry.card = card;
    entry.stale = 'card';
    entry.unjudged = 'card';
    this.#unjudged.add(entry);
    this.#mark(entry);
  }

  #takeTimes(number: number): void {
    const entry = this.#tracks.get(number);
    if (!entry) return;
    if (entry.stale === 'nothing') entry.stale = 'times';
    this.#mark(entry);
  }

  #open(card: TrackCard): Entry {
    const unplaced = kinematicFields(unplacedRow(card.firstSeenMs), this.#rim);
    const document: Track = {
      // Its own field first: what begins with another's fields is an object of a shape of its own, slow to read each time.
      state: 'tentative',
      ...cardFields(card, this.#rim),
      ...undecidedFields(this.#rim),
      ...unplaced,
    };
    return this.#add(card.number, document, true);
  }

  #takeRow(row: Float64Array): void {
    const entry = this.#tracks.get(row[COLUMN.number] ?? 0);
    if (!entry) return;
    entry.row = row;
    if (entry.unjudged === 'nothing') entry.unjudged = 'row';
    this.#unjudged.add(entry);
    this.#mark(entry);
    this.#turn(entry, stateOfRow(row));
  }

  #turn(entry: Entry, state: Track['state']): void {
    const { id, state: was } = entry.document;
    if (state === was) return;
    entry.document.state = state;
    if (!entry.isNew) this.#queue('track_state', id, { id, state, was });
  }

  /** Brings a document up to date with what came in, and judges who it is. */
  #refresh(entry: Entry): void {
    this.#consider(entry);
    compose(entry, this.#rim);
  }

  /** Judges who a track is where something came in since it was judged. Returns whether it is another's now. */
  #consider(entry: Entry): boolean {
    const { unjudged, row, card, claimed } = entry;
    if (unjudged === 'nothing') return false;
    entry.unjudged = 'nothing';
    this.#unjudged.delete(entry);
    if (row) moveTo(claimed, row);
    if (card && unjudged === 'card') {
      entry.flags = card.flags;
      claimed.generation = -1;
    }
    return this.#affiliator !== null && this.#judge(entry, this.#affiliator);
  }

  /** Asks again who it is. Returns whether it is another now. */
  #judge(entry: Entry, affiliator: Affiliator): boolean {
    const { claimed, document } = entry;
    const decision = judge(claimed, entry.card ?? document, affiliator, this.#rim.nowMs());
    if (!decision) return false;
    compose(entry, this.#rim);
    this.onDecided(entry.number, decision);
    const { cloned, ...fields } = decision;
    const { affiliation, affiliation_basis, asset_id } = document;
    note(entry, { ...fields, flags: withMark(entry.flags, decision) });
    this.onAffiliated(document, { affiliation, affiliation_basis, asset_id });
    if (cloned && !claimed.told.has(cloned.id)) {
      claimed.told.add(cloned.id);
      this.onCloned(document, cloned);
    }
    return true;
  }

  #mark(entry: Entry): void {
    if (this.#isWatched) this.#changed.add(entry);
  }

  #queue<K extends EventKind>(kind: K, object: string, body: EventBody<K>): void {
    const change = { kind, object, body } as PictureChange;
    this.onChange(change);
    if (this.#isWatched) this.#queued.push(change);
  }
}
