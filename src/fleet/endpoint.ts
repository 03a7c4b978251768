import { hostOf } from '../edge/feed/link_places.ts';
import { SILENT_AFTER_MS } from './available.ts';
import type { TrailPoint } from './trail.ts';

/** An address that lost its vehicle to another port of its host, which claimed to be the rebooted vehicle. */
type Former = { linkId: string; from: string; startedMs: number; leftMs: number };

/** Time for which such an address can still prove that its autopilot never rebooted, ms. */
const KEPT_MS = 60_000;
/** Most former ports that are kept. Each must be silent for 1 s before the next one counts as a reboot. */
const MOST_FORMERS = 8;

/** Addresses that lost their vehicle to a claimed reboot. An address whose boot clock runs on takes the vehicle back. */
class Formers {
  #left: readonly Former[] = [];

  note({ linkId, from, boot }: Endpoint, leftMs: number): void {
    if (boot === null) return;
    const others = this.#left.filter((former) => !isOf(former, linkId, from) && leftMs - former.leftMs < KEPT_MS);
    this.#left = [...others, { linkId, from, startedMs: boot.startedMs, leftMs }].slice(-MOST_FORMERS);
  }

  has({ linkId, from }: Endpoint, nowMs: number): boolean {
    return this.#of(linkId, from, nowMs) !== undefined;
  }

  /** True where an address sent a message after its vehicle's claimed reboot, by the boot clock of before the reboot. */
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

/** One address that sends with a system id on one link. Times are world milliseconds. */
export type Endpoint = {
  linkId: string;
  /** Sender as the link names it: `address:port` of a datagram, empty on a serial line. */
  from: string;
  sysid: number;
  compid: number;
  lastMs: number;
  /** When its last heartbeat came. */
  beatMs: number;
  /** Time of its last frame with a valid signature. */
  signedMs: number;
  /** Time of its last frame with a signature that could not be checked, as the link has no key. */
  uncheckedMs: number;
  /** Its connection was closed: no more messages come from it. */
  isClosed: boolean;
  /** Start of its autopilot by its latest boot clock, which arrived at `atMs`; null where it has reported none. */
  boot: { startedMs: number; atMs: number } | null;
  /** Its last position; null where that was none (no fix). */
  spot: TrailPoint | null;
  /** The address has reported a position, or replaced a same-host address that had reported one. */
  isPlaced: boolean;
};

/** A host that claims to be a vehicle that another address holds. */
export type Rival = {
  /** Its latest address: a host can change its port with each message. */
  endpoint: Endpoint;
  /** Its first address, so that the sentence for people stays the same. */
  from: string;
  sinceMs: number;
  /** The vehicle is silent and cannot have flown to the rival's position. */
  strays: boolean;
  /** Rival and vehicle transmit in parallel: they are two vehicles, not one before and after a reboot. */
  sideBySide: boolean;
  /** The vehicle signs and the rival does not: the rival is not believed and blocks no commands. */
  isForged: boolean;
  /** Time of the last request for its position. */
  askedMs: number;
};

/** Silence after which an address loses the vehicle to another address that continues from the same position, ms. */
const SILENT_MS = 5_000;
/**
 * Silence after which another port of the holder's host may be the rebooted vehicle, and tolerance of the start of its
 * boot clock, ms.
 */
const REBOOT_SILENT_MS = 1_000;
const STARTED_EARLIER_MS = 500;
/** Silence after which an unsigned sender may take the place of a signed vehicle, ms. */
const UNSIGNED_WAITS_MS = 10_000;
/** Silence of the holder after which an address on another host without a position takes the vehicle, ms. */
const PLACELESS_MS = 60_000;
/** Time of parallel transmission after which two addresses are two vehicles, not one before and after a reboot, ms. */
const SIDE_BY_SIDE_MS = 1_500;
/** Silence after which a rival address is dropped, ms. */
const RIVAL_GONE_MS = 10_000;
const MOST_RIVALS = 8;
const ASK_EVERY_MS = 1_000;

/** Whether the last message of the address, or one shortly before it, was signed. */
function isSigning({ lastMs, signedMs }: Endpoint): boolean {
  return lastMs - signedMs <= SILENT_AFTER_MS;
}

/**
 * Verdict on a message of an address. `proven`: handover to an address that signs. `returned`: handover back after a
 * false reboot. `unplaced`: handover to an address that has not reported a position.
 */
export type Claim = 'known' | 'rival' | 'taken_over' | 'proven' | 'returned' | 'unplaced';

/**
 * Reason why the holding address may lose the vehicle. A signing address beats an unsigned one; otherwise a holder with
 * a position keeps the vehicle until it is silent.
 */
type Opening = 'signature' | 'silence' | 'return' | 'placed' | 'reboot';

/** Whether an endpoint continues from the vehicle's last position; null where that is unknown. */
export type Follows = (endpoint: Endpoint) => boolean | null;

/** Addresses of one vehicle, at most one a link, and the rivals that claim to be it. */
export class Endpoints {
  readonly #held = new Map<string, Endpoint>();
  #all: readonly Endpoint[] = [];
  #rivals: Rival[] = [];
  readonly #formers = new Formers();

  /** Takes a message of an endpoint on a link that the vehicle is known on. */
  claim(endpoint: Endpoint, atMs: number, follows: Follows): Claim {
    const held = this.#held.get(endpoint.linkId);
    if (held === endpoint || held === undefined) {
      if (held === undefined) this.add(endpoint);
      this.#noteSideBySide(endpoint, atMs);
      return 'known';
    }
    const opening = this.#opening(held, endpoint, atMs);
    const claim = opening === null ? 'rival' : judge(held, endpoint, opening, atMs, follows);
    if (claim === 'rival' || claim === 'stray') {
      this.#noteRival(held, endpoint, claim === 'stray', atMs);
      return 'rival';
    }
    this.#rivals = this.#rivals.filter((rival) => !isOneHost(rival.endpoint, endpoint));
    endpoint.isPlaced ||= held.isPlaced && isOneHost(held, endpoint);
    this.add(endpoint);
    if (opening === 'reboot') this.#formers.note(held, atMs);
    else this.#formers.forget(held.linkId);
    if (opening === 'return') this.#noteRival(endpoint, held, false, atMs).sideBySide = true;
    return claim;
  }

  /**
   * Reason why an address may take the vehicle now, if it continues from the vehicle's position; null where the holder
   * keeps it.
   */
  #opening(held: Endpoint, next: Endpoint, atMs: number): Opening | null {
    if (isSigning(next) && !isSigning(held)) return 'signature';
    const isForged = isSigning(held) && !isSigning(next);
    if (silentMsOf(held, atMs) >= (isForged ? UNSIGNED_WAITS_MS : SILENT_MS)) return 'silence';
    if (isForged) return null;
    if (this.#formers.runsOn(next, atMs)) return 'return';
    // Heartbeats alone prove nothing: anybody can send them before the vehicle does.
    if (!held.isPlaced && next.spot !== null) return 'placed';
    return isReboot(held, next, atMs) && !this.#isContested(next, atMs) ? 'reboot' : null;
  }

  /** True where the host was lately found to be another vehicle: its own claim of a reboot then counts for nothing. */
  #isContested(next: Endpoint, atMs: number): boolean {
    return this.rivals(atMs).some(({ endpoint, sideBySide }) => sideBySide && isOneHost(endpoint, next));
  }

  #noteRival(held: Endpoint, endpoint: Endpoint, strays: boolean, atMs: number): Rival {
    const isForged = isSigning(held) && !isSigning(endpoint);
    const known = this.#rivals.find((rival) => isOneHost(rival.endpoint, endpoint));
    if (known) return Object.assign(known, { endpoint, isForged, strays });
    const there = this.#rivals.filter((rival) => atMs - rival.endpoint.lastMs < RIVAL_GONE_MS);
    // With the list full, the new rival inherits the age of the one it displaces: more hosts must not make the conflict
    // look younger.
    const { sinceMs, sideBySide } = (there.length >= MOST_RIVALS && there[0]) || { sinceMs: atMs, sideBySide: false };
    const { from } = endpoint;
    const rival = { endpoint, from, sinceMs, sideBySide, strays, isForged, askedMs: Number.NEGATIVE_INFINITY };
    this.#rivals = [...there.slice(1 - MOST_RIVALS), rival];
    return rival;
  }

  /** Notes that the holder still transmits while rivals have transmitted for `SIDE_BY_SIDE_MS`. */
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
    this.#formers.forget(linkId);
  }

  on(linkId: string): Endpoint | undefined {
    return this.#held.get(linkId);
  }

  all(): readonly Endpoint[] {
    return this.#all;
  }

  /** Rivals: other addresses that use the vehicle's system id on the same link; the gravest first. */
  rivals(nowMs: number): readonly Rival[] {
    const there = this.#rivals.filter(({ endpoint }) => nowMs - endpoint.lastMs < RIVAL_GONE_MS);
    return there.length < 2 ? there : there.sort((a, b) => gravity(b) - gravity(a));
  }

  /** Rival addresses that may now be the vehicle and whose positions are to be requested; each at most once a second. */
  toAsk(nowMs: number): readonly Endpoint[] {
    const asked: Endpoint[] = [];
    for (const rival of this.#rivals) {
      const { endpoint } = rival;
      const held = this.#held.get(endpoint.linkId);
      const isOpen = held !== undefined && (mayYield(held, nowMs) || this.#formers.has(endpoint, nowMs));
      if (!isOpen || nowMs - endpoint.lastMs > SILENT_AFTER_MS || nowMs - rival.askedMs < ASK_EVERY_MS) continue;
      rival.askedMs = nowMs;
      asked.push(endpoint);
    }
    return asked;
  }
}

/** Verdict on an address that may take the vehicle: it must continue from the vehicle's last position. */
function judge(held: Endpoint, next: Endpoint, opening: Opening, atMs: number, follows: Follows): Claim | 'stray' {
  if (opening === 'signature') return 'proven';
  if (opening === 'return') return 'returned';
  const goesOn = follows(next);
  if (goesOn !== null) return goesOn ? 'taken_over' : 'stray';
  return isOneHost(held, next) || silentMsOf(held, atMs) >= PLACELESS_MS ? 'unplaced' : 'rival';
}

function silentMsOf({ isClosed, lastMs }: Endpoint, nowMs: number): number {
  return isClosed ? Number.POSITIVE_INFINITY : nowMs - lastMs;
}

/** True where another address could now be the vehicle, if it reports its position. */
function mayYield({ isClosed, isPlaced, lastMs }: Endpoint, nowMs: number): boolean {
  return isClosed || !isPlaced || nowMs - lastMs >= REBOOT_SILENT_MS;
}

function gravity({ isForged, sideBySide, strays }: Rival): number {
  return (isForged ? 0 : 2) + (sideBySide || strays ? 1 : 0);
}

/**
 * True where `next` is another port of the holder's host and shows a reboot. Its boot clock must begin, and its
 * heartbeat arrive, after the holder's last message. The holder's boot clock must be known: it reveals a vehicle that
 * did not reboot.
 */
function isReboot(held: Endpoint, next: Endpoint, atMs: number): boolean {
  if (!isOneHost(held, next) || held.boot === null || next.boot === null || next.beatMs <= held.lastMs) return false;
  return atMs - held.lastMs >= REBOOT_SILENT_MS && next.boot.startedMs >= held.lastMs - STARTED_EARLIER_MS;
}

function isOneHost(one: Endpoint, other: Endpoint): boolean {
  return one.linkId === other.linkId && hostOf(one.from) === hostOf(other.from);
}
