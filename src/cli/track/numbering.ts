/** Gives each name a number, from 0 in order of appearance. */
export class Numbering {
  readonly #numbers = new Map<string, number>();

  of(name: string): { number: number; isNew: boolean } {
    const known = this.#numbers.get(name);
    if (known !== undefined) return { number: known, isNew: false };
    const number = this.#numbers.size;
    this.#numbers.set(name, number);
    return { number, isNew: true };
  }
}
