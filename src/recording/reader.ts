import { basename } from 'node:path';
import { invalidInput, notFound, sentenceOf } from '../model/fault.ts';
import { restoredTrack } from '../world/restore.ts';
import type { RecordingRecord, RegistrySnapshot } from './records.ts';
import { restoredRow } from './restored_rows.ts';
import { readSegment, type SegmentFile, segmentStart, segmentsIn } from './segment_file.ts';
import { Tables } from './tables.ts';

type Segment = SegmentFile & { fromMs: number; utcMs: number };
type Gap = Extract<RecordingRecord, { kind: 'gap' }>;

/**
 * Reads a recording in its folder. At most one record and the tables are held in memory. Damage results in a gap
 * record, and reading continues at the next segment, which begins with the whole state. A torn record at the end is
 * ignored.
 */
export class RecordingReader {
  readonly #segments: readonly Segment[];
  /** World time of the first and the last record, ms. */
  readonly span: { fromMs: number; toMs: number };
  /** UTC minus world time at the beginning of the recording, ms. */
  readonly utcOffsetMs: number;

  private constructor(segments: readonly Segment[]) {
    this.#segments = segments;
    const [first] = segments;
    const fromMs = first?.fromMs ?? 0;
    this.utcOffsetMs = (first?.utcMs ?? 0) - fromMs;
    let toMs = fromMs;
    // The last record is in the last readable segment.
    for (const segment of segments.slice(-1)) {
      toMs = segment.fromMs;
      for (const decoded of readSegment(segment.path))
        if (decoded.what === 'record') toMs = Math.max(toMs, decoded.record.atMs);
    }
    this.span = { fromMs, toMs };
  }

  /**
   * Opens a recording. Throws a Fault: `not_found` if the folder cannot be read, `invalid_input` if it contains
   * no readable segment.
   */
  static open(folder: string): RecordingReader {
    let files: SegmentFile[];
    try {
      files = segmentsIn(folder);
    } catch (thrown) {
      throw notFound(`the recording ${folder} cannot be read: ${sentenceOf(thrown)}`, { cause: thrown });
    }
    const segments: Segment[] = [];
    for (const file of files) {
      const start = startOf(file);
      const last = segments.at(-1);
      if (start !== null && (last === undefined || start.fromMs >= last.fromMs)) segments.push({ ...file, ...start });
    }
    if (segments.length === 0) throw invalidInput(`the recording ${basename(folder)} contains no readable data`);
    return new RecordingReader(segments);
  }

  /**
   * Returns the world time at which the segment that contains `toMs` begins. A replay runs from there in the background
   * to reach the state at `toMs`.
   */
  seek(toMs: number): number {
    return this.#segments[this.#indexAt(toMs)]?.fromMs ?? this.span.fromMs;
  }

  /**
   * Returns the state at a time. Tables are as of that time. Tracks are as of the beginning of the segment, because
   * their later state follows from the records.
   */
  snapshotAt(ms: number): RegistrySnapshot {
    const segment = this.#segments[this.#indexAt(ms)];
    const tables = new Tables();
    const times = { atMs: segment?.fromMs ?? 0, utcMs: segment?.utcMs ?? 0 };
    for (const decoded of segment ? readSegment(segment.path) : []) {
      if (decoded.what === 'damage') break;
      if (decoded.what !== 'record') continue;
      if (!decoded.isRestated && decoded.record.atMs > ms) break;
      tables.take(decoded.record as never);
    }
    const atMs = Math.max(ms, times.atMs);
    return { atMs, utcMs: atMs + times.utcMs - times.atMs, ...whole(tables, times) };
  }

  /**
   * Yields the input from a time on, in its order. Restated records are left out, except after a missing part: a gap
   * record is then followed by the whole state.
   */
  *records(fromMs = Number.NEGATIVE_INFINITY): Generator<RecordingRecord> {
    let lastMs = this.span.fromMs;
    let sayAll = false;
    for (let i = this.#indexAt(fromMs); i < this.#segments.length; i++) {
      const segment = this.#segments[i] as Segment;
      let torn = 0;
      let damaged: string | null = null;
      for (const decoded of readSegment(segment.path, (bytes) => {
        torn = bytes;
      })) {
        if (decoded.what === 'damage') damaged ??= decoded.sentence;
        if (damaged !== null) break;
        if (decoded.what !== 'record') continue;
        const { record, isRestated } = decoded;
        // World time never goes back: a record with an earlier time gets the time of the previous record.
        lastMs = Math.max(lastMs, record.atMs);
        if (isRestated ? sayAll : record.atMs >= fromMs) yield { ...record, atMs: lastMs };
        if (!isRestated) sayAll = false;
      }
      const isLast = i === this.#segments.length - 1;
      if (damaged === null && (torn === 0 || isLast)) continue;
      sayAll = true;
      yield gap(damaged ?? 'the end of a segment is missing', lastMs, segment, this.#segments[i + 1]);
    }
  }

  /** Returns the index of the last segment that begins at or before a time; 0 if none does. */
  #indexAt(ms: number): number {
    const after = this.#segments.findIndex(({ fromMs }) => fromMs > ms);
    return Math.max(0, (after < 0 ? this.#segments.length : after) - 1);
  }
}

function startOf({ path }: SegmentFile): { fromMs: number; utcMs: number } | null {
  try {
    const start = segmentStart(path);
    return start && { fromMs: start.atMs, utcMs: start.utcMs };
  } catch {
    // The file was deleted, or its permissions forbid reading.
    return null;
  }
}

function gap(why: string, lastMs: number, segment: Segment, next: Segment | undefined): Gap {
  const atMs = next?.fromMs ?? lastMs;
  const utcMs = atMs + segment.utcMs - segment.fromMs;
  const sentence = next ? `${why}; reading continues with the next segment` : `${why}; the recording ends here`;
  return { kind: 'gap', from_ms: lastMs, records: 0, bytes: 0, sentence, atMs, utcMs };
}

type Times = { atMs: number; utcMs: number };

function whole(tables: Tables, { atMs, utcMs }: Times): Omit<RegistrySnapshot, keyof Times> {
  // Anyone may have made the file, so rows that are no valid tracks are left out.
  const tracks = tables.rows('tracks').flatMap((row) => restoredRow('tracks', row) ?? []);
  const [core] = tables.rows('core').flatMap((row) => restoredRow('core', row) ?? []);
  const clock = { nowMs: () => atMs, utcMs: (ms: number) => ms + utcMs - atMs };
  const restored = tracks.map((track) => restoredTrack(track, clock));
  const seed = Buffer.from(core?.seed ?? '', 'hex');
  return { tables, tracks, core: { seed, lastNumber: core?.last_number ?? 0, restored } };
}
