import { Listeners } from '../model/listeners.ts';
import type { Picture } from '../model/picture.ts';
import { ShownStream, type StreamSource } from './shown_stream.ts';
import type { WorldServices } from './world_services.ts';

export type Mode = Picture['mode'];

/** The only world that a request may name. A request without a name gets the shown world. */
export type WorldName = 'live';

/** A world that is played beside the live one. */
export type PlayedWorld = { mode: Exclude<Mode, 'live'>; worldServices: WorldServices };

/** The shown world of a workspace: the live one, which always exists, or at most one other. */
export class ShownWorld {
  readonly #stream = new ShownStream(this);
  readonly live: WorldServices;
  /** Emits after another world was shown. */
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

  /** The world of a request. Only this method decides between the live and the shown world. */
  of(asked?: WorldName): WorldServices {
    return asked === 'live' ? this.live : this.#shown;
  }

  /** The changes of the world that a request names. */
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

  /** Replaces the played world. The new one is shown from now on, unless `isShown` is false. */
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
