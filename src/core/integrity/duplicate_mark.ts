/**
 * `duplicate_identity`: its name is told of another aircraft too, or it has told several. Who decides that is the claim book;
 * here the mark is kept as long as the policy says, since two that take turns are not two only while both speak.
 */
export class DuplicateMark {
  #markedS = Number.NEGATIVE_INFINITY;

  mark(heardS: number): void {
    this.#markedS = Math.max(this.#markedS, heardS);
  }

  holds(nowS: number, holdS: number): boolean {
    return nowS - this.#markedS <= holdS;
  }
}
