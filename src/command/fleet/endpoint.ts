import { HEARD_MS } from './available.ts';
import type { Spot } from './trail.ts';

/** One address that speaks for a system id on one link. Times are the world's. */
export type Endpoint = {
  linkId: string;
  /** As the link names it: `address:port` of a datagram, empty on a serial line. */
  from: string;
  sysid: number;
  compid: number;
  lastMs: number;
  /** When its last frame came whose signature was good. */
  signedMs: number;
  /** When its last frame came with a signature that nobody could check: the link has no key. */
  uncheckedMs: number;
  /** Its connection was closed: nothing comes from it any more. */
  isClosed: boolean;
  /** When its autopilot started, by the autopilot's own clock; null where it has not said. */
  startedMs: number | null;
  /** Where it last said to be, while another address holds the vehicle. */
  spot: Spot | null;
};

/** A host that says to be a vehicle which another address holds. */
export type Rival = {
  /** The address that it spoke from last: a host can change its port with each message. */
  endpoint: Endpoint;
  /** The address that it was first heard at, for the sentence to stay the same. */
  from: string;
  sinceMs: number;
  /** The vehicle is silent, and this one is where the vehicle cannot have flown to. */
  strays: boolean;
  /** Both speak: they are two, and not one before and after its reboot. */
  sideBySide: boolean;
  /** The vehicle signs and this one does not: it is not believed, and keeps nobody from commanding the vehicle. */
  isForged: boolean;
  /** When it was asked last where it is. */
  askedMs: number;
};

/** An address that has been silent for so long gives the vehicle to another one that goes on where it was. */
const SILENT_MS = 5_000;
/** A vehicle after a reboot speaks from another port of its host. Its clock has begun anew since its last word. */
const REBOOT_SILENT_MS = 1_000;
const STARTED_EARLIER_MS = 500;
/** What does not sign waits so long for the place of a vehicle that did. */
const UNSIGNED_WAITS_MS = 10_000;
/** From elsewhere and without a word where it is, an address is the vehicle only after so long. */
const PLACELESS_MS = 60_000;
/** So long side by side, two addresses are two vehicles and not the last words of one that rebooted. */
const SIDE_BY_SIDE_MS = 1_500;
/** A rival that has been silent for so long is gone. */
const RIVAL_GONE_MS = 10_000;
const MOST_RIVALS = 8;
const ASK_EVERY_MS = 1_000;

/** Whether the last that was heard of it was signed, or nearly. */
function isSigning({ lastMs, signedMs }: Endpoint): boolean {
  return lastMs - signedMs <= HEARD_MS;
}

/** `proven` is a handover to a signature; `unplaced` one to an address that has not said where it is. */
export type Claim = 'known' | 'rival' | 'taken_over' | 'proven' | 'unplaced';

/** Whether an endpoint goes on where the vehicle was; null where nobody can say. */
export type Follows = (endpoint: Endpoint) => boolean | null;

/** Where one vehicle speaks from: at most one address a link, and who else claims to be it. */
export class Endpoints {
  readonly #held = new Map<string, Endpoint>();
  #all: readonly Endpoint[] = [];
  #rivals: Rival[] = [];

  /** Hears an endpoint on a link that the vehicle is known on. */
  claim(endpoint: Endpoint, atMs: number, follows: Follows): Claim {
    const held = this.#held.get(endpoint.linkId);
    if (held === endpoint || held === undefined) {
      if (held === undefined) this.add(endpoint);
      this.#noteSideBySide(endpoint, atMs);
      return 'known';
    }
    const claim = judge(held, endpoint, atMs, follows);
    if (claim === 'rival' || claim === 'stray') {
      this.#noteRival(held, endpoint, claim === 'stray', atMs);
      return 'rival';
    }
    this.#rivals = this.#rivals.filter((rival) => !isOneHost(rival.endpoint, endpoint));
    this.add(endpoint);
    return claim;
  }

  #noteRival(held: Endpoint, endpoint: Endpoint, strays: boolean, atMs: number): void {
    const isForged = isSigning(held) && !isSigning(endpoint);
    const known = this.#rivals.find((rival) => isOneHost(rival.endpoint, endpoint));
    if (known) Object.assign(known, { endpoint, isForged, strays });
    else {
      const there = this.#rivals.filter((rival) => atMs - rival.endpoint.lastMs < RIVAL_GONE_MS);
      // With the list full, the new one stands for the one that it displaces: many hosts are no shorter a conflict.
      const { sinceMs, sideBySide } = (there.length >= MOST_RIVALS && there[0]) || { sinceMs: atMs, sideBySide: false };
      const { from } = endpoint;
      const rival = { endpoint, from, sinceMs, sideBySide, strays, isForged, askedMs: Number.NEGATIVE_INFINITY };
      this.#rivals = [...there.slice(1 - MOST_RIVALS), rival];
    }
  }

  /** The one who holds the place speaks although others have for a while. */
  #noteSideBySide(held: Endpoint, atMs: number): void {
    if (this.#rivals.length === 0) return;
    this.#rivals = this.#rivals.filter(({ endpoint }) => atMs - endpoint.lastMs < RIVAL_GONE_MS);
    for (const rival of this.#rivals) {
      const { endpoint, sinceMs } = rival;
      if (endpoint.linkId !== held.linkId || atMs - sinceMs < SIDE_BY_SIDE_MS) continue;
      rival.sideBySide ||= endpoint.lastMs > sinceMs;
    }
  }

  add(endpoint: Endpoint): void {
    this.#held.set(endpoint.linkId, endpoint);
    this.#all = [...this.#held.values()];
  }

  drop(linkId: string): void {
    this.#held.delete(linkId);
    this.#all = [...this.#held.values()];
    this.#rivals = this.#rivals.filter(({ endpoint }) => endpoint.linkId !== linkId);
  }

  on(linkId: string): Endpoint | undefined {
    return this.#held.get(linkId);
  }

  all(): readonly Endpoint[] {
    return this.#all;
  }

  /** Addresses besides the vehicle's own that speak with its system id, on the same link; the gravest first. */
  rivals(nowMs: number): readonly Rival[] {
    const there = this.#rivals.filter(({ endpoint }) => nowMs - endpoint.lastMs < RIVAL_GONE_MS);
    return there.length < 2 ? there : there.sort((a, b) => gravity(b) - gravity(a));
  }

  /** The addresses that may be the vehicle by now and are to be asked where they are; each at most once a second. */
  toAsk(nowMs: number): readonly Endpoint[] {
    const asked: Endpoint[] = [];
    for (const rival of this.#rivals) {
      const { endpoint } = rival;
      const held = this.#held.get(endpoint.linkId);
      const isOpen = held !== undefined && (held.isClosed || nowMs - held.lastMs >= REBOOT_SILENT_MS);
      if (!isOpen || nowMs - endpoint.lastMs > HEARD_MS || nowMs - rival.askedMs < ASK_EVERY_MS) continue;
      rival.askedMs = nowMs;
      asked.push(endpoint);
    }
    return asked;
  }
}

/** Signed beats unsigned; else the address that came first keeps the vehicle until it is silent. */
function judge(held: Endpoint, next: Endpoint, atMs: number, follows: Follows): Claim | 'stray' {
  if (isSigning(next) && !isSigning(held)) return 'proven';
  const silentMs = held.isClosed ? Number.POSITIVE_INFINITY : atMs - held.lastMs;
  const isForged = isSigning(held) && !isSigning(next);
  const isNear = hostOf(held) === hostOf(next);
  const isOpen = silentMs >= (isForged ? UNSIGNED_WAITS_MS : SILENT_MS);
  if (!isOpen && !(isNear && !isForged && isReboot(held, next, silentMs))) return 'rival';
  const goesOn = follows(next);
  if (goesOn === null) return isNear || silentMs >= PLACELESS_MS ? 'unplaced' : 'rival';
  return goesOn ? 'taken_over' : 'stray';
}

function gravity({ isForged, sideBySide, strays }: Rival): number {
  return (isForged ? 0 : 2) + (sideBySide || strays ? 1 : 0);
}

function isReboot({ lastMs }: Endpoint, { startedMs }: Endpoint, silentMs: number): boolean {
  return silentMs >= REBOOT_SILENT_MS && startedMs !== null && startedMs >= lastMs - STARTED_EARLIER_MS;
}

function isOneHost(one: Endpoint, other: Endpoint): boolean {
  return one.linkId === other.linkId && hostOf(one) === hostOf(other);
}

function hostOf({ from }: Endpoint): string {
  const at = from.lastIndexOf(':');
  return at < 0 ? from : from.slice(0, at);
}
