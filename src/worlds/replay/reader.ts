import { basename } from 'node:path';
import { Fault, sentenceOf } from '../../model/fault.ts';
import { trackSchema } from '../../model/track.ts';
import { restoredTrack } from '../restore.ts';
import type { RecordedCore, RecordingRecord, RegistrySnapshot } from './records.ts';
import { readSegment, type SegmentFile, segmentsIn } from './segment_file.ts';
import { Tables } from './tables.ts';

type Segment = SegmentFile & { fromMs: number; utcMs: number };
type Gap = Extract<RecordingRecord, { kind: 'gap' }>;

/**
 * Reads a recording in its folder. It holds a record at a time and the tables, never more. What is damaged it tells as a
 * gap and goes on at the next segment, which begins with all that holds; what was torn off at the end is not there.
 */
export class RecordingReader {
  readonly #segments: readonly Segment[];
  /** World time of the first and the last record. */
  readonly span: { fromMs: number; toMs: number };
  /** What is added to world time for UTC, as it was at the beginning. */
  readonly utcOffsetMs: number;

  private constructor(segments: readonly Segment[]) {
    this.#segments = segments;
    const [first] = segments;
    const fromMs = first?.fromMs ?? 0;
    this.utcOffsetMs = (first?.utcMs ?? 0) - fromMs;
    let toMs = fromMs;
    // The last whole segment says where it ends; one that says nothing gives way to the one before it.
    for (const segment of segments.slice(-1)) {
      toMs = segment.fromMs;
      for (const decoded of readSegment(segment.path))
        if (decoded.what === 'record') toMs = Math.max(toMs, decoded.record.atMs);
    }
    this.span = { fromMs, toMs };
  }

  /** Throws a Fault: `not_found` where there is no folder, `invalid_input` where nothing in it can be read. */
  static open(folder: string): RecordingReader {
    let files: SegmentFile[];
    try {
      files = segmentsIn(folder);
    } catch (thrown) {
      throw new Fault('not_found', `the recording ${folder} cannot be read: ${sentenceOf(thrown)}`, { cause: thrown });
    }
    const segments: Segment[] = [];
    for (const file of files) {
      const start = startOf(file);
      const last = segments.at(-1);
      if (start !== null && (last === undefined || start.fromMs >= last.fromMs)) segments.push({ ...file, ...start });
    }
    if (segments.length === 0)
      throw new Fault('invalid_input', `the recording ${basename(folder)} holds nothing that can be read`);
    return new RecordingReader(segments);
  }

  /** What held when the recording begins. */
  get core(): RecordedCore {
    return this.snapshotAt(this.span.fromMs).core;
  }

  /** From where a replay is to run, unseen, so that it is at `toMs` what the world was: the beginning of its segment. */
  seek(toMs: number): { fromMs: number; snapshot: RegistrySnapshot } {
    const fromMs = this.#segments[this.#indexAt(toMs)]?.fromMs ?? this.span.fromMs;
    return { fromMs, snapshot: this.snapshotAt(fromMs) };
  }

  /**
   * What held at a time. The tables are as of then; the tracks are those of the beginning of the segment, since what
   * became of them since follows from the records.
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
    return {
      atMs: Math.max(ms, times.atMs),
      utcMs: Math.max(ms, times.atMs) + times.utcMs - times.atMs,
      ...whole(tables, times),
    };
  }

  /**
   * What entered from a time on, in the order in which it did. What segments say again is left out, but where something
   * is missing: there a gap is told, and then everything that holds.
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
        // Time never goes back in a world, whatever a file says.
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

  /** Where something is missing: what the recording says itself, and what is damaged. At most so many. */
  gaps(most = 1_000): Gap[] {
    const gaps: Gap[] = [];
    for (const record of this.records()) {
      if (record.kind === 'gap') gaps.push(record);
      if (gaps.length >= most) break;
    }
    return gaps;
  }

  /** The last segment that begins before a time, else the first. */
  #indexAt(ms: number): number {
    const after = this.#segments.findIndex(({ fromMs }) => fromMs > ms);
    return Math.max(0, (after < 0 ? this.#segments.length : after) - 1);
  }
}

function startOf({ path }: SegmentFile): { fromMs: number; utcMs: number } | null {
  try {
    for (const decoded of readSegment(path, undefined, 4_096))
      return decoded.what === 'segment' ? { fromMs: decoded.atMs, utcMs: decoded.utcMs } : null;
    return null;
  } catch {
    // It went, or may not be read.
    return null;
  }
}

function gap(why: string, lastMs: number, segment: Segment, next: Segment | undefined): Gap {
  const atMs = next?.fromMs ?? lastMs;
  const utcMs = atMs + segment.utcMs - segment.fromMs;
  const sentence = next ? `${why}; it goes on with the next segment` : `${why}; here it ends`;
  return { kind: 'gap', from_ms: lastMs, records: 0, bytes: 0, sentence, atMs, utcMs };
}

function whole(
  tables: Tables,
  { atMs, utcMs }: { atMs: number; utcMs: number },
): Omit<RegistrySnapshot, 'atMs' | 'utcMs'> {
  // Of a file that somebody made: what is no track is not begun with.
  const tracks = tables.rows('tracks').flatMap((row) => trackSchema.safeParse(row).data ?? []);
  const [core] = tables.rows('core') as unknown as ({ seed: string; last_number: number } | undefined)[];
  const clock = { nowMs: () => atMs, utcMs: (ms: number) => ms + utcMs - atMs };
  const restored = tracks.map((track) => restoredTrack(track, clock));
  return {
    tables: tables.all(),
    tracks,
    core: { seed: Buffer.from(core?.seed ?? '', 'hex'), lastNumber: core?.last_number ?? 0, restored },
  };
}
