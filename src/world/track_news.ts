import type { LogEvent } from '../model/event.ts';
import { Listeners } from '../model/listeners.ts';
import type { LogKind } from '../model/log_kind.ts';
import type { Identity } from '../model/observation.ts';
import { identitiesWithoutOperator, withoutPilotDistance } from '../model/pilot_facts.ts';
import { TRACK } from '../model/rows/layouts.ts';
import type { Track } from '../model/track.ts';
import { type CoreOutput, ROW_WIDTH, stateCodes, type TrackRemoval } from '../model/track_row.ts';
import type { PictureState } from '../picture/picture.ts';
import type { EventLog } from './event_log.ts';
import { numberOfLabel } from './restore.ts';

/** Shortest time between two log lines about the verdict of a track, ms. */
const VERDICT_EVERY_MS = 10_000;

const [TENTATIVE, CONFIRMED, LOST] = (['tentative', 'confirmed', 'lost'] as const).map((state) =>
  stateCodes.indexOf(state),
) as [number, number, number];

type Integrity = Track['integrity'];
type Published = { state: number; verdict: number; integrity: Integrity; verdictDueMs: number };
export type Named = { identities: readonly Pick<Identity, 'type' | 'value'>[] };
type Who = Pick<Track, 'affiliation' | 'affiliation_basis' | 'asset_id'>;

/**
 * Logs the life of tracks: new, confirmed, lost and closed tracks, changes of affiliation and integrity. A track that
 * was never confirmed may be a single false report. It is logged only if it copies the identity of an asset.
 */
export class TrackNews {
  readonly #events: EventLog;
  readonly #picture: PictureState;
  readonly #published = new Map<number, Published>();
  /**
   * Emits each confirmed track: at its confirmation, and whenever its identities may have changed. `isSureFriend` is
   * true if the track is a friend by telemetry or assignment.
   */
  readonly named = new Listeners<[number: number, named: Named, isSureFriend: boolean]>();
  /** Emits the end of a confirmed track. */
  readonly ended = new Listeners<[number: number]>();

  constructor(events: EventLog, picture: PictureState) {
    this.#events = events;
    this.#picture = picture;
    picture.judged.add(({ track, was, clone }) => {
      this.#affiliated(track, was);
      if (clone) this.#cloned(track, clone);
    });
  }

  /** Registers a track that the picture restored from an earlier run. Tentative tracks are ignored. */
  know(number: number, track: Track): void {
    const integrity = withoutPilotDistance(track.integrity);
    if (track.state !== 'tentative')
      this.#published.set(number, { state: LOST, verdict: -1, integrity, verdictDueMs: 0 });
  }

  /**
   * Logs the changes in an output. Call this once the picture has processed `output`. `ended`: last documents of the
   * tracks that ended in `output`.
   */
  take(output: CoreOutput, ended: readonly Track[]): void {
    const { rows, cards, removed, nowMs } = output;
    for (let at = 0; at < rows.length; at += ROW_WIDTH) {
      const number = rows[at + TRACK.number] ?? 0;
      this.#moved(number, rows[at + TRACK.state] ?? 0, rows[at + TRACK.verdict] ?? Number.NaN, nowMs);
    }
    for (const card of cards)
      if (this.#published.has(card.number))
        this.named.emit(card.number, card, isSureFriend(this.#picture.documentOf(card.number)));
    for (const removal of removed) {
      if (!this.#published.delete(removal.number)) continue;
      this.ended.emit(removal.number);
      const track = ended.find(({ id }) => id === removal.id);
      if (track) this.#publish('track.closed', track, `${track.number} ${endOf(removal, this.#picture)}`);
    }
  }

  #affiliated(track: Track, was: Who): void {
    if (track.affiliation === was.affiliation && track.asset_id === was.asset_id) return;
    if (!this.#published.has(numberOfLabel(track))) return;
    const text = `${track.number} is ${track.affiliation} (${track.affiliation_basis}); before it was ${was.affiliation}`;
    this.#publish('track.affiliation', track, text, { before: whoOf(was), after: whoOf(track) });
  }

  /** Logs a track that transmits the identity of an asset without proof that it is that asset. */
  #cloned({ id, number }: Track, asset: { name: string }): void {
    const text = `the track ${number} transmits the identity of ${asset.name}, but nothing confirms it: the track counts as unknown`;
    this.#events.write('asset.cloned', 'warning', text, { type: 'track', id, label: number });
  }

  /**
   * Logs changes of a track's state and verdict. It runs for each track in each step, so it allocates nothing unless it
   * logs.
   */
  #moved(number: number, state: number, verdict: number, nowMs: number): void {
    const published = this.#published.get(number);
    if (!published) {
      if (state !== TENTATIVE) this.#begin(number, state, verdict, nowMs);
      return;
    }
    if (published.state !== state) {
      const was = published.state;
      published.state = state;
      if (state === LOST || was === LOST) this.#turned(number, state);
    }
    if (published.verdict !== verdict && nowMs >= published.verdictDueMs)
      this.#judged(number, published, verdict, nowMs);
  }

  #begin(number: number, state: number, verdict: number, nowMs: number): void {
    const track = this.#picture.documentOf(number);
    if (!track) return;
    const { first_seen_at } = track;
    const integrity = withoutPilotDistance(track.integrity);
    this.#published.set(number, { state, verdict, integrity, verdictDueMs: nowMs + VERDICT_EVERY_MS });
    const text = `${track.number} is new: ${calledOf(track)}, first detected at ${first_seen_at}`;
    this.#publish('track.new', track, text);
    this.named.emit(number, track, isSureFriend(track));
    const change = { before: null, after: { ...whoOf(track), integrity } };
    this.#publish('track.confirmed', track, `${track.number} is confirmed as ${track.affiliation}`, change);
  }

  #turned(number: number, state: number): void {
    const track = this.#picture.documentOf(number);
    if (!track) return;
    if (state === LOST)
      this.#publish('track.lost', track, `${track.number} is lost: last detected at ${track.last_seen_at}`);
    else if (state === CONFIRMED)
      this.#publish('track.confirmed', track, `${track.number} is detected again after it was lost`);
  }

  #judged(number: number, published: Published, verdict: number, nowMs: number): void {
    const track = this.#picture.documentOf(number);
    if (!track) return;
    // Readers of the log must not learn positions of pilots.
    const integrity = withoutPilotDistance(track.integrity);
    const before = published.integrity;
    published.verdict = verdict;
    published.integrity = integrity;
    if (before.verdict === integrity.verdict) return;
    published.verdictDueMs = nowMs + VERDICT_EVERY_MS;
    const why = integrity.reasons.map(({ text }) => text).join('; ');
    const text = `the claims of ${track.number} are ${integrity.verdict}${why === '' ? '' : `: ${why}`}`;
    this.#publish('track.integrity', track, text, { before, after: integrity });
  }

  #publish(kind: LogKind, { id, number }: Track, text: string, change?: Pick<LogEvent, 'before' | 'after'>): void {
    this.#events.write(kind, 'info', text, { type: 'track', id, label: number }, change);
  }
}

function whoOf({ affiliation, affiliation_basis, asset_id }: Who): Who {
  return { affiliation, affiliation_basis, asset_id };
}

function isSureFriend(track: Who | undefined): boolean {
  return track?.affiliation === 'friend' && track.affiliation_basis !== 'remote_id';
}

/** Names a track by its first identity. An operator id is personal data, so the log does not contain it. */
function calledOf(track: Track): string {
  const [first] = identitiesWithoutOperator(track, track.identities);
  return first ? `${first.type} ${first.value}` : 'it reports no identity';
}

function endOf({ reason, into }: TrackRemoval, picture: PictureState): string {
  if (reason === 'closed') return 'is closed: it was lost for too long';
  if (reason === 'dropped') return 'was dropped';
  const heir = into === undefined ? undefined : picture.track(into);
  return `was merged into ${heir?.number ?? 'another track'}`;
}
