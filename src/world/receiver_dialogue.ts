import type { Cancel, Timers } from '../edge/link/deps.ts';
import type { Link } from '../edge/link/link.ts';
import type { Dialogue } from '../edge/wire/radio/dialogue.ts';

type DialogueDeps = {
  dialogue: Dialogue;
  /** Sends to the receiver, and takes the link down for a reason. */
  link: Pick<Link, 'write' | 'fail'>;
  nowMs(): number;
  timers: Timers;
};

/** Holds the dialogue with the receiver of one link: anew at every opening, until the link closes. */
export class ReceiverDialogue {
  readonly #deps: DialogueDeps;
  #isOpen = false;
  #cancel: Cancel | null = null;

  constructor(deps: DialogueDeps) {
    this.#deps = deps;
  }

  /** Notes whether the link is open. */
  setOpen(isOpen: boolean): void {
    if (isOpen === this.#isOpen) return;
    this.#isOpen = isOpen;
    this.#cancel?.();
    this.#cancel = null;
    if (!isOpen) return;
    this.#deps.dialogue.begin(this.#deps.nowMs());
    this.step();
  }

  /** Goes on after bytes came, or when a wait is over. */
  step(): void {
    if (!this.#isOpen) return;
    const { dialogue, link, nowMs, timers } = this.#deps;
    this.#cancel?.();
    this.#cancel = null;
    const now = nowMs();
    const { send, againMs, failure } = dialogue.step(now);
    if (failure !== null) {
      link.fail?.(failure);
      return;
    }
    // A write that fails is repeated with the next step; the link notices by itself that it broke.
    if (send !== null) link.write(send).catch(() => {});
    if (againMs !== null) this.#cancel = timers.after(Math.max(1, againMs - now), () => this.step());
  }
}
