import type { Fault } from '../../model/fault.ts';
import { isDiskFull, reasonOf } from '../failures.ts';
import type { DayRow } from './day_file.ts';
import { DayFiles } from './day_files.ts';
import { DAY_MS, type Day, dayOf, dayStartMs } from './days.ts';
import { noneDropped } from './dropped.ts';
import type { HeldSpan } from './held.ts';
import type { FromThread, ThreadData } from './messages.ts';
import { kinds } from './packed.ts';
import { answer, type Question } from './queries.ts';
import { type HistoryLimits, type Pruned, Retention } from './retention.ts';
import { afterRow, type Batch, rowsOf, timeOfRow } from './row_bytes.ts';
import type { RawPage } from './selecting.ts';

export type EngineClock = { readonly wallMs: () => number; readonly monotonicMs: () => number };

const commitRows = 1_000;
/**
 * Age in this thread at which rows of a busy time are committed, ms, if no 1 000 of them wait before. Rows of a quiet time
 * wait up to 900 ms in the main thread instead, and are due when they come.
 */
export const commitAfterMs = 500;
/**
 * Shortest interval between two syncs, ms. It is shorter than the interval of commits, so only few committed rows wait
 * for a sync when the power fails.
 */
const syncEveryMs = 400;
const retryAfterMs = 1_000;
const housekeepEveryMs = 60_000;
const housekeepRows = 50_000;

/**
 * History writer, without the thread in which it runs. It takes batches, commits them together, limits the history and
 * answers queries. A batch is acknowledged after its commit. The engine never drops a batch: while the disk refuses
 * writes, the sender's limit decides which rows are lost.
 */
export class HistoryEngine {
  readonly #files: DayFiles;
  readonly #retention: Retention;
  readonly #clock: EngineClock;
  readonly #send: (message: FromThread) => void;
  #pending: Batch[] = [];
  #pendingRows = 0;
  #pendingSinceMs = 0;
  #rowsSinceHousekeeping = 0;
  #housekeptMs = Number.NEGATIVE_INFINITY;
  #housekeptDay: Day = '';
  #refusalPublishedMs = Number.NEGATIVE_INFINITY;
  #trouble: string | null = null;
  #triedMs = 0;
  #syncedMs = Number.NEGATIVE_INFINITY;
  #unsynced: string | null = null;
  #overLimit: string | null = null;
  #note: string | null = null;
  #bytes = 0;
  #heldBytes = 0;
  #published = '';

  constructor(data: ThreadData, clock: EngineClock, send: (message: FromThread) => void) {
    const report = (fault: Fault): void => send({ type: 'fault', code: fault.code, sentence: fault.message });
    this.#files = new DayFiles(data.folder, data.session, report, clock.monotonicMs);
    const pruned = (pruned: Pruned): void => send({ type: 'pruned', ...pruned });
    this.#retention = new Retention(this.#files, data.retention, { fault: report, pruned }, data.held);
    this.#clock = clock;
    this.#send = send;
  }

  take(batch: Batch): void {
    if (this.#pending.length === 0) this.#pendingSinceMs = this.#clock.monotonicMs();
    this.#pending.push(batch);
    this.#pendingRows += rowsOf(batch.spans);
    if (this.#pendingRows >= commitRows && this.#trouble === null) this.commit();
  }

  get hasWaiting(): boolean {
    return this.#pending.length > 0;
  }

  /**
   * Commits rows that are due, syncs committed ones, retries after a disk fault, and deletes old days. Call it at least
   * once per second. `areDue`: all rows are, whatever their age.
   */
  tick({ areDue = false } = {}): void {
    const now = this.#clock.monotonicMs();
    const since =
      this.#trouble === null
        ? areDue || now - this.#pendingSinceMs >= commitAfterMs
        : now - this.#triedMs >= retryAfterMs;
    if (since) this.commit();
    if (now - this.#syncedMs >= syncEveryMs) this.#sync();
    const day = dayOf(this.#clock.wallMs());
    const due = now - this.#housekeptMs >= housekeepEveryMs || this.#rowsSinceHousekeeping >= housekeepRows;
    if (due || day !== this.#housekeptDay) this.#housekeep(day, now);
  }

  /** Writes all waiting rows, in transactions of about 1 000 rows. If the disk refuses, the rows keep waiting. */
  commit(): void {
    if (this.#pending.length === 0) return;
    this.#triedMs = this.#clock.monotonicMs();
    try {
      while (this.#pending.length > 0) this.#writeSome();
    } catch (thrown) {
      this.#recover(thrown);
    }
    this.#publish();
  }

  /** Syncs committed rows. This runs in the history's own thread, so a slow disk delays nothing else. */
  #sync(): void {
    try {
      this.#files.sync();
      this.#unsynced = null;
    } catch (thrown) {
      this.#unsynced = `The history in ${this.#files.folder} cannot be synced to its disk: ${reasonOf(thrown)}; its last rows would be lost in a power failure.`;
    }
    this.#syncedMs = this.#clock.monotonicMs();
    this.#publish();
  }

  /** Sets limits and holds, and applies both at once. */
  keep(retention: HistoryLimits, held: readonly HeldSpan[]): void {
    this.#retention.set(retention, held);
    this.#housekeep(dayOf(this.#clock.wallMs()), this.#clock.monotonicMs());
  }

  ask(question: Question): RawPage {
    this.commit();
    return answer(this.#files, question);
  }

  close(): void {
    this.commit();
    this.#files.closeAll();
  }

  #recover(thrown: unknown): void {
    const today = dayOf(this.#clock.wallMs());
    try {
      if (!isDiskFull(thrown) || !this.#retention.makeRoom(today, this.#triedMs)) throw thrown;
      while (this.#pending.length > 0) this.#writeSome();
    } catch (again) {
      const what = isDiskFull(again) ? 'its disk is full' : reasonOf(again);
      this.#trouble = `The history in ${this.#files.folder} cannot be written: ${what}; rows wait, and the oldest detections are dropped first.`;
    }
  }

  #writeSome(): void {
    const batches = this.#nextBatches();
    const refused = noneDropped();
    for (const [day, rows] of this.#byDay(batches)) {
      const here = this.#files.write(day, (file) => file.insert(rows, (thrown) => this.#publishRefusal(thrown)));
      for (const kind of kinds) refused[kind] += here[kind];
    }
    this.#pending.splice(0, batches.length);
    const rows = rowsOfAll(batches);
    this.#pendingRows -= rows;
    this.#rowsSinceHousekeeping += rows;
    this.#trouble = null;
    this.#send({ type: 'committed', seq: batches.at(-1)?.seq ?? 0, refused, atMs: this.#clock.wallMs() });
  }

  /**
   * Returns the batches of the next transaction. After a disk fault this is a single batch: with little free space, the
   * first rows should not wait until all rows fit.
   */
  #nextBatches(): Batch[] {
    const batches = this.#pending.slice(0, 1);
    for (const batch of this.#trouble === null ? this.#pending.slice(1) : []) {
      if (rowsOfAll(batches) + rowsOf(batch.spans) > commitRows) break;
      batches.push(batch);
    }
    return batches;
  }

  /**
   * Groups rows by the UTC day of their time. A row with an impossible time (before the kept days, or more than a day
   * ahead) gets the current time.
   */
  #byDay(batches: readonly Batch[]): Map<Day, DayRow[]> {
    const now = this.#clock.wallMs();
    const earliest = dayStartMs(this.#retention.oldestDay());
    const days = new Map<Day, DayRow[]>();
    let rows: DayRow[] = [];
    let [startMs, endMs] = [0, 0];
    for (const batch of batches) {
      for (const row of rowsIn(batch)) {
        const atMs = row.atMs >= earliest && row.atMs <= now + DAY_MS ? row.atMs : now;
        if (atMs < startMs || atMs >= endMs) {
          const day = dayOf(atMs);
          [startMs, endMs] = [dayStartMs(day), dayStartMs(day) + DAY_MS];
          rows = days.get(day) ?? [];
          days.set(day, rows);
        }
        rows.push(atMs === row.atMs ? row : { ...row, atMs });
      }
    }
    return days;
  }

  #housekeep(today: Day, now: number): void {
    try {
      this.#files.closeIdle(today);
      const kept = this.#retention.enforce(today);
      this.#bytes = kept.bytes;
      this.#heldBytes = kept.heldBytes;
      this.#note = kept.note;
      this.#overLimit = kept.text;
      if (kept.again) return;
    } catch (thrown) {
      this.#overLimit = `The history in ${this.#files.folder} cannot be kept within its limits: ${reasonOf(thrown)}.`;
    } finally {
      this.#publish();
    }
    this.#housekeptMs = now;
    this.#housekeptDay = today;
    this.#rowsSinceHousekeeping = 0;
  }

  #publish(): void {
    const text = this.#trouble ?? this.#unsynced ?? this.#overLimit;
    const news = `${this.#bytes} ${this.#heldBytes} ${this.#note} ${text}`;
    if (news === this.#published) return;
    this.#published = news;
    this.#send({ type: 'condition', text, note: this.#note, bytes: this.#bytes, heldBytes: this.#heldBytes });
  }

  /**
   * Reports a row that no table accepts, at most once a minute. Such a row is a fault of the daemon. Every refused row
   * is counted, also between two reports.
   */
  #publishRefusal(thrown: unknown): void {
    const now = this.#clock.monotonicMs();
    if (now - this.#refusalPublishedMs < 60_000) return;
    this.#refusalPublishedMs = now;
    this.#send({
      type: 'fault',
      code: 'internal',
      sentence: `A row of the history could not be stored and was dropped: ${reasonOf(thrown)}.`,
    });
  }
}

function rowsOfAll(batches: readonly Batch[]): number {
  return batches.reduce((sum, { spans }) => sum + rowsOf(spans), 0);
}

/** Finds the rows of a batch in their memory; their values are read only while they are inserted. */
function rowsIn({ seq, spans }: Batch): DayRow[] {
  const rows: DayRow[] = [];
  for (const { kind, bytes, start, end } of spans) {
    const view = Buffer.from(bytes);
    for (let at = start; at < end; at = afterRow(view, at))
      rows.push({ batch: seq, kind, atMs: timeOfRow(view, at), bytes: view, at });
  }
  return rows;
}
