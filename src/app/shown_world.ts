import { Listeners } from '../model/listeners.ts';
import type { Picture } from '../model/picture.ts';
import { ShownStream, type StreamSource } from './shown_stream.ts';
import type { WorldServices } from './world_services.ts';

export type Mode = Picture['mode'];

/** Name of a world in a request. Only the live world can be named. A request without a name gets the shown world. */
export type WorldName = 'live';

/** A world that is played beside the live world. */
export type PlayedWorld = { mode: Exclude<Mode, 'live'>; worldServices: WorldServices };

/** Worlds of a workspace: the live world, which always exists, and at most one played world. One of them is shown. */
export class ShownWorld {
  readonly #stream = new ShownStream(this);
  readonly live: WorldServices;
  /** Emits after a switch of the shown world. */
  readonly switched = new Listeners();
  #played: PlayedWorld | null = null;
  #shown: WorldServices;

  constructor(live: WorldServices) {
    this.live = live;
    this.#shown = live;
  }

  get shown(): WorldServices {
    return this.#shown;
  }

  /** Returns the world for a request. Only this method decides between the live and the shown world. */
  of(asked?: WorldName): WorldServices {
    return asked === 'live' ? this.live : this.#shown;
  }

  stream(asked?: WorldName): StreamSource {
    return asked === undefined ? this.#stream : this.of(asked).world;
  }

  get played(): PlayedWorld | null {
    return this.#played;
  }

  get mode(): Mode {
    return this.#shown === this.live || this.#played === null ? 'live' : this.#played.mode;
  }

  get all(): readonly WorldServices[] {
    return this.#played === null ? [this.live] : [this.live, this.#played.worldServices];
  }

  /**
   * Replaces the played world; null removes it. Shows the new played world, or the live world if `isShown` is false.
   */
  play(played: PlayedWorld | null, isShown = true): void {
    this.#played = played;
    this.#show((isShown ? played?.worldServices : undefined) ?? this.live);
  }

  showLive(): void {
    this.#show(this.live);
  }

  showPlayback(): void {
    if (this.#played) this.#show(this.#played.worldServices);
  }

  #show(worldServices: WorldServices): void {
    if (worldServices === this.#shown) return;
    this.#shown = worldServices;
    this.switched.emit();
  }
}
