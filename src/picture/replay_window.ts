import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { PictureEvent } from './events.ts';

/** Fewest events of a block. To begin a compression costs as much as to compress 100 events. */
const BLOCK_EVENTS = 256;
/** The fastest level. It makes events of 0.7 kB less than 0.1 kB long, since each repeats most of another one. */
const FASTEST = { level: 1 };

/** Consecutive events, as lines of `lineOf`. `bytes` are plain or compressed. */
type Block = { readonly count: number; readonly bytes: Buffer };

/**
 * The last events of an epoch, from which a client continues after a short interruption. They are stored compressed and
 * outside the heap: 10 000 of them as text would be a fifth of the service's heap.
 */
export class ReplayWindow {
  readonly #limit: number;
  #packed: Block[] = [];
  /** The events after the last packed block, plain. */
  #recent: Block[] = [];
  #knownSeq = Number.NEGATIVE_INFINITY;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Records that a client has the picture with number `seq` and may request later events. */
  know(seq: number): void {
    this.#knownSeq = seq;
  }

  /** Stores events, but only while a client may request them: serialising events is most of the cost of a picture. */
  add(events: readonly PictureEvent[]): void {
    const lastSeq = events.at(-1)?.seq ?? Number.NEGATIVE_INFINITY;
    if (lastSeq - this.#knownSeq > this.#limit) {
      this.#packed = [];
      this.#recent = [];
      return;
    }
    if (events.length > 0) this.#recent.push({ count: events.length, bytes: lineOf(events) });
    if (countOf(this.#recent) >= BLOCK_EVENTS) this.#pack();
    while (countOf(this.#packed) - (this.#packed[0]?.count ?? 0) >= this.#limit) this.#packed.shift();
  }

  #pack(): void {
    const plain = Buffer.concat(this.#recent.map(({ bytes }) => bytes));
    this.#packed.push({ count: countOf(this.#recent), bytes: deflateRawSync(plain, FASTEST) });
    this.#recent = [];
  }

  /** Returns the events after `seq`; null if some of them are no longer stored, or `seq` is greater than `lastSeq`. */
  since(seq: number, lastSeq: number): readonly PictureEvent[] | null {
    if (seq > lastSeq || seq < 0) return null;
    const missing = lastSeq - seq;
    if (missing > Math.min(countOf(this.#packed) + countOf(this.#recent), this.#limit)) return null;
    if (missing === 0) return [];
    let later = this.#recent.flatMap(({ bytes }) => eventsOf(bytes));
    for (let at = this.#packed.length - 1; later.length < missing; at--)
      later = [...eventsOf(inflateRawSync((this.#packed[at] as Block).bytes)), ...later];
    return later.slice(later.length - missing);
  }
}

function countOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { count }) => sum + count, 0);
}

/** One line: the events as a JSON array. */
function lineOf(events: readonly PictureEvent[]): Buffer {
  return Buffer.from(`[${events.map(textOf)}]\n`);
}

function textOf({ seq, at, kind, object, body, bodyText, ownersOnly }: PictureEvent): string {
  return `{"seq":${seq},"at":${JSON.stringify(at)},"kind":"${kind}","object":${JSON.stringify(object)}${ownersOnly ? ',"ownersOnly":true' : ''},"body":${bodyText ?? JSON.stringify(body)}}`;
}

function eventsOf(lines: Buffer): PictureEvent[] {
  return lines
    .toString()
    .trimEnd()
    .split('\n')
    .flatMap((line) => JSON.parse(line) as PictureEvent[]);
}
