import { Agenda } from '../agenda.ts';

/** Bytes that come over one of the engine's links. */
export type SimFrame = { link: string; from: string; bytes: Uint8Array; atMs: number };

/** What was sent and has not arrived yet: out comes the earliest, and of two at once the one that was sent first. */
export class Post {
  readonly #underWay = new Agenda<SimFrame>();

  send(frame: SimFrame): void {
    this.#underWay.add(frame.atMs, frame);
  }

  /** Everything that has arrived until then. */
  arrivedBy(toMs: number): SimFrame[] {
    const arrived: SimFrame[] = [];
    while (this.#underWay.dueMs <= toMs) {
      const frame = this.#underWay.take();
      if (frame) arrived.push(frame);
    }
    return arrived;
  }
}
