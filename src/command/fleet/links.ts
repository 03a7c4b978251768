import type { FleetLink } from './rim.ts';

/** The links that vehicles are heard on, as the rest of the world says they are. */
export class FleetLinks {
  readonly #ask: (linkId: string) => FleetLink | null;
  readonly #asked = new Map<string, FleetLink | null>();
  #isHeld = false;

  constructor(ask: (linkId: string) => FleetLink | null) {
    this.#ask = ask;
  }

  of(linkId: string): FleetLink | null {
    if (!this.#isHeld) return this.#ask(linkId);
    let link = this.#asked.get(linkId);
    if (link === undefined) {
      link = this.#ask(linkId);
      this.#asked.set(linkId, link);
    }
    return link;
  }

  /** For as long as the work takes a link is what it was when it was first asked for: a hundred vehicles ask for one each several times. */
  hold(work: () => void): void {
    this.#asked.clear();
    this.#isHeld = true;
    try {
      work();
    } finally {
      this.#isHeld = false;
    }
  }
}
