import type { Affiliator } from '../model/affiliation.ts';
import type { Alert, AlertKind } from '../model/alert.ts';
import type { Assessment } from '../model/assessment.ts';
import type { EventBody, EventKind, LogEvent } from '../model/event.ts';
import { noHealth } from '../model/health.ts';
import { Listeners } from '../model/listeners.ts';
import { modeOfProvenance, type Picture } from '../model/picture.ts';
import { leastAutonomy } from '../model/posture.ts';
import { receiveInto } from '../model/received_row.ts';
import { TRACK } from '../model/rows/layouts.ts';
import type { Track } from '../model/track.ts';
import { type CoreOutput, ROW_WIDTH, type TrackCard } from '../model/track_row.ts';
import { Actions } from './actions.ts';
import { judge, moveTo, withMark } from './claimed.ts';
import { countsOf } from './counts.ts';
import type { Announced, PictureDeps, PicturePolicy, PictureSettings } from './deps.ts';
import { compose, describe, type Entry, entryOf, isFirstNamed, note, predict, published, takeRow } from './entry.ts';
import { type Judgement, numbered, type PictureChange, type PictureEvent } from './events.ts';
import { type Due, Listed, type Queue } from './listed.ts';
import type { RegistryList } from './row_events.ts';
import { SetAffiliations } from './set_affiliations.ts';
import { Threats } from './threats.ts';
import { kinematicFields, openedDocument, predictedOf, stateOf } from './track_document.ts';
import { Updates } from './updates.ts';

/**
 * Current state of one world, with its changes as numbered events. New tracks, changes of state, and ends are published
 * at the next flush. Updates of one track are merged and published at most `trackHz` times a second. The first update
 * after a longer pause is published without delay. Numbers are assigned when events are published. A client that
 * applies all events to a snapshot thus has the state that `snapshot()` returns.
 */
export class PictureState {
  readonly epoch: string;
  readonly #settings: PictureSettings;
  readonly #deps: PictureDeps;
  readonly #tracks = new Map<number, Entry>();
  readonly #byId = new Map<string, Entry>();
  readonly listed: Listed;
  readonly actions: Actions;
  readonly threats: Threats;
  readonly byHand: SetAffiliations;
  readonly #updates: Updates;
  #policy: PicturePolicy = { posture: 'normal', autonomy: 'off', autonomyCap: 'off' };
  #queued: PictureChange[] = [];
  #seq = 0;
  /** Signals that an event is due: at once, or with the next tick. */
  readonly due: Due = new Listeners();
  /** Emits each track whose affiliation decision changed. */
  readonly judged = new Listeners<[Judgement]>();
  /** A track with its first identities: its number, after the decision about its affiliation. */
  readonly opened = new Listeners<[number]>();
  /** Emits each change except `track_new` and `track_update`, when it happens, even if nobody follows the picture. */
  readonly changed = new Listeners<[PictureChange]>();

  constructor(settings: PictureSettings, deps: PictureDeps) {
    this.epoch = settings.epoch;
    this.#settings = settings;
    this.#deps = deps;
    this.#updates = new Updates(settings.trackHz, !settings.unwatched);
    const publish: Queue = (...change) => this.#publish(...change);
    this.actions = new Actions(publish);
    this.listed = new Listed((...change) => this.#queue(...change), this.due);
    this.threats = new Threats(deps.timeText, publish);
    this.byHand = new SetAffiliations(this.#byId, (entry) => this.#affiliate(entry));
  }

  get seq(): number {
    return this.#seq;
  }

  /** Current world time as RFC 3339 text. */
  nowText(): string {
    return this.#deps.timeText(this.#deps.nowMs());
  }

  /** Restores a track of an earlier run. Call it before the first event. */
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
    const named = output.cards.filter((card) => isFirstNamed(this.#tracks.get(card.number), card));
    for (const card of output.cards) this.#takeCard(card);
    for (const number of receiveInto(output.received, (number) => this.#tracks.get(number)?.card))
      this.#takeTimes(number);
    for (let at = 0; at < output.rows.length; at += ROW_WIDTH) this.#takeRow(output.rows, at);
    for (const { number, id, reason, into } of output.removed) {
      const entry = this.#tracks.get(number);
      if (!entry) continue;
      this.#tracks.delete(number);
      this.#byId.delete(id);
      this.#updates.delete(entry);
      this.threats.forget(id);
      this.byHand.ended(entry.document, into ?? null);
      if (!entry.isNew) this.#queue('track_removed', id, { id, reason, ...(into === undefined ? {} : { into }) });
    }
    this.#considerNamed(named);
    this.due.emit('soon');
  }

  /** Decides the affiliations of tracks at once: the rules of the core hold these tracks back until then. */
  #considerNamed(cards: readonly TrackCard[]): void {
    for (const { number } of cards) {
      const entry = this.#tracks.get(number);
      if (!entry) continue;
      this.#consider(entry);
      this.opened.emit(number);
    }
  }

  /** Decides the affiliation of a track after a person's action, and publishes the track with the next tick. */
  #affiliate(entry: Entry): void {
    if (this.#deps.affiliator) this.#judge(entry, this.#deps.affiliator);
    entry.dueMs = 0;
    this.#updates.add(entry);
    this.due.emit('soon');
  }

  /** Takes the assessment of a step of the core. Call `apply` with the output of that step first. */
  assess({ threats, cleared, groups, zoneEvents }: Assessment): void {
    for (const { number, groupId } of groups) this.#join(number, groupId);
    if (groups.length > 0) this.due.emit('soon');
    for (const threat of threats) if (this.#tracks.has(threat.number)) this.threats.take(threat);
    for (const { trackId } of cleared) this.threats.clear(trackId);
    for (const { zoneId: zone_id, trackId: track_id, transition, atMs, etaS } of zoneEvents) {
      const about = { zone_id, track_id, transition, at: this.#deps.timeText(atMs) };
      this.#publish('zone_event', track_id, etaS === null ? about : { ...about, eta_s: Math.round(etaS * 10) / 10 });
    }
  }

  #join(number: number, group_id: string | null): void {
    const entry = this.#tracks.get(number);
    if (!entry) return;
    note(entry, { group_id });
    this.#updates.add(entry);
  }

  /** Marks all tracks as lost after a restart of the core. Each stays lost until its next observation. */
  loseAll(): void {
    for (const entry of this.#tracks.values()) this.#turn(entry, 'lost');
    this.due.emit('soon');
  }

  /**
   * Decides all affiliations again, since time or assets have changed. Changed tracks are published with the next tick.
   */
  reconsider(): void {
    this.#rejudge();
    this.due.emit('soon');
  }

  #rejudge(): void {
    const { affiliator } = this.#deps;
    if (!affiliator) return;
    for (const entry of this.#tracks.values()) {
      const fresh = entry.claimed.generation === affiliator.generation;
      if (entry.unjudged === 'card' && fresh) continue;
      const isAnother = entry.unjudged === 'card' ? this.#consider(entry) : this.#judge(entry, affiliator);
      if (!isAnother) continue;
      entry.dueMs = 0;
      this.#updates.add(entry);
    }
  }

  /**
   * Takes new or changed rows of the registry. Affiliations that change as a consequence are published in the same
   * flush.
   */
  setRows(list: RegistryList, rows: readonly { id: string }[]): void {
    for (const row of rows) this.listed.setRow(list, row);
    this.#rowsChanged(list);
  }

  removeRow(list: RegistryList, id: string): void {
    this.listed.removeRow(list, id);
    this.#rowsChanged(list);
  }

  #rowsChanged(list: RegistryList): void {
    if (list === 'assets' || list === 'assignments') this.#rejudge();
    this.due.emit('now');
  }

  /** Publishes a change of the workspace that has no row in the picture. */
  announce(kind: Announced, body: object): void {
    this.#queue(kind, kind, body as never);
    this.due.emit('now');
  }

  alert(kind: AlertKind, alert: Alert): void {
    this.#publish(kind, kind, alert);
  }

  /**
   * Sets the posture and autonomy that the picture shows. Publishes nothing: the registry publishes `config_change`.
   */
  setPolicy(policy: PicturePolicy): void {
    this.#policy = policy;
  }

  /** `audience`: who may read the content of the row. */
  log(event: LogEvent, audience: 'owners' | 'all' = 'all'): void {
    this.#take({ kind: 'log', object: event.id, body: event, ownersOnly: audience === 'owners' });
    this.due.emit('soon');
  }

  track(id: string): Track | undefined {
    const entry = this.#byId.get(id);
    return entry && this.#current(entry);
  }

  assetName(id: string): string | null {
    const asset = this.listed.row('assets', id) as { name?: string } | undefined;
    return asset?.name ?? null;
  }

  numberOf(id: string): number | null {
    return this.#byId.get(id)?.number ?? null;
  }

  tracks(): Track[] {
    return [...this.#tracks.values()].map((entry) => this.#current(entry));
  }

  documentOf(number: number): Track | undefined {
    const entry = this.#tracks.get(number);
    return entry && this.#current(entry);
  }

  /** State, position and movement of a track. They are cheaper than the document, and not kept. */
  kinematicsOf(number: number): Pick<Track, 'id' | 'state' | 'position' | 'velocity' | 'uncertainty'> | undefined {
    const entry = this.#tracks.get(number);
    if (entry) this.#consider(entry);
    if (!entry?.row || !entry.isUncomposed) return entry?.document;
    const { id, state } = entry.document;
    return { id, state, ...kinematicFields(entry.row, this.#deps) };
  }

  /** Id of a track; null if there is none. Does not compose the document, which makes it cheap. */
  idOf(number: number): string | null {
    return this.#tracks.get(number)?.document.id ?? null;
  }

  /** Decides pending affiliations now instead of at publication: results must not depend on the times of reads. */
  settle(): void {
    for (const entry of this.#tracks.values()) this.#consider(entry);
  }

  /** Starts to collect changes, for the first reader. The first snapshot contains all earlier changes. */
  watch(): void {
    if (this.#updates.isWatched) return;
    this.#updates.isWatched = true;
    const nowMs = this.#deps.publishMs();
    for (const entry of this.#tracks.values()) published(entry, nowMs, this.#deps);
  }

  /** Time at which the next event is due, by the viewers' clock, ms; null if nothing waits. */
  dueMs(): number | null {
    if (this.#queued.length > 0) return 0;
    return this.#updates.dueMs();
  }

  /** Numbers the due events and returns them. */
  flush(): PictureEvent[] {
    const nowMs = this.#deps.publishMs();
    const at = this.#deps.timeText(this.#deps.nowMs());
    const queued = this.#queued;
    this.#queued = [];
    this.#updates.takeDue(nowMs, (entry, scheduledMs) => {
      this.#consider(entry);
      describe(entry, this.#deps);
      queued.push(published(entry, scheduledMs, this.#deps));
    });
    return queued.map((change) => numbered(change, ++this.#seq, at));
  }

  /** Returns the current state. Call it after a flush, so that no event is left without a number. */
  snapshot(): Picture {
    const [tracks, alerts] = [[...this.#tracks.values()].map((entry) => this.#shown(entry)), this.#deps.alerts()];
    const listed = this.listed.all();
    const sim = this.#deps.sim();
    return {
      epoch: this.epoch,
      seq: this.#seq,
      server_at: this.#deps.timeText(this.#deps.nowMs()),
      workspace_id: this.#settings.workspaceId,
      environment: this.#settings.environment,
      mode: modeOfProvenance[this.#deps.provenance],
      posture: this.#policy.posture,
      tracks,
      threats: this.threats.list(),
      alerts,
      ...listed,
      tasks: this.actions.tasks(),
      engagements: this.#deps.engagements(),
      autonomy: this.#policy.autonomy,
      autonomy_effective: leastAutonomy(this.#policy.autonomy, this.#policy.autonomyCap, this.actions.autonomy),
      health: this.#deps.health?.() ?? noHealth,
      sim,
      counts: countsOf(tracks, listed.sensors, listed.links, alerts),
    };
  }

  #takeCard(card: TrackCard): void {
    const entry = this.#tracks.get(card.number) ?? this.#add(card.number, openedDocument(card, this.#deps), true);
    entry.card = card;
    entry.stale = 'card';
    entry.unjudged = 'card';
    this.#updates.add(entry);
  }

  #takeTimes(number: number): void {
    const entry = this.#tracks.get(number);
    if (!entry) return;
    if (entry.stale === 'nothing') entry.stale = 'times';
    this.#updates.add(entry);
  }

  #takeRow(rows: Float64Array, at: number): void {
    const entry = this.#tracks.get(rows[at + TRACK.number] ?? 0);
    if (!entry) return;
    takeRow(entry, rows, at);
    if (entry.unjudged === 'nothing') entry.unjudged = 'row';
    this.#updates.add(entry);
    this.#turn(entry, stateOf(rows[at + TRACK.state]));
  }

  #turn(entry: Entry, state: Track['state']): void {
    const { id, state: was } = entry.document;
    if (state === was) return;
    entry.document.state = state;
    if (!entry.isNew) this.#queue('track_state', id, { id, state, was });
  }

  /** Returns the document as clients have it after each event: with the predictions as last published. */
  #shown(entry: Entry): Track {
    const document = this.#current(entry);
    return entry.shown === null ? document : { ...document, predicted: predictedOf(entry.shown) };
  }

  /** Returns the document of a track, updated from all input. */
  #current(entry: Entry): Track {
    this.#consider(entry);
    compose(entry, this.#deps);
    predict(entry);
    return entry.document;
  }

  /** Decides the affiliation of a track with new input. Returns whether the decision changed. */
  #consider(entry: Entry): boolean {
    const { unjudged, row, card, claimed } = entry;
    if (unjudged === 'nothing') return false;
    entry.unjudged = 'nothing';
    if (row) moveTo(claimed, row);
    if (card && unjudged === 'card') {
      entry.flags = card.flags;
      claimed.generation = -1;
    }
    const { affiliator } = this.#deps;
    return affiliator !== undefined && this.#judge(entry, affiliator);
  }

  /** Calls the affiliator. Returns whether the decision changed. */
  #judge(entry: Entry, affiliator: Affiliator): boolean {
    const { claimed, document } = entry;
    const decision = judge(claimed, entry.card ?? document, affiliator, this.#deps.nowMs());
    if (!decision) return false;
    compose(entry, this.#deps);
    const { cloned, ...fields } = decision;
    const { affiliation, affiliation_basis, asset_id } = document;
    note(entry, { ...fields, flags: withMark(entry.flags, decision) });
    const clone = cloned && !claimed.published.has(cloned.id) ? cloned : null;
    if (clone) claimed.published.add(clone.id);
    const was = { affiliation, affiliation_basis, asset_id };
    this.judged.emit({ number: entry.number, track: document, decision, was, clone });
    return true;
  }

  #queue<K extends EventKind>(kind: K, object: string, body: EventBody<K>): void {
    this.#take({ kind, object, body } as PictureChange);
  }

  #take(change: PictureChange): void {
    this.changed.emit(change);
    if (this.#updates.isWatched) this.#queued.push(change);
  }

  #publish<K extends EventKind>(kind: K, object: string, body: EventBody<K>): void {
    this.#queue(kind, object, body);
    this.due.emit('soon');
  }
}
