import { RECEIVED, RECEIVED_WIDTH } from '../../model/received_row.ts';
import { TRACK } from '../../model/rows/layouts.ts';
import { type CoreOutput, ROW_WIDTH } from '../../model/track_row.ts';
import { CanonBytes } from './canon_bytes.ts';

/** A field of a document: its name, with its end, as bytes, and whether a time stands behind it. */
type Field = { name: string; bytes: Buffer; isTime: boolean };

type Node = { next: Map<string, Node>; fields: readonly Field[] | null };

/** Fields whose names end so are times, ms. */
const timeName = /Ms$/;
/** Counters of saves, which say nothing about the content of policy or rule. */
const saves: ReadonlySet<string> = new Set(['policyVersion', 'ruleVersion']);
/** Limit of the cache: documents keyed by ids would have many shapes. */
const MOST_SHAPES = 4_096;

/** Fields of documents in the order of their names, without counters of saves; cached for each order of keys. */
class Shapes {
  readonly #root: Node = { next: new Map(), fields: null };
  #count = 0;

  of(value: object): readonly Field[] {
    const names = Object.keys(value);
    let node = this.#root;
    for (const name of names) {
      let next = node.next.get(name);
      if (!next) {
        if (this.#count >= MOST_SHAPES) return fieldsOf(names);
        this.#count++;
        next = { next: new Map(), fields: null };
        node.next.set(name, next);
      }
      node = next;
    }
    node.fields ??= fieldsOf(names);
    return node.fields;
  }
}

function fieldsOf(names: readonly string[]): Field[] {
  const listed = names.filter((name) => !saves.has(name));
  return listed.sort().map((name) => ({ name, bytes: Buffer.from(`${name}\0`), isTime: timeName.test(name) }));
}

/** Prefix of each kind of entry, so that none can be read as another. */
const TAG = { output: 1, command: 2 } as const;
const rowTimes: readonly number[] = [TRACK.updatedMs, TRACK.lastSeenMs];
const receivedTimes: readonly number[] = [RECEIVED.lastMs];

/**
 * One hash over the output of a run: each step of the core (rows, cards, last-seen times, ends, assessment) and each
 * datagram to a simulated vehicle, in their order. It is the same for the same seed, build and policy:
 *
 * - times count from the beginning of the run;
 * - a UUID is the number of its first appearance, wherever in a text it stands, so that rows which were made anew hash alike;
 * - fields of a document are taken in the order of their names, and an undefined field is as an absent one; lists are
 *   taken in their own order, which has a meaning;
 * - numbers are their eight bytes, of the many NaNs one, and −0 as 0.
 *
 * Left out are `dueMs` and `assigned`, which are bookkeeping, and the versions of policy and rules: a policy that was saved
 * unchanged is the same.
 */
export class LogHash {
  readonly #beginMs: number;
  readonly #bytes = new CanonBytes();
  readonly #shapes = new Shapes();

  /** World milliseconds at which the run begins. */
  constructor(beginMs: number) {
    this.#beginMs = beginMs;
  }

  output({ nowMs, rows, cards, received, removed, assessment, offsets }: CoreOutput): void {
    this.#bytes.number(TAG.output);
    this.#bytes.number(nowMs - this.#beginMs);
    this.#bytes.rows(rows, ROW_WIDTH, rowTimes, this.#beginMs);
    this.#bytes.rows(received, RECEIVED_WIDTH, receivedTimes, this.#beginMs);
    for (const part of [cards, removed, assessment, offsets]) this.#value(part);
  }

  /** Adds a command datagram on a simulated link to the hash. */
  command(link: string, to: string | undefined, bytes: Uint8Array, atMs: number): void {
    this.#bytes.number(TAG.command);
    this.#bytes.number(atMs - this.#beginMs);
    this.#bytes.text(link);
    this.#bytes.text(to ?? '');
    this.#bytes.raw(bytes);
  }

  /** Hash so far; more entries may follow. */
  text(): string {
    return `sha256:${this.#bytes.digest()}`;
  }

  #value(value: unknown, isTime = false): void {
    if (typeof value === 'number') this.#bytes.number(isTime ? value - this.#beginMs : value);
    else if (typeof value === 'string') this.#bytes.text(value);
    else if (typeof value === 'boolean') this.#bytes.kind(value ? 'true' : 'false');
    else if (value === null || value === undefined) this.#bytes.kind('null');
    else if (Array.isArray(value)) this.#list(value, isTime);
    else this.#object(value);
  }

  #list(values: readonly unknown[], isTime: boolean): void {
    this.#bytes.kind('list');
    this.#bytes.number(values.length);
    for (const value of values) this.#value(value, isTime);
  }

  #object(value: object): void {
    this.#bytes.kind('object');
    for (const { name, bytes, isTime } of this.#shapes.of(value)) {
      const field: unknown = value[name as keyof typeof value];
      if (field === undefined) continue;
      this.#bytes.name(bytes);
      this.#value(field, isTime);
    }
    this.#bytes.kind('end');
  }
}
