const MAX_EVENT_BYTES = 65_536;
const MAX_SENDERS = 64;
const BEGIN = '<event';
const END = '</event>';
const FIRST_BYTES = 256;

export type EventSink = {
  /** Bytes of one event, from `<event` to `</event>`. The view is only good until the call returns. */
  event(bytes: Buffer): void;
  /**
   * Bytes that are no event: other text, an event that the next one broke off, and the half of a sender evicted for another.
   * `length`: an event without an end in 64 KiB.
   */
  lost(why: 'malformed' | 'length'): void;
};

type Pending = {
  bytes: Buffer;
  length: number;
  /** Length that was searched already. */
  searched: number;
  /** Whether the bytes begin with that of an event, else they are text between events. */
  isEvent: boolean;
  /** Number of events before it that did not end. */
  brokenOff: number;
  /** Bytes of those events. */
  brokenBytes: number;
  /** Whether what stands until the next end of an event is counted already. */
  isCounted: boolean;
};

/**
 * Cuts the streams of many senders into events, each sender on its own. An event ends with `</event>`; neither newlines nor
 * XML declarations are asked for (protocol.txt of ATAK wants a declaration and no newline; real senders differ). An
 * `<event` before the end of the last one begins anew. What stood is counted when an event ends, or once as `length`
 * where none ends in 64 KiB. Memory is at most `MAX_SENDERS` × 128 KiB.
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

  /** Handles each mark of the bytes in its order. The place of the next end is kept, so that no search is made twice. */
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

  /** Returns whether the bytes were used. The end of no event is text between events. */
  #ended(pending: Pending, bytes: Buffer, sink: EventSink): boolean {
    if (!pending.isEvent && !pending.isCounted) return false;
    if (!pending.isCounted) for (let i = 0; i < pending.brokenOff; i++) sink.lost('malformed');
    const isEvent = pending.isEvent;
    Object.assign(pending, { isEvent: false, brokenOff: 0, brokenBytes: 0, isCounted: false });
    if (isEvent) sink.event(bytes);
    return true;
  }

  /** Counts bytes without an end once they are too many. What follows is not counted until the next end. */
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

/** Place of the next `<event` that is followed by a blank, `>` or `/`; the length where there is none. `<events` is another name. */
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

/** Whether text between events has no content: blanks, NULs, a byte order mark, XML declarations. */
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

/** Drops the bytes before `start`, and notes that those before `searched` need no other search. */
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
