import type { PersonsChange } from '../core/messages.ts';
import type { LinkSpec, LinkState } from '../model/link.ts';
import type { ObservationDocument } from '../model/observation.ts';
import type { Track } from '../model/track.ts';
import type { RestoredTrack } from '../model/track_row.ts';
import type { Tables } from './tables.ts';

/** A row of a recorded table. In a table with only one row, the id of that row is the table's name. */
export type RecordedRow = { id: string; [field: string]: unknown };

/** A link as a row of the table `links`. */
export type LinkRow = RecordedRow & { spec: Pick<LinkSpec, 'name' | 'protocol'> };

/** Recorded tables of a world's state: what operators own, and inputs of the core besides observations. */
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

/**
 * Tables that change constantly. At each new segment the recorder writes their current rows; the writer thread repeats
 * the rows of all other tables.
 */
export const passingTables: ReadonlySet<RecordedTable> = new Set(['words', 'tracks', 'alerts', 'core']);

/** Change of a table: `all` replaces its rows, `set` adds or replaces rows, `remove` deletes rows. */
export type TableChange =
  | { kind: 'registry'; table: RecordedTable; op: 'all' | 'set'; rows: readonly RecordedRow[] }
  | { kind: 'registry'; table: RecordedTable; op: 'remove'; ids: readonly string[] };

/** Records that are stored as JSON. */
export type JsonRecord =
  | TableChange
  /** The first record of a segment. */
  | { kind: 'segment'; recording: string; workspace: string; name: string; started_at: string }
  | { kind: 'ingest'; rows: readonly ObservationDocument[] }
  | { kind: 'gone'; link_id: string; from: string }
  | { kind: 'link'; link_id: string; name: string; state: LinkState; error: string | null }
  /**
   * A core began. Each segment repeats this record at its beginning, marked as restated. A restart of the core during
   * the recording adds a record without the mark. The tracks of the core are in the table `tracks`.
   */
  | { kind: 'core'; seed: string; last_number: number }
  /** A person merged or dropped tracks. */
  | { kind: 'change'; change: PersonsChange }
  /** Input was lost between `from_ms` and the record's time. `sentence` gives the reason. */
  | { kind: 'gap'; from_ms: number; records: number; bytes: number; sentence: string };

/** An input of the recorded world. `atMs`: its world time. `utcMs`: UTC by the clock of the recording machine, ms. */
export type RecordingRecord = { atMs: number; utcMs: number } & (
  | { kind: 'bytes'; linkId: string; from: string; bytes: Uint8Array }
  /** The core made a step at this time. In this step it took the given number of observations from its queue. */
  | { kind: 'step'; observations: number }
  | Exclude<JsonRecord, { kind: 'segment' }>
);

/** Initial state of the core. With this state, a replay gives tracks the same ids and numbers. */
export type RecordedCore = { seed: Uint8Array; lastNumber: number; restored: readonly RestoredTrack[] };

/** State at a time: rows by table, tracks, and the core. */
export type RegistrySnapshot = {
  atMs: number;
  utcMs: number;
  /** Tables as they were read. Only the ids of their rows are checked. */
  tables: Tables;
  /** Documents of the tracks in the picture. */
  tracks: readonly Track[];
  core: RecordedCore;
};
