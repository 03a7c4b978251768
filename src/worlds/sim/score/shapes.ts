/** A field of a document: its name, with its end, as bytes, and whether a time stands behind it. */
export type Field = { name: string; bytes: Buffer; isTime: boolean };

type Node = { next: Map<string, Node>; fields: readonly Field[] | null };

/** Behind names that end so stand times, milliseconds. */
const timeName = /Ms$/;
/** How often somebody saved the policy or a rule, which says nothing of what they are now. */
const saves: ReadonlySet<string> = new Set(['policyVersion', 'ruleVersion']);
/** Documents have few shapes; those whose fields are names of things would have many. */
const MOST_SHAPES = 4_096;

/** The fields of documents in the order of their names, whatever the order in which they were written, without those that count saves: found once for each way of writing them. */
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
  const told = names.filter((name) => !saves.has(name));
  return told.sort().map((name) => ({ name, bytes: Buffer.from(`${name}\0`), isTime: timeName.test(name) }));
}
