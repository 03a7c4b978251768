import { sameJson } from '../model/same_json.ts';
import type { Track, TrackFlag } from '../model/track.ts';
import type { TrackCard } from '../model/track_row.ts';
import { type Claimed, claimOf, withMark } from './claimed.ts';
import type { PictureChange } from './events.ts';
import { cardFields, type DocumentDeps, kinematicFields, predictedOf, receivedFields } from './track_document.ts';

/** A track of a picture: its document, and input that is not yet composed into the document or not yet published. */
export type Entry = {
  readonly number: number;
  document: Track;
  /** The core's latest row, until it is composed into the document; null if there is none. */
  row: Float64Array | null;
  /** The row whose predictions are not composed into the document yet; null if there is none. */
  unpredicted: Float64Array | null;
  /** Latest description from the core. `stale` tells which part of it is not composed into the document yet. */
  card: TrackCard | null;
  stale: 'nothing' | 'times' | 'card';
  /** Kind of input that arrived since the last decision about the affiliation. */
  unjudged: 'nothing' | 'row' | 'card';
  /** True if the document has kinematics that are not published yet. `news` holds its other unpublished fields. */
  moved: boolean;
  /** Predictions as last published; null if none were. Those of the document fit its position after `predict`. */
  shown: Track['predicted'] | null;
  news: Partial<Track>;
  isNew: boolean;
  /** Earliest time of the next update, by the viewers' clock, ms. */
  dueMs: number;
  /** Earliest time of the next published prediction, by the viewers' clock, ms. */
  predictMs: number;
  /** Flags before `withMark` adds `id_duplicate` for a copied identity. */
  flags: readonly TrackFlag[];
  claimed: Claimed;
};

export function entryOf(number: number, document: Track, isNew: boolean): Entry {
  const still = {
    row: null,
    unpredicted: null,
    card: null,
    stale: 'nothing',
    unjudged: 'nothing',
    moved: false,
  } as const;
  const due = { shown: null, dueMs: 0, predictMs: 0 };
  return { number, document, ...still, ...due, isNew, news: {}, flags: document.flags, claimed: claimOf(document) };
}

/** Updates the document from the latest row and description, except its predictions (`predict`). */
export function compose(entry: Entry, deps: DocumentDeps): void {
  const { row, card, stale } = entry;
  if (row) {
    Object.assign(entry.document, kinematicFields(row, deps));
    entry.row = null;
    entry.unpredicted = row;
    entry.moved = true;
  }
  if (!card || stale === 'nothing') return;
  if (stale === 'times') note(entry, receivedFields(card, deps));
  else note(entry, { ...cardFields(card, deps), flags: withMark(card.flags, entry.claimed.decision) });
  entry.stale = 'nothing';
}

/** Updates the predictions of a composed document. Most updates are published without them. */
export function predict(entry: Entry): void {
  if (entry.unpredicted) entry.document.predicted = predictedOf(entry.unpredicted);
  entry.unpredicted = null;
}

/** Writes fields into the document, and records those that changed as unpublished. */
export function note(entry: Entry, fields: Partial<Track>): void {
  const changed = changedFields(entry.document, fields);
  Object.assign(entry.document, changed);
  Object.assign(entry.news, changed);
}

function changedFields<T extends object>(document: T, next: Partial<T>): Partial<T> {
  const changed: Partial<T> = {};
  for (const field in next) if (!sameJson(document[field], next[field])) changed[field] = next[field];
  return changed;
}

/**
 * Least interval between two published predictions of one track, ms. They are half of an update's size and change
 * little within a second.
 */
const PREDICT_MS = 1_000;

/**
 * Returns the event of a composed track for clients, and clears the unpublished fields. `scheduledMs` is the time at
 * which the event is due, by the viewers' clock.
 */
export function published(
  entry: Entry,
  scheduledMs: number,
): Extract<PictureChange, { kind: 'track_new' | 'track_update' }> {
  const { document, isNew } = entry;
  const isPlaced = document.position !== null;
  const isDue = isNew || scheduledMs >= entry.predictMs || !isPlaced || !entry.shown?.length;
  if (isDue) predict(entry);
  const { position, velocity, uncertainty, predicted, quality, last_seen_at, updated_at } = document;
  const ahead = isDue ? { predicted } : {};
  const kinematics = { position, velocity, uncertainty, ...ahead, quality, last_seen_at, updated_at };
  const body = { id: document.id, ...entry.news, ...(entry.moved ? kinematics : {}) };
  entry.isNew = false;
  if (isNew || (entry.moved && isDue)) {
    entry.shown = predicted;
    entry.predictMs = scheduledMs + PREDICT_MS;
  }
  entry.moved = false;
  entry.news = {};
  if (isNew) return { kind: 'track_new', object: document.id, body: { ...document } };
  return { kind: 'track_update', object: document.id, body };
}

/** True if `card` brings the first identities of a track since the start of the program. */
export function isFirstNamed(entry: Entry | undefined, { identities }: TrackCard): boolean {
  return identities.length > 0 && (entry?.card?.identities ?? []).length === 0;
}
