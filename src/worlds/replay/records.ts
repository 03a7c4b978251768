import type { PersonsChange } from '../../core/messages.ts';
import type { LinkState } from '../../model/link.ts';
import type { ObservationDocument } from '../../model/observation.ts';
import type { Track } from '../../model/track.ts';
import type { RestoredTrack } from '../../model/track_row.ts';

/** A row of a recorded table. What has no id of its own has the table's name. */
export type RecordedRow = { id: string; [field: string]: unknown };

/** What a world goes by, a table for each: what operators own, and what the core was told beside observations. */
export const recordedTables = [
  'settings',
  'links',
  'link_states',
  'sensors',
  'sensor_states',
  'assets',
  'assignments',
  'zones',
  'regions',
  'rules',
  'decision',
  'doctrine',
  'site',
  'life',
  'words',
  'tracks',
  'alerts',
  'core',
] as const;
export type RecordedTable = (typeof recordedTables)[number];

/** These change all the time: whoever records says them anew at each segment, where others are kept beside the file. */
export const passingTables: ReadonlySet<RecordedTable> = new Set(['words', 'tracks', 'alerts', 'core']);

/** `all` puts rows in the place of what the table held; `set` puts them beside it. */
export type TableChange =
  | { kind: 'registry'; table: RecordedTable; op: 'all' | 'set'; rows: readonly RecordedRow[] }
  | { kind: 'registry'; table: RecordedTable; op: 'remove'; ids: readonly string[] };

/** What is kept as JSON. */
export type JsonRecord =
  | TableChange
  /** The first of a segment. */
  | { kind: 'segment'; recording: string; workspace: string; name: string; started_at: string }
  | { kind: 'ingest'; rows: readonly ObservationDocument[] }
  | { kind: 'gone'; link_id: string; from: string }
  | { kind: 'link'; link_id: string; name: string; state: LinkState; error: string | null }
  /** A core was begun anew while the recording went on; what it remembered is in the table of tracks. */
  | { kind: 'core'; seed: string; last_number: number }
  /** A person merged or dropped tracks. */
  | { kind: 'change'; change: PersonsChange }
  /** So much could not be kept between `from_ms` and the record's own time; `sentence` says why. */
  | { kind: 'gap'; from_ms: number; records: number; bytes: number; sentence: string };

/** Something that entered the world, with when: `atMs` in the time of the recorded world, `utcMs` as the box told it then. */
export type RecordingRecord = { atMs: number; utcMs: number } & (
  | { kind: 'bytes'; linkId: string; from: string; bytes: Uint8Array }
  /** The core made a step at this time, with so many of the observations that had come to it, the first first. */
  | { kind: 'step'; observations: number }
  | Exclude<JsonRecord, { kind: 'segment' }>
);

/** What the core is to be begun with, so that tracks get the ids and numbers that they had. */
export type RecordedCore = { seed: Uint8Array; lastNumber: number; restored: readonly RestoredTrack[] };

/** What held at a time: rows by table, and the core. */
export type RegistrySnapshot = {
  atMs: number;
  utcMs: number;
  tables: Readonly<Record<RecordedTable, readonly RecordedRow[]>>;
  /** The documents of the tracks that were shown. */
  tracks: readonly Track[];
  core: RecordedCore;
};
