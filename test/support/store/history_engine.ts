import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { dayOf } from '../../../src/store/log/days.ts';
import { type EngineClock, HistoryEngine } from '../../../src/store/log/engine.ts';
import type { HeldSpan } from '../../../src/store/log/held.ts';
import type { FromThread } from '../../../src/store/log/messages.ts';
import type { Kind, PackedRow } from '../../../src/store/log/packed.ts';
import type { HistoryLimits } from '../../../src/store/log/retention.ts';
import { type HistoryRows, packRow } from '../../../src/store/log/rows.ts';
import { batchOf } from './packed_rows.ts';

export const noonMs = Date.parse('2026-03-04T12:00:00.000Z');
export const hourMs = 3_600_000;

/** As people say it: so many days, today included. */
export type Days = { days: number; bytes: number };

/** A history writer without a thread, on a clock that a test moves and that is trusted to prune. */
export class EngineBench {
  readonly folder: string;
  readonly sent: FromThread[] = [];
  readonly engine: HistoryEngine;
  wallMs = noonMs;
  monotonicMs = 0;
  #seq = 0;
  #retention: Days;
  #held: readonly HeldSpan[];
  #day = dayOf(noonMs);

  constructor(
    dataDir: string,
    retention: Days = { days: 30, bytes: 1e9 },
    session = 'session-1',
    held: readonly HeldSpan[] = [],
  ) {
    this.folder = join(dataDir, 'history');
    mkdirSync(this.folder, { recursive: true });
    const clock: EngineClock = { wallMs: () => this.wallMs, monotonicMs: () => this.monotonicMs };
    this.#retention = retention;
    this.#held = held;
    const data = { folder: this.folder, session, retention: this.#limits(), held };
    this.engine = new HistoryEngine(data, clock, (message) => this.sent.push(message));
  }

  /** Other limits, or other holds. */
  keep(retention: Days, held: readonly HeldSpan[]): void {
    this.#retention = retention;
    this.#held = held;
    this.engine.keep(this.#limits(), held);
  }

  #limits(): HistoryLimits {
    const { days, bytes } = this.#retention;
    return { prunedBefore: dayOf(this.wallMs - (days - 1) * 24 * hourMs), bytes };
  }

  /** Appends rows as one batch and commits it. */
  put(...rows: PackedRow[]): void {
    this.engine.take(batchOf(++this.#seq, rows));
    this.engine.commit();
  }

  tick(afterMs: number): void {
    this.wallMs += afterMs;
    this.monotonicMs += afterMs;
    this.look();
  }

  /** A turn of the writer, after a new day was told it as the main thread does. */
  look(): void {
    const day = dayOf(this.wallMs);
    if (day !== this.#day) this.engine.keep(this.#limits(), this.#held);
    this.#day = day;
    this.engine.tick();
  }

  faults(): string[] {
    return this.sent.flatMap((message) => (message.type === 'fault' ? [message.sentence] : []));
  }

  condition(): Extract<FromThread, { type: 'condition' }> | undefined {
    return this.sent.findLast((message) => message.type === 'condition');
  }
}

export function packed<K extends Kind>(kind: K, row: HistoryRows[K]): PackedRow {
  return packRow(kind, row);
}
