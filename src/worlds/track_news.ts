import type { LogEvent } from '../model/event.ts';
import type { Identity } from '../model/observation.ts';
import type { Track } from '../model/track.ts';
import { COLUMN, type CoreOutput, ROW_WIDTH, stateCodes, type TrackRemoval } from '../model/track_row.ts';
import type { PictureState } from '../picture/picture.ts';
import type { EventLog } from './event_log.ts';
import { numberOfLabel } from './restore.ts';

/** A verdict that goes to and fro is told of so often at most. */
const VERDICT_EVERY_MS = 10_000;

const [TENTATIVE, CONFIRMED, LOST] = (['tentative', 'confirmed', 'lost'] as const).map((state) =>
  stateCodes.indexOf(state),
) as [number, number, number];

type Integrity = Track['integrity'];
type Told = { state: number; verdict: number; integrity: Integrity; verdictDueMs: number };
type Named = { identities: readonly Pick<Identity, 'type' | 'value'>[] };
type Who = Pick<Track, 'affiliation' | 'affiliation_basis' | 'asset_id'>;

/**
 * What becomes of tracks, for the log: new, confirmed, lost, closed, who they are held for and whether they are believed.
 * Of a track that was never confirmed nothing is told: a single false report is none of these.
 */
export class TrackNews {
  readonly #events: EventLog;
  readonly #picture: PictureState;
  readonly #told = new Map<number, Told>();

  constructor(events: EventLog, picture: PictureState) {
    this.#events = events;
    this.#picture = picture;
  }

  /**
   * Told of each track that was ever confirmed, when it is and whenever it may have told another name, and whether it is a
   * friend by telemetry or assignment then.
   */
  onNamed: (number: number, named: Named, isSureFriend: boolean) => void = () => {};
  /** Of those, each that has ended. */
  onEnded: (number: number) => void = () => {};

  /** A track of an earlier run, as the picture takes it up again. */
  know(number: number, { state, integrity }: Track): void {
    if (state !== 'tentative') this.#told.set(number, { state: LOST, verdict: -1, integrity, verdictDueMs: 0 });
  }

  /** Call after the picture took the output, with the documents of the tracks it ended. */
  take(output: CoreOutput, ended: readonly Track[]): void {
    const { rows, cards, removed, nowMs } = output;
    for (let at = 0; at < rows.length; at += ROW_WIDTH) {
      const number = rows[at + COLUMN.number] ?? 0;
      this.#moved(number, rows[at + COLUMN.state] ?? 0, rows[at + COLUMN.verdict] ?? Number.NaN, nowMs);
    }
    for (const card of cards)
      if (this.#told.has(card.number))
        this.onNamed(card.number, card, isSureFriend(this.#picture.documentOf(card.number)));
    for (const removal of removed) {
      if (!this.#told.delete(removal.number)) continue;
      this.onEnded(removal.number);
      const track = ended.find(({ id }) => id === removal.id);
      if (track) this.#tell('track.closed', track, `${track.number} ${endOf(removal, this.#picture)}`);
    }
  }

  /** Who a track is held for changed; `was` is who it was before. */
  affiliated(track: Track, was: Who): void {
    if (track.affiliation === was.affiliation && track.asset_id === was.asset_id) return;
    if (!this.#told.has(numberOfLabel(track))) return;
    const text = `${track.number} is ${track.affiliation} (${track.affiliation_basis}), it was ${was.affiliation}`;
    this.#tell('track.affiliation', track, text, { before: whoOf(was), after: whoOf(track) });
  }

  /** A track carries the key of an asset that it is not. */
  cloned({ id, number }: Track, asset: { name: string }): void {
    const text = `${number} tells the key of ${asset.name} and is not borne out as it: it is held for unknown`;
    this.#events.write('asset.cloned', 'warning', text, { type: 'track', id, label: number });
  }

  /** Asked for each track in each step: nothing is made where nothing is told. */
  #moved(number: number, state: number, verdict: number, nowMs: number): void {
    const told = this.#told.get(number);
    if (!told) {
      if (state !== TENTATIVE) this.#begin(number, state, verdict, nowMs);
      return;
    }
    if (told.state !== state) {
      const was = told.state;
      told.state = state;
      if (state === LOST || was === LOST) this.#turned(number, state);
    }
    if (told.verdict !== verdict && nowMs >= told.verdictDueMs) this.#judged(number, told, verdict, nowMs);
  }

  #begin(number: number, state: number, verdict: number, nowMs: number): void {
    const track = this.#picture.documentOf(number);
    if (!track) return;
    const { integrity, first_seen_at } = track;
    this.#told.set(number, { state, verdict, integrity, verdictDueMs: nowMs + VERDICT_EVERY_MS });
    this.#tell(
      'track.new',
      track,
      `${track.number} is new: ${calledOf(track)}, first heard or seen at ${first_seen_at}`,
    );
    this.onNamed(number, track, isSureFriend(track));
    const after = { ...whoOf(track), integrity };
    this.#tell('track.confirmed', track, `${track.number} is confirmed as ${track.affiliation}`, {
      before: null,
      after,
    });
  }

  #turned(number: number, state: number): void {
    const track = this.#picture.documentOf(number);
    if (!track) return;
    if (state === LOST)
      this.#tell('track.lost', track, `${track.number} is lost: last perceived at ${track.last_seen_at}`);
    else if (state === CONFIRMED)
      this.#tell('track.confirmed', track, `${track.number} is there again after it was lost`);
  }

  #judged(number: number, told: Told, verdict: number, nowMs: number): void {
    const track = this.#picture.documentOf(number);
    if (!track) return;
    const { integrity } = track;
    const before = told.integrity;
    told.verdict = verdict;
    told.integrity = integrity;
    if (before.verdict === integrity.verdict) return;
    told.verdictDueMs = nowMs + VERDICT_EVERY_MS;
    const why = integrity.reasons.map(({ text }) => text).join('; ');
    const text = `what ${track.number} tells of itself is ${integrity.verdict}${why === '' ? '' : `: ${why}`}`;
    this.#tell('track.integrity', track, text, { before, after: integrity });
  }

  #tell(kind: string, { id, number }: Track, text: string, change?: Pick<LogEvent, 'before' | 'after'>): void {
    this.#events.write(kind, 'info', text, { type: 'track', id, label: number }, change);
  }
}

function whoOf({ affiliation, affiliation_basis, asset_id }: Who): Who {
  return { affiliation, affiliation_basis, asset_id };
}

function isSureFriend(track: Who | undefined): boolean {
  return track?.affiliation === 'friend' && track.affiliation_basis !== 'remote_id';
}

function calledOf({ identities }: Track): string {
  const [first] = identities;
  return first ? `${first.type} ${first.value}` : 'it tells no identity';
}

function endOf({ reason, into }: TrackRemoval, picture: PictureState): string {
  if (reason === 'closed') return 'is closed: it was lost for too long';
  if (reason === 'dropped') return 'was dropped';
  const heir = into === undefined ? undefined : picture.track(into);
  return `was merged into ${heir?.number ?? 'another track'}`;
}
