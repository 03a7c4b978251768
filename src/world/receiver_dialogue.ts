import type { Cancel, Timers } from '../edge/link/deps.ts';
import type { Link } from '../edge/link/link.ts';
import type { Dialogue } from '../edge/wire/radio/dialogue.ts';

type DialogueDeps = {
  dialogue: Dialogue;
  /** `write` sends to the receiver; `fail` takes the link down with a reason. */
  link: Pick<Link, 'write' | 'fail'>;
  nowMs(): number;
  timers: Timers;
};

/**
 * Runs the dialogue with the receiver of one link. The dialogue starts anew at each opening of the link and ends when
 * the link closes.
 */
export class ReceiverDialogue {
  readonly #deps: DialogueDeps;
  #isOpen = false;
  #cancel: Cancel | null = null;

  constructor(deps: DialogueDeps) {
    this.#deps = deps;
  }

  /** Reports whether the link is open. */
  setOpen(isOpen: boolean): void {
    if (isOpen === this.#isOpen) return;
    this.#isOpen = isOpen;
    this.#cancel?.();
    this.#cancel = null;
    if (!isOpen) return;
    this.#deps.dialogue.begin(this.#deps.nowMs());
    this.step();
  }

  /** Continues the dialogue. Called after received bytes, and at the end of a waiting time. */
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
    // A failed write is ignored: the dialogue repeats unanswered requests, and the link itself detects a broken
    // connection.
    if (send !== null) link.write(send).catch(() => {});
    if (againMs !== null) this.#cancel = timers.after(Math.max(1, againMs - now), () => this.step());
  }
}
