import { randomUUID } from 'node:crypto';
import { type Actor, systemActor } from '../model/actor.ts';
import type { LogEvent, Severity } from '../model/event.ts';
import { Listeners } from '../model/listeners.ts';
import type { LogKind } from '../model/log_kind.ts';
import { formatTime } from '../model/time.ts';
import { type AuditEntry, type AuditRow, AuditRows } from './audit.ts';
import type { LogCounter } from './log_counter.ts';
import type { State } from './state.ts';

/** Greatest size of `before` and of `after` in an audit row, bytes of JSON. */
export const DEED_BYTES = 16 * 1024;

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type Measure = { entries: number; chars: number; depth: number };

/** Limits of a shortened value, from generous to sparse. The first limits that make the value small enough are used. */
const measures: readonly Measure[] = [
  { entries: 20, chars: 200, depth: 6 },
  { entries: 8, chars: 80, depth: 4 },
  { entries: 3, chars: 40, depth: 2 },
];

/**
 * Converts a value to JSON without undefined fields. If the JSON exceeds `DEED_BYTES`, returns a summary: the size, the
 * numbers of entries (see `countsOf`), and the first entries.
 */
export function deedValue(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  const text = JSON.stringify(value);
  const bytes = Buffer.byteLength(text);
  const json = JSON.parse(text) as Json;
  if (bytes <= DEED_BYTES) return json;
  const counts = countsOf(json);
  for (const measure of measures) {
    const said = { shortened: true, bytes, counts, first: shortened(json, measure) };
    if (Buffer.byteLength(JSON.stringify(said)) <= DEED_BYTES) return said;
  }
  return { shortened: true, bytes, counts: {} };
}

/** Returns the number of entries of a list or object, and of each list or object in its first 20 fields. */
function countsOf(json: Json): Record<string, number> {
  if (typeof json !== 'object' || json === null) return {};
  const fields = Array.isArray(json) ? [] : Object.entries(json).slice(0, 20);
  const listed = fields.flatMap(([key, field]): [string, number][] =>
    typeof field === 'object' && field !== null ? [[cut(key, 40), sizeOf(field)]] : [],
  );
  return { entries: sizeOf(json), ...Object.fromEntries(listed) };
}

function sizeOf(json: object): number {
  return Array.isArray(json) ? json.length : Object.keys(json).length;
}

function shortened(json: Json, { entries, chars, depth }: Measure): Json {
  if (typeof json === 'string') return cut(json, chars);
  if (typeof json !== 'object' || json === null) return json;
  if (depth === 0) return Array.isArray(json) ? `a list of ${json.length}` : `an object of ${sizeOf(json)} fields`;
  const deeper = { entries, chars, depth: depth - 1 };
  if (Array.isArray(json)) return json.slice(0, entries).map((entry) => shortened(entry, deeper));
  const fields = Object.entries(json).slice(0, entries);
  return Object.fromEntries(fields.map(([key, field]) => [cut(key, chars), shortened(field, deeper)]));
}

function cut(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Action of an actor as the audit log records it. `before` and `after` contain the changed fields, without secrets. */
export type Deed = {
  kind: LogKind;
  text: string;
  by: Actor;
  workspaceId: string | null;
  severity?: Severity;
  subject?: LogEvent['subject'];
  before?: unknown;
  after?: unknown;
  reason?: string | null;
  correlationId?: string | null;
  policyVersion?: number | null;
  /** Provenance of the subject, if it differs from that of the ledger's world. */
  provenance?: LogEvent['provenance'];
};

/** Builds the record of an action of the service itself, which belongs to no workspace. */
export function systemDeed(kind: LogKind, severity: Severity, text: string, after?: unknown): Deed {
  return { kind, severity, text, by: systemActor, workspaceId: null, after };
}

/**
 * Function that performs a change. It returns the result of the change, and the action to record in the audit log, or
 * null for none.
 */
type Work<T> = () => { result: T; deed: Deed | null };

/**
 * Runs every change for which an actor is responsible. The change and its audit row are written in one transaction, so
 * neither exists without the other. When the outermost `change` returns, both are on the disk.
 */
export class Ledger {
  readonly #state: State;
  readonly #rows: AuditRows;
  readonly #counter: LogCounter;
  readonly #utcMs: () => number;
  readonly #provenance: LogEvent['provenance'];
  readonly #listeners = new Listeners<[AuditRow]>();
  #depth = 0;
  /** Sequence number of the last row that the listeners received; another process may have written this row. */
  #publishedSeq: number;

  /** `provenance` is the provenance of the world whose actions the ledger records. */
  constructor(state: State, counter: LogCounter, utcMs: () => number, provenance: LogEvent['provenance'] = 'live') {
    this.#provenance = provenance;
    this.#state = state;
    this.#rows = new AuditRows(state);
    this.#publishedSeq = this.#rows.lastSeq();
    this.#counter = counter;
    this.#utcMs = utcMs;
  }

  nowText(): string {
    return formatTime(this.#utcMs());
  }

  /**
   * Runs `work`, and writes its changes and its audit row in one transaction. `what` begins the sentence of a disk
   * failure, for example `The asset North mast`. A change within another change joins the outer transaction.
   */
  change<T>(what: string, work: Work<T>): T {
    const result = this.changeUntold(what, work);
    if (this.#depth === 0) this.publishNew();
    return result;
  }

  /**
   * Like `change`, but listeners receive the row only with the next change or `publishNew`. Use it for rows that must
   * be on the disk at once, but may be published later.
   */
  changeUntold<T>(what: string, work: Work<T>): T {
    return this.#within(what, work, (...given) => this.#state.write(...given));
  }

  /**
   * Like `changeUntold`, but without a sync of the disk. On return, the change survives a crash of the process, but not
   * a power failure. Confirm it to a client only after `sync`.
   */
  changeUnsynced<T>(what: string, work: Work<T>): T {
    return this.#within(what, work, (...given) => this.#state.writeUnsynced(...given));
  }

  /** Runs `work` so that its changes also succeed on a full disk, as long as the disk reserve lasts. */
  vital<T>(work: () => T): T {
    return this.#state.vital(work);
  }

  /**
   * Syncs the disk. On return, all unsynced changes survive a power failure. Throws a Fault `unavailable` if the disk
   * refuses.
   */
  sync(): void {
    this.#state.sync();
  }

  /** Records a refused request. On a full disk, refusals may use only a bounded share of the disk reserve. */
  refuse(deed: Deed): void {
    this.#state.refusal(() => this.note(deed));
  }

  /** Writes one audit row, for example about a sign-in. Within a change, the row joins its transaction. */
  note(deed: Deed): void {
    this.change('The audit log', () => ({ result: undefined, deed }));
  }

  /**
   * Appends a row from the recovery file, which keeps its id and time. Call it inside the `work` of a change.
   */
  takeIn(row: Omit<AuditEntry, 'seq'>): void {
    this.#rows.append({ ...row, seq: this.#counter.nextAbove(this.#rows.lastSeq()) });
  }

  /**
   * Adds a listener for rows that were written. A row of an unsynced change may arrive before the disk is synced.
   * Returns the function that removes the listener.
   */
  onRow(listener: (row: AuditRow) => void): () => void {
    return this.#listeners.add(listener);
  }

  /**
   * Emits the rows that the listeners have not received, including those of other processes, in the order of the chain.
   * Damaged rows are left out.
   */
  publishNew(): void {
    const lastSeq = this.#rows.lastSeq();
    if (lastSeq <= this.#publishedSeq) return;
    const fromSeq = this.#publishedSeq;
    // `#publishedSeq` is set before any row is read. Otherwise an unreadable row or a failing listener would fail again
    // at each change.
    this.#publishedSeq = lastSeq;
    if (this.#listeners.size === 0) return;
    for (const row of this.#rows.since(fromSeq)) this.#listeners.emit(row);
  }

  get audit(): AuditRows {
    return this.#rows;
  }

  #within<T>(what: string, work: Work<T>, write: (what: string, work: () => T) => T): T {
    let tries = 0;
    const whole = (): T => {
      // The attempt that failed on the full disk rolled back its reservation of numbers, so the counter must reserve
      // again.
      if (tries++ > 0) this.#counter.forget();
      const { result, deed } = work();
      if (deed) this.#rows.append(this.#entryOf(deed));
      return result;
    };
    if (this.#depth > 0) return whole();
    this.#depth++;
    try {
      return write(what, whole);
    } catch (thrown) {
      // The transaction failed, and so did its reservation of sequence numbers.
      this.#counter.forget();
      throw thrown;
    } finally {
      this.#depth--;
    }
  }

  #entryOf(deed: Deed): AuditEntry {
    return {
      id: randomUUID(),
      // Another process may have written rows, so the chain continues from the last row in the database.
      seq: this.#counter.nextAbove(this.#rows.lastSeq()),
      at: this.nowText(),
      workspace_id: deed.workspaceId,
      kind: deed.kind,
      severity: deed.severity ?? 'info',
      actor: deed.by,
      subject: deed.subject ?? null,
      text: deed.text,
      before: deedValue(deed.before),
      after: deedValue(deed.after),
      reason: deed.reason ?? null,
      correlation_id: deed.correlationId ?? null,
      policy_version: deed.policyVersion ?? null,
      provenance: deed.provenance ?? this.#provenance,
    };
  }
}
