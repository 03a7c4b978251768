const MAX_EVENT_BYTES = 65_536;
const MAX_SENDERS = 64;
const BEGIN = '<event';
const END = '</event>';
const FIRST_BYTES = 256;

export type EventSink = {
  /** Receives the bytes of one event, from `<event` to `</event>`. They are valid only until the call returns. */
  event(bytes: Buffer): void;
  /**
   * Reports bytes that are no event. `malformed`: other text, an event that the next event interrupted, or an
   * incomplete event that was evicted to make room for another sender. `length`: an event without an end within 64 KiB.
   */
  lost(why: 'malformed' | 'length'): void;
};

type Pending = {
  bytes: Buffer;
  length: number;
  /** Number of bytes that were searched already. */
  searched: number;
  /** True if the bytes begin with `<event`; false if they are text between events. */
  isEvent: boolean;
  /** Number of earlier events that the next event interrupted before their end. */
  brokenOff: number;
  /** Number of bytes of the events in `brokenOff`. */
  brokenBytes: number;
  /** True if the bytes up to the next `</event>` are already counted as lost. */
  isCounted: boolean;
};

/**
 * Splits the streams of many senders into events, separately for each sender. An event ends with `</event>`. Newlines
 * and XML declarations are optional: ATAK's protocol.txt requires a declaration and no newline, and real senders
 * differ.
 *
 * An `<event` before the end of the previous event interrupts that event and begins a new one. When an event ends, each
 * interrupted event before it counts as `malformed`. If no event ends within 64 KiB, all of them together count as one
 * `length`. Memory is at most `MAX_SENDERS` × 128 KiB.
 */
export class EventSplitter {
  readonly #pending = new Map<string, Pending>();

  forget(from: string): void {
    this.#pending.delete(from);
  }

  push(bytes: Uint8Array, from: string, sink: EventSink): void {
    const pending = this.#pending.get(from) ?? this.#admit(from, sink);
    append(pending, bytes);
    this.#search(pending, sink);
    if (pending.length === 0 && !pending.isCounted && pending.brokenOff === 0) this.#pending.delete(from);
  }

  /**
   * Processes each `<event` and `</event>` in order. The position of the next end is kept, so that no bytes are
   * searched twice.
   */
  #search(pending: Pending, sink: EventSink): void {
    const text = pending.bytes.subarray(0, pending.length);
    let start = 0;
    let from = pending.searched;
    let begin = beginOf(text, from);
    let end = endOf(text, from);
    while (begin < text.length || end < text.length) {
      from = begin < end ? begin : end;
      if (begin < end) {
        this.#overflow(pending, from - start, sink);
        this.#begun(pending, text.subarray(start, from), sink);
        start = from;
        from += BEGIN.length;
        begin = beginOf(text, from);
      } else {
        from += END.length;
        this.#overflow(pending, from - start, sink);
        if (this.#ended(pending, text.subarray(start, from), sink)) start = from;
        end = endOf(text, from);
      }
    }
    this.#overflow(pending, text.length - start, sink);
    if (!pending.isEvent && pending.isCounted) start = Math.max(start, text.length - END.length);
    keepFrom(pending, start, Math.max(from, text.length - END.length));
  }

  #begun(pending: Pending, before: Buffer, sink: EventSink): void {
    if (pending.isEvent) {
      pending.brokenOff++;
      pending.brokenBytes += before.length;
    } else if (!pending.isCounted && !isBlank(before)) sink.lost('malformed');
    pending.isEvent = true;
  }

  /** Processes an `</event>`. Returns false if it has no beginning: the bytes are then text between events. */
  #ended(pending: Pending, bytes: Buffer, sink: EventSink): boolean {
    if (!pending.isEvent && !pending.isCounted) return false;
    if (!pending.isCounted) for (let i = 0; i < pending.brokenOff; i++) sink.lost('malformed');
    const isEvent = pending.isEvent;
    Object.assign(pending, { isEvent: false, brokenOff: 0, brokenBytes: 0, isCounted: false });
    if (isEvent) sink.event(bytes);
    return true;
  }

  /**
   * Counts bytes without an `</event>` as lost once they exceed the limit. Further bytes are not counted until the
   * next `</event>`.
   */
  #overflow(pending: Pending, length: number, sink: EventSink): void {
    if (pending.brokenBytes + length <= MAX_EVENT_BYTES) return;
    if (!pending.isCounted) sink.lost(pending.isEvent ? 'length' : 'malformed');
    pending.isCounted = true;
    pending.brokenOff = 0;
    pending.brokenBytes = 0;
    if (length > MAX_EVENT_BYTES) pending.isEvent = false;
  }

  #admit(from: string, sink: EventSink): Pending {
    if (this.#pending.size >= MAX_SENDERS) {
      for (const [oldest, evicted] of this.#pending) {
        this.#pending.delete(oldest);
        if (evicted.isEvent && !evicted.isCounted) sink.lost('malformed');
        break;
      }
    }
    const pending: Pending = {
      ...{ bytes: Buffer.alloc(FIRST_BYTES), length: 0, searched: 0 },
      ...{ isEvent: false, brokenOff: 0, brokenBytes: 0, isCounted: false },
    };
    this.#pending.set(from, pending);
    return pending;
  }
}

/**
 * Position of the next `<event` that is followed by a blank, `>` or `/`, so that names like `<events` are skipped.
 * Returns the length of the text if there is none.
 */
function beginOf(text: Buffer, from: number): number {
  for (let at = text.indexOf(BEGIN, from, 'latin1'); at !== -1; at = text.indexOf(BEGIN, at + 1, 'latin1')) {
    const next = text[at + BEGIN.length];
    if (next === 0x20 || next === 0x09 || next === 0x0a || next === 0x0d || next === 0x3e || next === 0x2f) return at;
  }
  return text.length;
}

function endOf(text: Buffer, from: number): number {
  const at = text.indexOf(END, from, 'latin1');
  return at === -1 ? text.length : at;
}

/** True if text between events has no content: blanks, NULs, a byte order mark, XML declarations. */
function isBlank(text: Buffer): boolean {
  return text.toString('latin1').replace(/<\?xml[^<>]*\?>|ï»¿|[\s\0]/g, '') === '';
}

function append(pending: Pending, bytes: Uint8Array): void {
  const length = pending.length + bytes.length;
  if (length > pending.bytes.length) {
    const grown = Buffer.alloc(Math.max(length, 2 * pending.bytes.length));
    pending.bytes.copy(grown, 0, 0, pending.length);
    pending.bytes = grown;
  }
  pending.bytes.set(bytes, pending.length);
  pending.length = length;
}

/** Discards the bytes before `start`, and notes that bytes before `searched` need not be searched again. */
function keepFrom(pending: Pending, start: number, searched: number): void {
  const length = pending.length - start;
  if (pending.bytes.length > 2 * MAX_EVENT_BYTES) {
    const kept = Buffer.alloc(Math.max(FIRST_BYTES, length));
    pending.bytes.copy(kept, 0, start, pending.length);
    pending.bytes = kept;
  } else if (start > 0) pending.bytes.copyWithin(0, start, pending.length);
  pending.length = length;
  pending.searched = Math.max(0, searched - start);
}
