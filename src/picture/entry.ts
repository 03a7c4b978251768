import { isOperatorId } from '../model/pilot_facts.ts';
import { sameJson } from '../model/same_json.ts';
import type { Track, TrackFlag } from '../model/track.ts';
import { ROW_WIDTH, type TrackCard } from '../model/track_row.ts';
import { type Claimed, claimOf, withMark } from './claimed.ts';
import type { PictureChange } from './events.ts';
import {
  cardFields,
  type DocumentDeps,
  isPlaced,
  kinematicFields,
  predictedOf,
  receivedFields,
} from './track_document.ts';

/** A track of a picture: its document, and input that is not yet composed into the document or not yet published. */
export type Entry = {
  readonly number: number;
  document: Track;
  /**
   * The core's latest row; null before the first. Its memory is reused. Most rows are published straight from here.
   * Objects that a document keeps for a quarter of a second would reach the old part of the heap, as garbage.
   */
  row: Float64Array | null;
  /** True if the document does not have the kinematics of `row` yet. */
  isUncomposed: boolean;
  /** True if the document does not have the predictions of `row` yet. */
  isUnpredicted: boolean;
  /** Latest description from the core. `stale` tells which part of it is not composed into the document yet. */
  card: TrackCard | null;
  stale: 'nothing' | 'times' | 'card';
  /** Kind of input that arrived since the last decision about the affiliation. */
  unjudged: 'nothing' | 'row' | 'card';
  /** True if `row` is not published yet. `news` holds the other unpublished fields. */
  moved: boolean;
  /** The row whose predictions were published last; null if none were. Its memory is reused. */
  shown: Float64Array | null;
  news: Partial<Track>;
  isNew: boolean;
  /** True while the track has changes that wait for a flush; see `Updates`. */
  isChanged: boolean;
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
    isUncomposed: false,
    isUnpredicted: false,
    card: null,
    stale: 'nothing',
    unjudged: 'nothing',
    moved: false,
  } as const;
  const due = { shown: null, isChanged: false, dueMs: 0, predictMs: 0 };
  return { number, document, ...still, ...due, isNew, news: {}, flags: document.flags, claimed: claimOf(document) };
}

/** Takes the track's row from the rows of a step, in which it begins at `at`. */
export function takeRow(entry: Entry, rows: Float64Array, at: number): void {
  entry.row ??= new Float64Array(ROW_WIDTH);
  for (let column = 0; column < ROW_WIDTH; column++) entry.row[column] = rows[at + column] ?? Number.NaN;
  entry.isUncomposed = true;
  entry.isUnpredicted = true;
  entry.moved = true;
}

/** Updates the document from the latest row and description, except its predictions (`predict`). */
export function compose(entry: Entry, deps: DocumentDeps): void {
  if (entry.row && entry.isUncomposed) Object.assign(entry.document, kinematicFields(entry.row, deps));
  entry.isUncomposed = false;
  describe(entry, deps);
}

/** Updates the document from the latest description. */
export function describe(entry: Entry, deps: DocumentDeps): void {
  const { card, stale } = entry;
  if (!card || stale === 'nothing') return;
  if (stale === 'times') note(entry, receivedFields(card, deps));
  else note(entry, { ...cardFields(card, deps), flags: withMark(card.flags, entry.claimed.decision) });
  entry.stale = 'nothing';
}

/** Updates the predictions of the document. Most updates are published without them. */
export function predict(entry: Entry): void {
  if (entry.row && entry.isUnpredicted) entry.document.predicted = predictedOf(entry.row);
  entry.isUnpredicted = false;
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
 * Returns the event of a described track for clients, and clears the unpublished fields. `scheduledMs` is the time at
 * which the event is due, by the viewers' clock.
 */
export function published(
  entry: Entry,
  scheduledMs: number,
  deps: DocumentDeps,
): Extract<PictureChange, { kind: 'track_new' | 'track_update' }> {
  const { document, row, isNew } = entry;
  const { id } = document;
  if (isNew) {
    compose(entry, deps);
    predict(entry);
  }
  const moved = entry.moved ? row : null;
  const isDue = isNew || (moved !== null && predictionsAreDue(entry, moved, scheduledMs));
  // Composed before anything is marked as published: if a conversion fails, nothing is lost.
  const changes = {
    id,
    ...entry.news,
    ...operatorsIdentity(entry),
    ...(moved && !isNew ? movement(moved, isDue, deps) : {}),
  };
  if (isDue) show(entry, scheduledMs);
  entry.isNew = false;
  entry.moved = false;
  entry.news = {};
  if (isNew) return { kind: 'track_new', object: id, body: { ...document } };
  return { kind: 'track_update', object: id, body: changes };
}

/** Fields that together reveal an operator id that the transmitter also sends as an identity. */
const naming = ['operator', 'identities', 'lineage'] as const;

/**
 * Returns the fields `naming` if one of them changed and an identity repeats the operator id. Published together, they
 * can be redacted without any other event.
 */
function operatorsIdentity({ document, news }: Entry): Partial<Track> {
  const { operator, identities, lineage } = document;
  if (operator?.operator_id == null || !naming.some((field) => field in news)) return {};
  const values = [...identities.map(({ value }) => value), ...lineage.map(({ identity }) => identity)];
  return values.some((value) => isOperatorId(document, value)) ? { operator, identities, lineage } : {};
}

function movement(row: Float64Array, isDue: boolean, deps: DocumentDeps) {
  const { position, velocity, uncertainty, ...seen } = kinematicFields(row, deps);
  return { position, velocity, uncertainty, ...(isDue ? { predicted: predictedOf(row) } : {}), ...seen };
}

function predictionsAreDue({ shown, predictMs }: Entry, row: Float64Array, scheduledMs: number): boolean {
  return scheduledMs >= predictMs || !isPlaced(row) || shown === null || !isPlaced(shown);
}

/** Remembers that the predictions of the latest row, or none before the first, are published at `scheduledMs`. */
function show(entry: Entry, scheduledMs: number): void {
  entry.predictMs = scheduledMs + PREDICT_MS;
  entry.shown ??= new Float64Array(ROW_WIDTH).fill(Number.NaN);
  if (entry.row) entry.shown.set(entry.row);
}

/** True if `card` brings the first identities of a track since the start of the program. */
export function isFirstNamed(entry: Entry | undefined, { identities }: TrackCard): boolean {
  return identities.length > 0 && (entry?.card?.identities ?? []).length === 0;
}
