import { hostOf } from '../edge/feed/link_places.ts';
import { SILENT_AFTER_MS } from './available.ts';
import type { TrailPoint } from './trail.ts';

/** An address that lost its vehicle to another port of the same host, which claimed to be the rebooted vehicle. */
type Former = { linkId: string; from: string; startedMs: number; leftMs: number };

/** Time after a claimed reboot during which the former address can take the vehicle back, ms. */
const KEPT_MS = 60_000;
/**
 * Greatest number of former addresses. Few arise, because an address must be silent for 1 s before another port counts
 * as a reboot.
 */
const MOST_FORMERS = 8;

/**
 * Addresses that lost their vehicle to a claimed reboot. An address whose boot clock continues takes the vehicle back.
 */
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

  /**
   * Whether the boot clock of a former address did not restart: its old start time plus its latest clock is later than
   * the claimed reboot. This proves that there was no reboot.
   */
  runsOn({ linkId, from, boot }: Endpoint, nowMs: number): boolean {
    const former = this.#of(linkId, from, nowMs);
    return former !== undefined && boot !== null && former.startedMs + boot.atMs - boot.startedMs > former.leftMs;
  }

  /**
   * Drops the former addresses of a link. Called when the vehicle passes to an address for another reason than a
   * claimed reboot, or leaves the link.
   */
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

/** An address from which a system id is sent on one link. Times are world time, ms. */
export type Endpoint = {
  linkId: string;
  /** Sender in the link's notation: `address:port` for datagrams, empty string for a serial line. */
  from: string;
  sysid: number;
  compid: number;
  lastMs: number;
  /** Time of the last heartbeat, ms. */
  beatMs: number;
  /** Time of the last frame with a valid signature, ms. */
  signedMs: number;
  /** Time of the last frame whose signature could not be checked because the link has no key, ms. */
  uncheckedMs: number;
  /** Whether the connection was closed, so that no more messages can arrive from this address. */
  isClosed: boolean;
  /** Start time of the autopilot by its latest boot clock, which was received at `atMs`; null if none was reported. */
  boot: { startedMs: number; atMs: number } | null;
  /** Last reported position; null if the last report had no fix. */
  spot: TrailPoint | null;
  /**
   * Whether the address has reported a position. True also if it replaced an address of the same host that had reported
   * one.
   */
  isPlaced: boolean;
};

/** A host that uses the system id of a vehicle which another address holds. */
export type Rival = {
  /** Latest address of the host, which may change its port with each message. */
  endpoint: Endpoint;
  /** First address of the host. Sentences for people show this address, so that they stay the same. */
  from: string;
  sinceMs: number;
  /** Whether only the rival's position keeps it from taking over the vehicle: the vehicle cannot have flown there. */
  strays: boolean;
  /** Whether rival and vehicle transmit in parallel, so that they are two vehicles and not one that rebooted. */
  sideBySide: boolean;
  /** Whether the vehicle signs and the rival does not. Such a rival is not accepted and blocks no commands. */
  isForged: boolean;
  /** Time of the last request for the rival's position, ms. */
  askedMs: number;
};

/** Silence after which an address loses the vehicle to another address that continues from the last position, ms. */
const SILENT_MS = 5_000;
/** Silence after which another port of the same host may be the rebooted vehicle, ms. */
const REBOOT_SILENT_MS = 1_000;
const STARTED_EARLIER_MS = 500;
/** Silence after which an unsigned sender may take over a vehicle that signs, ms. */
const UNSIGNED_WAITS_MS = 10_000;
/** Silence of the vehicle's address after which an address on another host may replace it without a position, ms. */
const PLACELESS_MS = 60_000;
/** If two addresses transmit in parallel for this long, they are two vehicles, not one that rebooted, ms. */
const SIDE_BY_SIDE_MS = 1_500;
/** Silence after which a rival is dropped, ms. */
const RIVAL_GONE_MS = 10_000;
const MOST_RIVALS = 8;
const ASK_EVERY_MS = 1_000;

/** Whether the address signs: a signed frame arrived at most `SILENT_AFTER_MS` before its last message. */
function isSigning({ lastMs, signedMs }: Endpoint): boolean {
  return lastMs - signedMs <= SILENT_AFTER_MS;
}

/**
 * Verdict on a message of an address. `known`: the address holds the vehicle. `rival`: another address keeps the
 * vehicle. With any other verdict, the vehicle passes to the address. `taken_over`: its position continues from the
 * vehicle's last position. `proven`: it signs. `returned`: it had lost the vehicle to a false reboot. `unplaced`: it
 * has reported no recent position.
 */
export type Claim = 'known' | 'rival' | 'taken_over' | 'proven' | 'returned' | 'unplaced';

/**
 * Reason for which an address may take over the vehicle from its holder. `signature`: only the address signs.
 * `silence`: the holder is silent. `return`: the address had lost the vehicle to a false reboot. `placed`: only the
 * address has reported a position. `reboot`: the vehicle rebooted, and now sends from the address.
 */
type Opening = 'signature' | 'silence' | 'return' | 'placed' | 'reboot';

/** Returns whether an endpoint continues from the vehicle's last position; null if that is unknown. */
export type Follows = (endpoint: Endpoint) => boolean | null;

/** Addresses of one vehicle, at most one per link, and the rivals that claim to be the vehicle. */
export class Endpoints {
  readonly #held = new Map<string, Endpoint>();
  #all: readonly Endpoint[] = [];
  #rivals: Rival[] = [];
  readonly #formers = new Formers();

  /** Judges a message of an endpoint that uses the vehicle's system id. May pass the vehicle to this endpoint. */
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
   * Returns why an address may take over the vehicle now, provided that it continues from the vehicle's position.
   * Returns null if the holder keeps the vehicle.
   */
  #opening(held: Endpoint, next: Endpoint, atMs: number): Opening | null {
    if (isSigning(next) && !isSigning(held)) return 'signature';
    const isForged = isSigning(held) && !isSigning(next);
    if (silentMsOf(held, atMs) >= (isForged ? UNSIGNED_WAITS_MS : SILENT_MS)) return 'silence';
    if (isForged) return null;
    if (this.#formers.runsOn(next, atMs)) return 'return';
    // A holder that has sent only heartbeats loses the vehicle to an address with a position: anybody can send
    // heartbeats with the vehicle's system id.
    if (!held.isPlaced && next.spot !== null) return 'placed';
    return isReboot(held, next, atMs) && !this.#isContested(next, atMs) ? 'reboot' : null;
  }

  /** Whether the host was recently found to be a second vehicle. Its claim of a reboot is then ignored. */
  #isContested(next: Endpoint, atMs: number): boolean {
    return this.rivals(atMs).some(({ endpoint, sideBySide }) => sideBySide && isOneHost(endpoint, next));
  }

  #noteRival(held: Endpoint, endpoint: Endpoint, strays: boolean, atMs: number): Rival {
    const isForged = isSigning(held) && !isSigning(endpoint);
    const known = this.#rivals.find((rival) => isOneHost(rival.endpoint, endpoint));
    if (known) return Object.assign(known, { endpoint, isForged, strays });
    const there = this.#rivals.filter((rival) => atMs - rival.endpoint.lastMs < RIVAL_GONE_MS);
    // If the list is full, the new rival inherits the age of the one that it replaces. Otherwise many hosts could make
    // the conflict look young.
    const { sinceMs, sideBySide } = (there.length >= MOST_RIVALS && there[0]) || { sinceMs: atMs, sideBySide: false };
    const { from } = endpoint;
    const rival = { endpoint, from, sinceMs, sideBySide, strays, isForged, askedMs: Number.NEGATIVE_INFINITY };
    this.#rivals = [...there.slice(1 - MOST_RIVALS), rival];
    return rival;
  }

  /** Marks rivals that have transmitted for `SIDE_BY_SIDE_MS` while the holder still transmits. */
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

  /** Other addresses that use the vehicle's system id on the same link, the most serious first. */
  rivals(nowMs: number): readonly Rival[] {
    const there = this.#rivals.filter(({ endpoint }) => nowMs - endpoint.lastMs < RIVAL_GONE_MS);
    return there.length < 2 ? there : there.sort((a, b) => gravity(b) - gravity(a));
  }

  /**
   * Returns rival addresses whose position must be requested because they may now be the vehicle; each at most once a
   * second.
   */
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

/**
 * Judges an address that may take over the vehicle. Unless it signs, or had lost the vehicle to a false reboot, it must
 * continue from the vehicle's last position. If its position is unknown, it must be on the holder's host, or the holder
 * must have been silent for `PLACELESS_MS`.
 */
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

/** Whether the holder may lose the vehicle to another address once that address reports its position. */
function mayYield({ isClosed, isPlaced, lastMs }: Endpoint, nowMs: number): boolean {
  return isClosed || !isPlaced || nowMs - lastMs >= REBOOT_SILENT_MS;
}

function gravity({ isForged, sideBySide, strays }: Rival): number {
  return (isForged ? 0 : 2) + (sideBySide || strays ? 1 : 0);
}

/**
 * Whether the vehicle rebooted and now sends from `next`, another port of the same host. The holder must be silent for
 * `REBOOT_SILENT_MS`, and a heartbeat of `next` must arrive after its last message. The boot clock of `next` must start
 * at most `STARTED_EARLIER_MS` before that message. The holder's boot clock must be known: if the holder sends again,
 * this clock shows whether the vehicle really rebooted.
 */
function isReboot(held: Endpoint, next: Endpoint, atMs: number): boolean {
  if (!isOneHost(held, next) || held.boot === null || next.boot === null || next.beatMs <= held.lastMs) return false;
  return atMs - held.lastMs >= REBOOT_SILENT_MS && next.boot.startedMs >= held.lastMs - STARTED_EARLIER_MS;
}

function isOneHost(one: Endpoint, other: Endpoint): boolean {
  return one.linkId === other.linkId && hostOf(one.from) === hostOf(other.from);
}
