import type { Flush, StreamEvent } from '../model/event.ts';
import type { Picture } from '../model/picture.ts';
import type { World } from '../world/world.ts';
import type { ShownWorld } from './shown_world.ts';

/** Source of the numbered changes of one world, or of the shown world. */
export type StreamSource = {
  /** Returns the picture with its number `seq`. The next change has the number `seq + 1`. */
  snapshot(): Picture;
  /** Returns epoch and last sequence number of the stream, and the time of the world. */
  now(): { epoch: string; seq: number; at: string };
  /**
   * Returns the changes after `seq`. Returns null if `epoch` is not the current epoch, or if some of the changes are no
   * longer kept (10 000 are kept by default).
   */
  since(epoch: string, seq: number): readonly StreamEvent[] | null;
  /**
   * Calls the listener once for each interval (`stream.tick_ms`) that has changes. Returns a function that ends the
   * calls. A client can resume later with `since`.
   */
  follow(listener: (flush: Flush) => void): () => void;
};

/**
 * Stream of the shown world. After a switch to another world, listeners get the epoch of that world with an empty list
 * of changes. Clients then must read the whole picture again.
 */
export class ShownStream implements StreamSource {
  readonly #shownWorld: ShownWorld;

  constructor(shownWorld: ShownWorld) {
    this.#shownWorld = shownWorld;
  }

  snapshot(): Picture {
    return this.#world.snapshot();
  }

  now(): ReturnType<StreamSource['now']> {
    return this.#world.now();
  }

  since(epoch: string, seq: number): readonly StreamEvent[] | null {
    return this.#world.since(epoch, seq);
  }

  follow(listener: (flush: Flush) => void): () => void {
    let leave = this.#world.follow(listener);
    const stay = this.#shownWorld.switched.add(() => {
      leave();
      // Publish waiting changes first, so that they are part of the picture that clients read next.
      this.#world.flush();
      leave = this.#world.follow(listener);
      listener({ epoch: this.#world.epoch, events: [] });
    });
    return () => {
      stay();
      leave();
    };
  }

  get #world(): World {
    return this.#shownWorld.shown.world;
  }
}
