import { Worker } from 'node:worker_threads';
import type { AssessSite } from '../core/assess/configuration.ts';
import type { CoreBeginning, ToCore } from '../core/messages.ts';
import type { Chunk } from '../edge/link/link.ts';
import type { TrackWord } from '../model/assessment.ts';
import { sentenceOf, unavailable } from '../model/fault.ts';
import type { ObservationDocument } from '../model/observation.ts';
import { OBSERVED } from '../model/rows/layouts.ts';
import type { RegistryList } from '../picture/row_events.ts';
import type { LinkRunner } from '../world/link_runner.ts';
import type { WorldTap } from '../world/recorder_hook.ts';
import { RecordEncoder, type Times } from './encoder.ts';
import type { FromThread, ThreadData, ToThread } from './messages.ts';
import type { JsonRecord, LinkRow, RecordedRow, RecordedTable } from './records.ts';
import type { SegmentLimits, Written } from './segment_writer.ts';

/**
 * Longest time before input is passed to the writing thread, ms. A killed process loses the input of this time, and
 * what the thread has not written yet.
 */
const FLUSH_EVERY_MS = 100;
const FLUSH_BYTES = 48 * 1024;
/**
 * Limit of bytes that were passed to the thread and are not written yet. Beyond the limit, received bytes, observations
 * and core steps are dropped until fewer than half as many bytes wait.
 */
const MOST_WAITING = 16 * 1024 * 1024;
/** Largest chunk of received bytes in one record; a larger chunk is split. */
const MOST_CHUNK = 1024 * 1024;
const SEGMENT_BYTES = 8 * 1024 * 1024;
const SEGMENT_MS = 60_000;
const STOP_WITHIN_MS = 5_000;

export type RecorderDeps = {
  nowMs(): number;
  utcMs(worldMs: number): number;
  /**
   * Current state by table. `tables` returns all tables, for the first segment. `passing` returns only tables that
   * change constantly, for each later segment; the writing thread repeats the others.
   */
  tables(): ReadonlyMap<RecordedTable, Iterable<RecordedRow>>;
  passing(): ReadonlyMap<RecordedTable, Iterable<RecordedRow>>;
  /** Current rows of one table, for a change that is reported without its rows. */
  table(table: 'sensors' | 'doctrine'): readonly RecordedRow[];
  links(): readonly LinkRow[];
  core(): { seed: Uint8Array; lastNumber: number };
  /** Called when the recording ends without a request, with the reason. */
  ended(sentence: string): void;
};

type RecorderAbout = { id: string; workspaceId: string; name: string; startedAt: string };

/**
 * Records all input that determines a world's picture, in its order. In the thread of the world it only copies into a
 * buffer; another thread writes. Its methods for input never wait and never throw. Input that is dropped for lack of
 * room is counted, and a gap record reports the loss.
 */
export class Recorder implements WorldTap {
  readonly #about: RecorderAbout;
  readonly #deps: RecorderDeps;
  readonly #data: ThreadData;
  readonly #segmentBytes: number;
  readonly #segmentMs: number;
  readonly #encoder = new RecordEncoder();
  #worker: Worker | null = null;
  #flushing: NodeJS.Timeout | null = null;
  #segmentFromMs = 0;
  #bytesInSegment = 0;
  #waiting = 0;
  #written: Written = { bytes: 0, segments: 0, fromUtcMs: null, toUtcMs: null };
  #dropped = { records: 0, bytes: 0 };
  /** Input dropped since `fromMs`; null while nothing is dropped. */
  #gap: { fromMs: number; records: number; bytes: number } | null = null;
  #gaps = 0;
  #over = false;
  #plan: object | null = null;
  #plans = 0;
  readonly #lastLinks = new Map<string, { spec: string; state: string }>();

  constructor(about: RecorderAbout, folder: string, limits: SegmentLimits, deps: RecorderDeps) {
    this.#about = about;
    this.#deps = deps;
    this.#data = { folder, limits };
    // Segments are smaller for a small limit: with few segments, deleting one would lose a large part at once.
    this.#segmentBytes = Math.min(SEGMENT_BYTES, limits.maxBytes / 8);
    this.#segmentMs = Math.min(SEGMENT_MS, limits.maxMs / 8);
  }

  /** Records the current state. The recorder must receive every change after this call. */
  begin(): void {
    for (const link of this.#deps.links()) this.#lastLinks.set(link.id, { spec: JSON.stringify(link), state: '' });
    this.#beginSegment(this.#deps.tables());
    this.#flushing = setInterval(() => this.#tick(), FLUSH_EVERY_MS);
  }

  /** Ends the recording. Resolves when all input is on the disk, or after 5 s. */
  async stop(): Promise<void> {
    this.#endGap();
    this.#flush();
    this.#over = true;
    if (this.#flushing) clearInterval(this.#flushing);
    const worker = this.#worker;
    if (worker === null) return;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    const late = setTimeout(() => void worker.terminate(), STOP_WITHIN_MS);
    worker.postMessage({ type: 'stop' } satisfies ToThread);
    await ended;
    clearTimeout(late);
  }

  get status() {
    const { records, bytes } = this.#dropped;
    return { ...this.#written, droppedRecords: records, droppedBytes: bytes, gaps: this.#gaps };
  }

  chunk(linkId: string, { bytes, from, atMs }: Chunk): void {
    if (bytes.length > MOST_CHUNK) {
      this.chunk(linkId, { bytes: bytes.subarray(0, MOST_CHUNK), from, atMs });
      this.chunk(linkId, { bytes: bytes.subarray(MOST_CHUNK), from, atMs });
      return;
    }
    if (!this.#hasRoom(bytes.length)) return;
    if (this.#encoder.isFullOfWays) this.#beginSegment(this.#deps.passing());
    this.#encoder.bytes(linkId, from, bytes, { atMs, utcMs: this.#deps.utcMs(atMs) });
    this.#flushIfMany();
  }

  gone(linkId: string, from: string): void {
    this.#json({ kind: 'gone', link_id: linkId, from });
  }

  ingest(rows: readonly ObservationDocument[], atMs: number): void {
    const text = JSON.stringify({ kind: 'ingest', rows });
    if (!this.#hasRoom(text.length)) return;
    const times = { atMs, utcMs: this.#deps.utcMs(atMs) };
    if (!this.#encoder.text(text, times) && rows.length > 1) {
      const half = rows.length >> 1;
      this.ingest(rows.slice(0, half), atMs);
      this.ingest(rows.slice(half), atMs);
    }
    this.#flushIfMany();
  }

  link(link: LinkRunner): void {
    const { id, spec, declared } = link;
    const row = { id, spec, issued_for: declared.issuedFor, of_file: declared.ofFile };
    const said = JSON.stringify(row);
    const { state, lastError } = link.status();
    const was = this.#lastLinks.get(id);
    this.#lastLinks.set(id, { spec: said, state });
    if (was?.spec !== said) this.#json({ kind: 'registry', table: 'links', op: 'set', rows: [row] });
    if (was?.state !== state) this.#json({ kind: 'link', link_id: id, name: spec.name, state, error: lastError });
  }

  linkRemoved(linkId: string): void {
    this.#lastLinks.delete(linkId);
    this.#json({ kind: 'registry', table: 'links', op: 'remove', ids: [linkId] });
  }

  rows(list: RegistryList, rows: readonly { id: string }[]): void {
    this.#table(list, rows as readonly RecordedRow[], 'set');
  }

  removed(list: RegistryList, id: string): void {
    this.#json({ kind: 'registry', table: list, op: 'remove', ids: [id] });
  }

  doctrine(): void {
    this.#table('doctrine', this.#deps.table('doctrine'));
  }

  begun(beginning: CoreBeginning): void {
    this.#json(coreRecord(beginning));
  }

  configured(message: ToCore): void {
    if (message.kind === 'step') this.#step(message.batch.rows.length / OBSERVED.width, message.nowMs);
    else if (message.kind === 'change') this.#json({ kind: 'change', change: message.change }, message.nowMs);
    else if (message.kind === 'sensors') this.#table('sensors', this.#deps.table('sensors'));
    else if (message.kind === 'sensor_states') this.#table('sensor_states', message.sensors as readonly RecordedRow[]);
    else if (message.kind === 'rules') this.#table('rules', message.rules as readonly RecordedRow[]);
    else if (message.kind === 'policy') this.#table('decision', [{ id: 'decision', ...message.policy }]);
    else if (message.kind === 'life') this.#table('life', [{ id: 'life', ...message.life }]);
    else if (message.kind === 'site') this.#site(message.site);
    else if (message.kind === 'words') this.#table('words', message.words.map(wordRow), 'set');
  }

  #step(observations: number, nowMs: number): void {
    if (this.#hasRoom(4)) this.#encoder.step(observations, this.#times(nowMs));
  }

  /**
   * Records a change of the site, such as its zones. The assessor's plan of the site follows from the tables of zones,
   * regions and assets. Therefore only the number of its changes (`plans`) is recorded.
   */
  #site({ plan, listens, utcOffsetMs }: AssessSite): void {
    if (plan !== this.#plan) this.#plans++;
    this.#plan = plan;
    this.#table('site', [{ id: 'site', listens, utc_offset_ms: utcOffsetMs, plans: this.#plans }]);
  }

  #table(table: RecordedTable, rows: Iterable<RecordedRow>, op: 'all' | 'set' = 'all'): void {
    if (this.#over) return;
    this.#encoder.rows(table, op, rows, this.#times());
    this.#flushIfMany();
  }

  /**
   * Records JSON. Such records are never dropped for lack of room, because they are few and all later records depend on
   * them.
   */
  #json(record: JsonRecord, atMs = this.#deps.nowMs()): void {
    if (this.#over) return;
    this.#encoder.json(record, this.#times(atMs));
    this.#flushIfMany();
  }

  #times(atMs = this.#deps.nowMs()): Times {
    return { atMs, utcMs: this.#deps.utcMs(atMs) };
  }

  /**
   * Returns true if input of `bytes` bytes may be recorded. Otherwise counts it as lost, unless the recording has
   * ended.
   */
  #hasRoom(bytes: number): boolean {
    if (this.#over) return false;
    if (this.#gap === null && this.#waiting < MOST_WAITING) return true;
    if (this.#gap !== null && this.#waiting < MOST_WAITING / 2) {
      this.#endGap();
      return true;
    }
    this.#gap ??= { fromMs: this.#deps.nowMs(), records: 0, bytes: 0 };
    this.#gap.records++;
    this.#gap.bytes += bytes;
    this.#dropped.records++;
    this.#dropped.bytes += bytes;
    return false;
  }

  #endGap(): void {
    if (this.#gap === null) return;
    const { fromMs, records, bytes } = this.#gap;
    this.#gap = null;
    this.#gaps++;
    const sentence = 'the disk was slower than the received data';
    this.#json({ kind: 'gap', from_ms: fromMs, records, bytes, sentence });
  }

  #tick(): void {
    this.#flush();
    const isLong = this.#deps.nowMs() - this.#segmentFromMs >= this.#segmentMs;
    if (isLong || this.#bytesInSegment >= this.#segmentBytes) this.#beginSegment(this.#deps.passing());
  }

  #flushIfMany(): void {
    if (this.#encoder.length >= FLUSH_BYTES) this.#flush();
  }

  #flush(): void {
    const bytes = this.#encoder.take();
    if (bytes === null || this.#over) return;
    this.#waiting += bytes.length;
    this.#bytesInSegment += bytes.length;
    this.#worker?.postMessage({ type: 'batch', bytes } satisfies ToThread, [bytes.buffer as ArrayBuffer]);
  }

  #beginSegment(tables: ReadonlyMap<RecordedTable, Iterable<RecordedRow>>): void {
    const { id, workspaceId, name, startedAt } = this.#about;
    const times = this.#times();
    this.#encoder.forgetWays();
    this.#encoder.json({ kind: 'segment', recording: id, workspace: workspaceId, name, started_at: startedAt }, times);
    this.#encoder.json(coreRecord(this.#deps.core()), times, true);
    for (const [table, rows] of tables) this.#encoder.rows(table, 'all', rows, times, true);
    this.#segmentFromMs = times.atMs;
    this.#flush();
    // The size of restated tables is left out. Otherwise a large registry would fill each segment at once.
    this.#bytesInSegment = 0;
  }

  /**
   * Starts the writing thread, and resolves once it is ready. Rejects with a Fault `unavailable` if the thread
   * cannot write.
   */
  open(): Promise<void> {
    const worker = new Worker(new URL('./thread.js', import.meta.url), {
      name: 'recording',
      workerData: this.#data,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 4, stackSizeMb: 2 },
    });
    this.#worker = worker;
    return new Promise((resolve, reject) => {
      let why = 'its writer ended without an error message';
      worker.on('error', (thrown) => {
        why = sentenceOf(thrown);
      });
      worker.on('message', (message: FromThread) => {
        if (message.type === 'ready') return resolve();
        this.#written = message.now;
        if (message.type === 'written') this.#waiting -= message.batchBytes;
        else if (message.sentence !== null) why = message.sentence;
      });
      worker.on('exit', () => {
        this.#worker = null;
        reject(unavailable(`the recording cannot begin: ${why}`));
        if (this.#over) return;
        this.#over = true;
        if (this.#flushing) clearInterval(this.#flushing);
        this.#deps.ended(why);
      });
    });
  }
}

function coreRecord({ seed, lastNumber }: Pick<CoreBeginning, 'seed' | 'lastNumber'>): JsonRecord {
  return { kind: 'core', seed: Buffer.from(seed).toString('hex'), last_number: lastNumber };
}

function wordRow(word: TrackWord): RecordedRow {
  return { id: String(word.number), ...word };
}
