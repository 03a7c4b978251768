/** Longest text of an example. */
const MOST_CHARACTERS = 300;

/** Everything that went wrong in a run, counted by kind, with the first example of each, which is printed at once. */
export class Failures {
  readonly #kinds = new Map<string, { count: number; example: string }>();

  note(kind: string, example: string): void {
    const known = this.#kinds.get(kind);
    if (known) {
      known.count++;
      return;
    }
    const text = example.slice(0, MOST_CHARACTERS);
    this.#kinds.set(kind, { count: 1, example: text });
    console.log(`unexpected ${kind}: ${text}`);
  }

  get count(): number {
    return [...this.#kinds.values()].reduce((sum, { count }) => sum + count, 0);
  }

  lines(): string[] {
    return [...this.#kinds].map(([kind, { count, example }]) => `${count} × ${kind}: ${example}`);
  }
}
