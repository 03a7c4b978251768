import type { Flush, StreamEvent } from '../model/event.ts';
import type { Picture } from '../model/picture.ts';
import type { World } from '../world/world.ts';
import type { ShownWorld } from './shown_world.ts';

/** The numbered changes of one world, or of the shown world. */
export type StreamSource = {
  /** The picture as of its own `seq`; the changes after it are numbered from `seq + 1`. */
  snapshot(): Picture;
  /** Epoch and sequence number of the stream, and the time of the world. */
  now(): { epoch: string; seq: number; at: string };
  /** The changes after `seq`, or null where they belong to another epoch or are dropped (10 000 are kept). */
  since(epoch: string, seq: number): readonly StreamEvent[] | null;
  /**
   * Calls the listener once for each tick with changes; returns a function that ends this. A client may resume later
   * with `since`.
   */
  follow(listener: (flush: Flush) => void): () => void;
};

/**
 * The changes of the shown world. A switch to another world begins a new epoch without a change: clients begin again
 * with the picture.
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
      // Unpublished changes become part of the snapshot that clients begin with.
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
