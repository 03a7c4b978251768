type Stream = { everyMs: number; dueMs: number };

/** Messages that are sent without a request, each at its own interval. */
export class Streams {
  readonly #usual: ReadonlyMap<number, number>;
  readonly #streams = new Map<number, Stream>();

  constructor(usual: readonly (readonly [msgid: number, everyMs: number])[]) {
    this.#usual = new Map(usual);
  }

  begin(nowMs: number): void {
    for (const [msgid, everyMs] of this.#usual) this.#streams.set(msgid, { everyMs, dueMs: nowMs + everyMs });
  }

  /** Interval as in SET_MESSAGE_INTERVAL, µs: 0 is the default, less is never. */
  set(msgid: number, intervalUs: number, nowMs: number): void {
    const everyMs = intervalUs === 0 ? (this.#usual.get(msgid) ?? 0) : intervalUs / 1_000;
    if (everyMs > 0) this.#streams.set(msgid, { everyMs, dueMs: nowMs + everyMs });
    else this.#streams.delete(msgid);
  }

  /** Messages due now, once each: a late one does not catch up. */
  *due(nowMs: number): Generator<number> {
    for (const [msgid, stream] of this.#streams) {
      if (stream.dueMs > nowMs) continue;
      stream.dueMs += stream.everyMs;
      if (stream.dueMs <= nowMs) stream.dueMs = nowMs + stream.everyMs;
      yield msgid;
    }
  }
}
