import type { EventBody } from '../model/event.ts';
import type { Track, TrackFlag } from '../model/track.ts';
import type { TrackCard } from '../model/track_row.ts';
import { type Claimed, claimOf, withMark } from './claimed.ts';
import { changedFields } from './difference.ts';
import { cardFields, type DocumentRim, heardFields, kinematicFields } from './track_document.ts';

/** A track of a picture: its document, and what came in that the document or those who watch do not know yet. */
export type Entry = {
  readonly number: number;
  document: Track;
  /** What came in since the document was last composed. */
  row: Float64Array | null;
  /** As it was told last, and what of it the document does not show yet. */
  card: TrackCard | null;
  stale: 'nothing' | 'times' | 'card';
  /** What came in since it was judged last. */
  unjudged: 'nothing' | 'row' | 'card';
  /** Composed and not yet told. */
  moved: boolean;
  news: Partial<Track>;
  isNew: boolean;
  /** When the next update of this track may be told. */
  dueMs: number;
  /** What its flags are without the mark of a clone, and whom it claims to be. */
  flags: readonly TrackFlag[];
  claimed: Claimed;
};

export function entryOf(number: number, document: Track, isNew: boolean): Entry {
  const still = { row: null, card: null, stale: 'nothing', unjudged: 'nothing', moved: false, dueMs: 0 } as const;
  return { number, document, ...still, isNew, news: {}, flags: document.flags, claimed: claimOf(document) };
}

/** Brings its document up to date with the last row and card, and notes what is news. */
export function compose(entry: Entry, rim: DocumentRim): void {
  const { row, card, stale } = entry;
  if (row) {
    Object.assign(entry.document, kinematicFields(row, rim));
    entry.row = null;
    entry.moved = true;
  }
  if (!card || stale === 'nothing') return;
  if (stale === 'times') note(entry, heardFields(card, rim));
  else note(entry, { ...cardFields(card, rim), flags: withMark(card.flags, entry.claimed.decision) });
  entry.stale = 'nothing';
}

export function note(entry: Entry, fields: Partial<Track>): void {
  const changed = changedFields(entry.document, fields);
  Object.assign(entry.document, changed);
  Object.assign(entry.news, changed);
}

type Telling = { [K in 'track_new' | 'track_update']: { kind: K; object: string; body: EventBody<K> } }[
  | 'track_new'
  | 'track_update'];

/** What those who watch are to hear of it, now that it is composed; they have heard it then. */
export function told(entry: Entry): Telling {
  const { document, isNew } = entry;
  const { position, velocity, uncertainty, predicted, quality, last_seen_at, updated_at } = document;
  const kinematics = { position, velocity, uncertainty, predicted, quality, last_seen_at, updated_at };
  const body = { id: document.id, ...entry.news, ...(entry.moved ? kinematics : {}) };
  entry.isNew = false;
  entry.moved = false;
  entry.news = {};
  if (isNew) return { kind: 'track_new', object: document.id, body: { ...document } };
  return { kind: 'track_update', object: document.id, body };
}
