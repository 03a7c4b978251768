/** A field of a document: its name, with its end, as bytes, and whether a time stands behind it. */
export type Field = { name: string; bytes: Buffer; isTime: boolean };

type Node = { next: Map<string, Node>; fields: readonly Field[] | null };

/** Fields whose names end so are times, ms. */
const timeName = /Ms$/;
/** Counters of saves, which say nothing about the content of policy or rule. */
const saves: ReadonlySet<string> = new Set(['policyVersion', 'ruleVersion']);
/** Limit of the cache: documents keyed by ids would have many shapes. */
const MOST_SHAPES = 4_096;

/** Fields of documents in the order of their names, without counters of saves; cached for each order of keys. */
export class Shapes {
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
