import type { Picture } from '../../model/picture.ts';
import { Listeners } from '../../registry/listeners.ts';
import type { Theatre } from './theatre.ts';

export type Mode = Picture['mode'];

/** What is played beside the live world. */
export type Act = { mode: Exclude<Mode, 'live'>; theatre: Theatre };

/** Which of a workspace's theatres is shown: the live one, which is always there, or at most one other. */
export class Stage {
  readonly live: Theatre;
  /** Told once another is shown. */
  readonly switched = new Listeners();
  #act: Act | null = null;
  #shown: Theatre;

  constructor(live: Theatre) {
    this.live = live;
    this.#shown = live;
  }

  get shown(): Theatre {
    return this.#shown;
  }

  get act(): Act | null {
    return this.#act;
  }

  get mode(): Mode {
    return this.#shown === this.live || this.#act === null ? 'live' : this.#act.mode;
  }

  get all(): readonly Theatre[] {
    return this.#act === null ? [this.live] : [this.live, this.#act.theatre];
  }

  /** Another act takes the place of the one before, which moves no more. It is shown from now on unless `isShown` is false. */
  play(act: Act | null, isShown = true): void {
    this.#act = act;
    this.#show((isShown ? act?.theatre : undefined) ?? this.live);
  }

  showLive(): void {
    this.#show(this.live);
  }

  showAct(): void {
    if (this.#act) this.#show(this.#act.theatre);
  }

  #show(theatre: Theatre): void {
    if (theatre === this.#shown) return;
    this.#shown = theatre;
    this.switched.tell();
  }
}
