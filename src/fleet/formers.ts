import type { Endpoint } from './endpoint.ts';

/** An address whose vehicle another port of its host took over as rebooted. */
type Former = { linkId: string; from: string; startedMs: number; leftMs: number };

/** For so long such an address may show that its autopilot never rebooted. */
const KEPT_MS = 60_000;
/** Each port must be silent for 1 s before the next one can claim a reboot: more are no reboots. */
const MOST_FORMERS = 8;

/** Addresses that gave their vehicle away to a reboot: one whose boot clock runs on takes it back. */
export class Formers {
  #left: readonly Former[] = [];

  note({ linkId, from, boot }: Endpoint, leftMs: number): void {
    if (boot === null) return;
    const others = this.#left.filter((former) => !isOf(former, linkId, from) && leftMs - former.leftMs < KEPT_MS);
    this.#left = [...others, { linkId, from, startedMs: boot.startedMs, leftMs }].slice(-MOST_FORMERS);
  }

  has({ linkId, from }: Endpoint, nowMs: number): boolean {
    return this.#of(linkId, from, nowMs) !== undefined;
  }

  /** True where its last word was sent after the reboot that it is said to have gone through, by the clock of before it. */
  runsOn({ linkId, from, boot }: Endpoint, nowMs: number): boolean {
    const former = this.#of(linkId, from, nowMs);
    return former !== undefined && boot !== null && former.startedMs + boot.atMs - boot.startedMs > former.leftMs;
  }

  /** Drops the former addresses of a link: the present holder has better proof than its claim to have rebooted. */
  forget(linkId: string): void {
    if (this.#left.length > 0) this.#left = this.#left.filter((former) => former.linkId !== linkId);
  }

  #of(linkId: string, from: string, nowMs: number): Former | undefined {
    return this.#left.find((former) => isOf(former, linkId, from) && nowMs - former.leftMs < KEPT_MS);
  }
}

function isOf(former: Former, linkId: string, from: string): boolean {
  return former.linkId === linkId && former.from === from;
}
