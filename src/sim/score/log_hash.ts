import { RECEIVED, RECEIVED_WIDTH } from '../../model/received_row.ts';
import { TRACK } from '../../model/rows/layouts.ts';
import { type CoreOutput, ROW_WIDTH } from '../../model/track_row.ts';
import { CanonBytes } from './canon_bytes.ts';

/** A field of a document: its name, the bytes that are hashed for the name, and whether its value is a time. */
type Field = { name: string; bytes: Buffer; isTime: boolean };

type Node = { next: Map<string, Node>; fields: readonly Field[] | null };

/** Ending of the names of fields that contain times, ms. */
const timeName = /Ms$/;
/** Version counters. They count saves and do not describe the content of policy or rule. */
const saves: ReadonlySet<string> = new Set(['policyVersion', 'ruleVersion']);
/** Limit of the key orders in the cache. Documents that have ids as keys could otherwise fill the memory. */
const MOST_SHAPES = 4_096;

/** Fields of documents, sorted by name, without version counters. They are cached by the order of a document's keys. */
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

/** Prefix of each kind of entry, so that entries of different kinds never have the same bytes. */
const TAG = { output: 1, command: 2 } as const;
const rowTimes: readonly number[] = [TRACK.updatedMs, TRACK.lastSeenMs];
const receivedTimes: readonly number[] = [RECEIVED.lastMs];

/**
 * Hashes the output of a run, in its order: each step of the core (rows, track descriptions, last-seen times, ends,
 * assessment, sensor offsets), and each datagram that the world sends. The hash is equal for the same scenario, inputs
 * of people, seed, build and policy:
 *
 * - Times count from the beginning of the run.
 * - A UUID is replaced by the number of its first appearance, anywhere in a text, so that recreated rows have the same
 *   hash.
 * - Fields of a document are sorted by name, and an undefined field counts as absent. Lists keep their order, which has
 *   a meaning.
 * - Numbers are hashed as their eight bytes; all NaNs are the same, and −0 is 0.
 *
 * `dueMs` and `assigned` are left out, because they are bookkeeping. The versions of policy and rules are left out too:
 * a policy that was saved unchanged is the same policy.
 */
export class LogHash {
  readonly #beginMs: number;
  readonly #bytes = new CanonBytes();
  readonly #shapes = new Shapes();

  /** `beginMs`: world time at which the run begins, ms. */
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

  /** Adds a datagram that the world sent on a simulated link. */
  command(link: string, to: string | undefined, bytes: Uint8Array, atMs: number): void {
    this.#bytes.number(TAG.command);
    this.#bytes.number(atMs - this.#beginMs);
    this.#bytes.text(link);
    this.#bytes.text(to ?? '');
    this.#bytes.raw(bytes);
  }

  /** Returns the hash so far. More entries may follow. */
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
