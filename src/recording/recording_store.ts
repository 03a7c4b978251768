import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Recording, recordingSchema } from '../model/recording.ts';
import { uuid } from '../model/scalar.ts';
import { formatTime } from '../model/time.ts';
import { makeFolder } from '../store/folder.ts';
import { moveIntoPlace, syncPath } from '../store/place.ts';
import { readSegment, segmentStart, segmentsIn } from './segment_file.ts';

const DOCUMENT = 'recording.json';
const REMOVED = '.removed';

/** A recording and the id of its workspace. */
export type StoredRecording = { workspaceId: string; recording: Recording };

/**
 * Stores the recordings of this machine: one folder each, with its segments and a document. No database refers to them,
 * so people can move and copy folders.
 */
export class RecordingStore {
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
   * Reads the recordings of a workspace from their folders, at the start of the workspace. A recording whose process
   * died while it ran becomes `interrupted`. A recording without a document gets one. Recordings of other workspaces
   * may be running, so they are not changed.
   */
  load(workspaceId: string): StoredRecording[] {
    if (!existsSync(this.folder)) return [];
    const found: StoredRecording[] = [];
    for (const id of readdirSync(this.folder)) {
      if (id.endsWith(REMOVED)) rmSync(this.folderOf(id), { recursive: true, force: true });
      else if (uuid.safeParse(id).success) found.push(...this.#loadOne(id, workspaceId));
    }
    return found.sort((a, b) => (a.recording.started_at < b.recording.started_at ? 1 : -1));
  }

  save({ workspaceId, recording }: StoredRecording): void {
    const folder = this.folderOf(recording.id);
    makeFolder(folder);
    const text = JSON.stringify({ workspace_id: workspaceId, ...recording }, null, 2);
    moveIntoPlace(join(folder, DOCUMENT), (part) => writeFileSync(part, `${text}\n`, { mode: 0o640 }));
  }

  /** Returns the bytes of all recordings. A running recording counts with its size limit. */
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

  /** Deletes a recording. The folder is renamed first, so that a partly deleted folder does not count as a recording. */
  remove(id: string): void {
    const gone = `${this.folderOf(id)}${REMOVED}`;
    if (!existsSync(this.folderOf(id))) return;
    renameSync(this.folderOf(id), gone);
    syncPath(this.folder);
    rmSync(gone, { recursive: true, force: true });
  }

  #loadOne(id: string, workspaceId: string): StoredRecording[] {
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
        const start = files[0] ? segmentStart(files[0].path) : null;
        if (start !== null) recording.from_at = formatTime(start.utcMs);
        this.save(kept);
      }
      return [kept];
    } catch {
      // A folder that cannot be read is not listed, and is left unchanged.
      return [];
    }
  }

  #read(id: string): StoredRecording | null {
    try {
      const { workspace_id, ...rest } = JSON.parse(readFileSync(join(this.folderOf(id), DOCUMENT), 'utf8'));
      const recording = recordingSchema.parse({ ...rest, id });
      return { workspaceId: String(workspace_id), recording };
    } catch {
      return null;
    }
  }

  /** Creates a document for a recording without one, from its first segment. */
  #guessed(id: string): StoredRecording | null {
    const [first] = segmentsIn(this.folderOf(id));
    const start = first ? segmentStart(first.path) : null;
    if (start === null) return null;
    const { workspace: workspaceId, name, started_at } = start.segment;
    const limits = { max_s: 86_400, max_bytes: 1_073_741_824 };
    const none = { gaps: 0, dropped_records: 0, dropped_bytes: 0, bytes: 0, segments: 0, links: [] };
    const times = { started_at, ended_at: null, from_at: formatTime(start.utcMs), to_at: null };
    const row = { id, name, state: 'recording', reason: null, started_by: 'system', ...times, ...none, ...limits };
    return { workspaceId, recording: recordingSchema.parse(row) };
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
