import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Recording, recordingSchema } from '../../model/recording.ts';
import { uuid } from '../../model/scalar.ts';
import { formatTime } from '../../model/time.ts';
import { makeFolder } from '../../store/folder.ts';
import { moveIntoPlace, syncPath } from '../../store/place.ts';
import { readSegment, segmentsIn } from './segment_file.ts';

const DOCUMENT = 'recording.json';
const REMOVED = '.removed';

/** A recording with the workspace that it is of. */
export type Shelved = { workspaceId: string; recording: Recording };

/**
 * The recordings of a box: a folder for each, with its segments and a document that says what it is. Nothing of them is in
 * a database, so that what somebody takes away or brings by hand is gone or there, and what is there can be copied whole.
 */
export class RecordingShelf {
  readonly folder: string;

  constructor(dataDir: string) {
    this.folder = join(dataDir, 'recordings');
  }

  folderOf(id: string): string {
    return join(this.folder, id);
  }

  has(id: string): boolean {
    return existsSync(this.folderOf(id));
  }

  /**
   * The recordings of a workspace that begins to work, as their folders say. One whose process ended is `interrupted`; one
   * without a document gets one. Those of others may be going on.
   */
  load(workspaceId: string): Shelved[] {
    if (!existsSync(this.folder)) return [];
    const found: Shelved[] = [];
    for (const id of readdirSync(this.folder)) {
      if (id.endsWith(REMOVED)) rmSync(this.folderOf(id), { recursive: true, force: true });
      else if (uuid.safeParse(id).success) found.push(...this.#loadOne(id, workspaceId));
    }
    return found.sort((a, b) => (a.recording.started_at < b.recording.started_at ? 1 : -1));
  }

  save({ workspaceId, recording }: Shelved): void {
    const folder = this.folderOf(recording.id);
    makeFolder(folder);
    const text = JSON.stringify({ workspace_id: workspaceId, ...recording }, null, 2);
    moveIntoPlace(join(folder, DOCUMENT), (part) => writeFileSync(part, `${text}\n`, { mode: 0o640 }));
  }

  /** What all of them take, or may take where they go on. */
  usedBytes(): number {
    if (!existsSync(this.folder)) return 0;
    let used = 0;
    for (const id of readdirSync(this.folder)) {
      if (!uuid.safeParse(id).success) continue;
      const recording = this.#read(id)?.recording;
      if (recording?.state === 'recording') used += recording.max_bytes;
      else for (const { bytes } of segmentsIn(this.folderOf(id))) used += bytes;
    }
    return used;
  }

  freeBytes(): number {
    makeFolder(this.folder);
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize;
  }

  /** Under another name first: a folder that is half gone is no recording. */
  remove(id: string): void {
    const gone = `${this.folderOf(id)}${REMOVED}`;
    if (!existsSync(this.folderOf(id))) return;
    renameSync(this.folderOf(id), gone);
    syncPath(this.folder);
    rmSync(gone, { recursive: true, force: true });
  }

  #loadOne(id: string, workspaceId: string): Shelved[] {
    try {
      const kept = this.#read(id) ?? this.#guessed(id);
      if (kept?.workspaceId !== workspaceId) return [];
      const { recording } = kept;
      const files = segmentsIn(this.folderOf(id));
      recording.bytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
      recording.segments = files.length;
      if (recording.state === 'recording') {
        const toUtcMs = lastUtcMs(files.at(-1)?.path);
        recording.state = 'interrupted';
        recording.reason = 'the service ended while it was recording';
        recording.to_at = toUtcMs === null ? null : formatTime(toUtcMs);
        recording.ended_at = recording.to_at;
        recording.from_at = fromAt(files[0]?.path) ?? recording.from_at;
        this.save(kept);
      }
      return [kept];
    } catch {
      // What cannot be read is none of ours to list; it stays where it is.
      return [];
    }
  }

  #read(id: string): Shelved | null {
    try {
      const { workspace_id, ...rest } = JSON.parse(readFileSync(join(this.folderOf(id), DOCUMENT), 'utf8'));
      const recording = recordingSchema.parse({ ...rest, id });
      return { workspaceId: String(workspace_id), recording };
    } catch {
      return null;
    }
  }

  /** What its segments say of a recording whose document is lost. */
  #guessed(id: string): Shelved | null {
    const [first] = segmentsIn(this.folderOf(id));
    for (const decoded of first ? readSegment(first.path, undefined, 4_096) : []) {
      if (decoded.what !== 'segment') return null;
      const { workspace: workspaceId, name, started_at } = decoded.segment;
      const limits = { max_s: 86_400, max_bytes: 1_073_741_824 };
      const none = { gaps: 0, dropped_records: 0, dropped_bytes: 0, bytes: 0, segments: 0, links: [] };
      const times = { started_at, ended_at: null, from_at: formatTime(decoded.utcMs), to_at: null };
      const said = { id, name, state: 'recording', reason: null, started_by: 'system', ...times, ...none, ...limits };
      return { workspaceId, recording: recordingSchema.parse(said) };
    }
    return null;
  }
}

function lastUtcMs(path: string | undefined): number | null {
  let last: number | null = null;
  for (const decoded of path === undefined ? [] : readSegment(path)) {
    if (decoded.what === 'record') last = decoded.record.utcMs;
    else if (decoded.what === 'segment') last = decoded.utcMs;
    else if (decoded.what === 'damage') break;
  }
  return last;
}

function fromAt(path: string | undefined): string | null {
  for (const decoded of path === undefined ? [] : readSegment(path, undefined, 4_096))
    return decoded.what === 'segment' ? formatTime(decoded.utcMs) : null;
  return null;
}
