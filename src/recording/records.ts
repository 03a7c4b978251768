import type { PersonsChange } from '../core/messages.ts';
import type { LinkSpec, LinkState } from '../model/link.ts';
import type { ObservationDocument } from '../model/observation.ts';
import type { Track } from '../model/track.ts';
import type { RestoredTrack } from '../model/track_row.ts';
import type { Tables } from './tables.ts';

/** A row of a recorded table. A row without an id of its own has the table's name. */
export type RecordedRow = { id: string; [field: string]: unknown };

/** A link as it is recorded. */
export type LinkRow = RecordedRow & { spec: Pick<LinkSpec, 'name' | 'protocol'> };

/** Tables of a world's state: what operators own, and inputs of the core besides observations. */
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

/** Tables that change all the time: the recorder restates them at each segment; the writer keeps the others. */
export const passingTables: ReadonlySet<RecordedTable> = new Set(['words', 'tracks', 'alerts', 'core']);

/** Change of a table: `all` replaces its rows; `set` adds rows to it. */
export type TableChange =
  | { kind: 'registry'; table: RecordedTable; op: 'all' | 'set'; rows: readonly RecordedRow[] }
  | { kind: 'registry'; table: RecordedTable; op: 'remove'; ids: readonly string[] };

/** Records in JSON. */
export type JsonRecord =
  | TableChange
  /** The first of a segment. */
  | { kind: 'segment'; recording: string; workspace: string; name: string; started_at: string }
  | { kind: 'ingest'; rows: readonly ObservationDocument[] }
  | { kind: 'gone'; link_id: string; from: string }
  | { kind: 'link'; link_id: string; name: string; state: LinkState; error: string | null }
  /** A core was restarted during the recording; its tracks are in the table of tracks. */
  | { kind: 'core'; seed: string; last_number: number }
  /** A person merged or dropped tracks. */
  | { kind: 'change'; change: PersonsChange }
  /** Input lost between `from_ms` and the record's own time; `sentence` gives the reason. */
  | { kind: 'gap'; from_ms: number; records: number; bytes: number; sentence: string };

/** An input of the world: `atMs` in the time of the recorded world, `utcMs` by the clock of the box. */
export type RecordingRecord = { atMs: number; utcMs: number } & (
  | { kind: 'bytes'; linkId: string; from: string; bytes: Uint8Array }
  /** The core made a step at this time, with the oldest `observations` of the waiting observations. */
  | { kind: 'step'; observations: number }
  | Exclude<JsonRecord, { kind: 'segment' }>
);

/** Begin of the core, so that tracks get the same ids and numbers. */
export type RecordedCore = { seed: Uint8Array; lastNumber: number; restored: readonly RestoredTrack[] };

/** State at a time: rows by table, and the core. */
export type RegistrySnapshot = {
  atMs: number;
  utcMs: number;
  /** Tables as they were read: rows are checked for an id only. */
  tables: Tables;
  /** The documents of the tracks that were shown. */
  tracks: readonly Track[];
  core: RecordedCore;
};
