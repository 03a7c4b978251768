import { HEARD_MS } from './available.ts';

/** One address that speaks for a system id on one link. Times are the world's. */
export type Endpoint = {
  linkId: string;
  /** As the link names it: `address:port` of a datagram, empty on a serial line. */
  from: string;
  sysid: number;
  compid: number;
  firstMs: number;
  lastMs: number;
  /** When its last frame came whose signature was good. */
  signedMs: number;
};

/** An endpoint silent for so long has given its place to a new one: autopilots come back from a reboot at another port. */
const GIVES_WAY_MS = 2_000;
/** So long side by side, two addresses are two vehicles and not the last words of one that rebooted. */
const SIDE_BY_SIDE_MS = 1_500;
/** A rival that has been silent for so long is gone. */
const RIVAL_GONE_MS = 10_000;

/** Whether the last that was heard of it was signed, or nearly. */
function isSigning({ lastMs, signedMs }: Endpoint): boolean {
  return lastMs - signedMs <= HEARD_MS;
}

export type Claim = 'known' | 'rival' | 'taken_over';

/** Where one vehicle speaks from: at most one address a link, and who else claims to be it. */
export class Endpoints {
  readonly #held = new Map<string, Endpoint>();
  #all: readonly Endpoint[] = [];
  readonly #rivals = new Map<string, { rival: Endpoint; sideBySide: boolean }>();

  /** Hears an endpoint on a link that the vehicle is known on. One that takes over is a vehicle after its reboot. */
  claim(endpoint: Endpoint, atMs: number): Claim {
    const held = this.#held.get(endpoint.linkId);
    if (held === endpoint || held === undefined) {
      if (held === undefined) this.add(endpoint);
      this.#noteSideBySide(endpoint, atMs);
      return 'known';
    }
    // Commands go to the address that proves itself: whoever does not is no rival of it, and waits until it is gone for good.
    const isForged = isSigning(held) && !isSigning(endpoint);
    if (isForged && atMs - held.lastMs < RIVAL_GONE_MS) return 'rival';
    if (atMs - held.lastMs >= GIVES_WAY_MS) {
      this.add(endpoint);
      this.#rivals.delete(endpoint.linkId);
      return 'taken_over';
    }
    if (this.#rivals.get(endpoint.linkId)?.rival !== endpoint) {
      this.#rivals.set(endpoint.linkId, { rival: endpoint, sideBySide: false });
    }
    return 'rival';
  }

  /** The one who holds the place speaks although another has for a while. */
  #noteSideBySide(held: Endpoint, atMs: number): void {
    const contest = this.#rivals.get(held.linkId);
    if (!contest) return;
    if (atMs - contest.rival.lastMs >= RIVAL_GONE_MS) this.#rivals.delete(held.linkId);
    else if (atMs - contest.rival.firstMs >= SIDE_BY_SIDE_MS && contest.rival.lastMs > contest.rival.firstMs)
      contest.sideBySide = true;
  }

  add(endpoint: Endpoint): void {
    this.#held.set(endpoint.linkId, endpoint);
    this.#all = [...this.#held.values()];
  }

  drop(linkId: string): void {
    this.#held.delete(linkId);
    this.#all = [...this.#held.values()];
    this.#rivals.delete(linkId);
  }

  on(linkId: string): Endpoint | undefined {
    return this.#held.get(linkId);
  }

  all(): readonly Endpoint[] {
    return this.#all;
  }

  /** An address besides the vehicle's own that speaks with its system id, on the same link. */
  rival(nowMs: number): { rival: Endpoint; sideBySide: boolean } | null {
    for (const contest of this.#rivals.values()) if (nowMs - contest.rival.lastMs < RIVAL_GONE_MS) return contest;
    return null;
  }
}
