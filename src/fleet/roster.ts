import { messageIds } from '../edge/wire/mavlink/known.ts';
import { readBootMs } from '../edge/wire/mavlink/read_vehicle.ts';
import type { MavlinkHeartbeat, MavlinkMessage } from '../edge/wire/message.ts';
import type { FleetRow } from '../model/fleet.ts';
import { Addresses } from './addresses.ts';
import { FRESH_MS, SILENT_AFTER_MS } from './available.ts';
import { Disputes, judgeName, type Party } from './claims.ts';
import { Contact } from './contact.ts';
import type { Endpoint, Rival } from './endpoint.ts';
import { isBlankPlace } from './fix.ts';
import { MAV_COMP_ID_AUTOPILOT } from './mav.ts';
import { addressName, isNamed } from './names.ts';
import { Vehicle } from './vehicle.ts';

const MOST_VEHICLES = 256;
const MOST_ENDPOINTS = 1_024;
/** Greatest number of aliases that a vehicle learns. Further names are ignored. */
const MOST_NAMES = 16;
/**
 * Greatest differences in start time, ms, and position, degrees, at which two listed vehicles may be one (`isAlike`).
 */
const SAME_START_MS = 1_500;
const SAME_PLACE_DEG = 0.001;

/** A vehicle with its pending requests and its last published row. */
export type Member = {
  vehicle: Vehicle;
  contact: Contact;
  state: string;
  evaluatedMs: number;
  published: FleetRow | null;
};
type Known = { endpoint: Endpoint; member: Member };

/** The vehicle that sent a message. `tookOver` is true if the sending address has just taken over the vehicle. */
export type Spoke = { member: Member; tookOver: boolean };

/** Reason why a vehicle cannot be told apart from another one, and the consequences. */
export type Conflict = {
  text: string;
  /** Whether an alert is raised. False while the vehicle may only be rebooting. */
  isSure: boolean;
  /** Whether verbs are refused during the conflict, except as in `believesOne`. */
  stops: boolean;
  /**
   * Whether the vehicle's own address is accepted. It then still gets orders to hold, to return home and to land,
   * whatever other sender claims to be the vehicle.
   */
  believesOne: boolean;
};

export type RosterDeps = {
  /** Returns the id of the asset that a vehicle is bound to; null if nobody adopted the vehicle. */
  assetIdOf(vehicle: Vehicle): string | null;
  /** Returns the id of the asset with a name; null if there is none. */
  assetIdNamed(name: string): string | null;
  /** Whether only permitted senders can send on a link. */
  provesSender(linkId: string): boolean;
  removed(member: Member): void;
};

/**
 * All received vehicles, by their addresses on the links. The number is limited; a new vehicle displaces only one that
 * nobody adopted.
 */
export class Roster {
  readonly #deps: RosterDeps;
  readonly #members: Member[] = [];
  readonly #known = new Addresses<Known>();
  readonly #disputes = new Disputes((vehicle) => this.isProven(vehicle));

  constructor(deps: RosterDeps) {
    this.#deps = deps;
  }

  all(): readonly Member[] {
    return this.#members;
  }

  of(vehicle: Vehicle): Member | undefined {
    return this.#members.find((member) => member.vehicle === vehicle);
  }

  /** Returns the vehicle that an address holds; null if it holds none. */
  speaker(linkId: string, from: string, sysid: number): Member | null {
    const known = this.#known.of(linkId, from, sysid);
    if (!known) return null;
    const { endpoint, member } = known;
    return member.vehicle.endpoints.on(linkId) === endpoint ? member : null;
  }

  /** Whether another address holds the vehicle that this address claims to be. */
  isHeldElsewhere(linkId: string, from: string, { sysid, compid }: MavlinkMessage): boolean {
    const member = this.#known.of(linkId, from, sysid)?.member ?? this.#on(linkId, sysid, compid);
    const held = member?.vehicle.endpoints.on(linkId);
    return held !== undefined && held.from !== from;
  }

  /**
   * Records a message and returns its vehicle; null if the address holds none. A message of a rival address may prove
   * that the address now belongs to the vehicle.
   */
  receive(linkId: string, from: string, message: MavlinkMessage, atMs: number): Spoke | null {
    const known = this.#known.of(linkId, from, message.sysid) ?? this.#claimant(linkId, from, message, atMs);
    if (!known) return null;
    const { endpoint, member } = known;
    note(endpoint, message, atMs);
    const isEvidence = message.compid === member.vehicle.compid && noteEvidence(endpoint, message, atMs);
    if (member.vehicle.endpoints.on(linkId) === endpoint) return { member, tookOver: false };
    return isEvidence ? this.#claim(known, atMs) : null;
  }

  /** Adds an address that reports a position of a vehicle that another address holds. */
  #claimant(linkId: string, from: string, message: MavlinkMessage, atMs: number): Known | null {
    if (message.kind !== 'global_position') return null;
    const member = this.#on(linkId, message.sysid, message.compid);
    if (!member) return null;
    const known = { endpoint: newEndpoint(linkId, from, message, atMs), member };
    this.#keep(known);
    return known;
  }

  /** Lets an address claim its vehicle. Returns null if the address remains a rival. */
  #claim({ endpoint, member }: Known, atMs: number): Spoke | null {
    const { trail, endpoints } = member.vehicle;
    const claim = endpoints.claim(endpoint, atMs, (next) => follows(member.vehicle, next, atMs));
    if (claim === 'rival') return null;
    if (claim === 'proven' || claim === 'returned') trail.begin();
    if (claim === 'taken_over') trail.handOver();
    if (claim === 'unplaced') trail.mustGoOn = true;
    return { member, tookOver: claim !== 'known' };
  }

  /** Records that the connection of an address was closed. */
  closed(linkId: string, from: string): void {
    for (const { endpoint } of this.#known.all())
      if (endpoint.linkId === linkId && endpoint.from === from) endpoint.isClosed = true;
  }

  /**
   * Whether a heartbeat comes from another component of a vehicle known at this address, whatever type the component
   * reports.
   */
  isComponent(linkId: string, from: string, { sysid, compid }: MavlinkHeartbeat): boolean {
    const known = this.#known.of(linkId, from, sysid);
    return known !== undefined && known.member.vehicle.compid !== compid && compid !== MAV_COMP_ID_AUTOPILOT;
  }

  /**
   * Takes an autopilot's heartbeat and returns its vehicle; null if the limit is reached or the address remains a
   * rival.
   */
  beat(linkId: string, from: string, heartbeat: MavlinkHeartbeat, atMs: number): Spoke | null {
    const { sysid, compid } = heartbeat;
    const found = this.#known.of(linkId, from, sysid);
    // A component that is received before its autopilot first counts as a vehicle. This vehicle is removed now. If the
    // address is only a rival, the vehicle stays and only the address is dropped.
    if (found && found.member.vehicle.compid !== compid) {
      if (found.member.vehicle.endpoints.on(linkId) === found.endpoint) this.#remove(found.member);
      else this.#known.forget(found);
    }
    const known = this.#known.of(linkId, from, sysid);
    const endpoint = known?.endpoint ?? newEndpoint(linkId, from, heartbeat, atMs);
    note(endpoint, heartbeat, atMs);
    endpoint.beatMs = atMs;
    const member = known?.member ?? this.#on(linkId, sysid, compid) ?? this.#begin(heartbeat, endpoint, atMs);
    if (member === null) return null;
    if (!known) this.#keep({ endpoint, member });
    return this.#claim({ endpoint, member }, atMs);
  }

  /** Takes a hardware id or serial that a vehicle reports. If another vehicle holds the name, `judgeName` decides. */
  learn(member: Member, name: string, atMs: number): void {
    const { vehicle } = member;
    if (isNamed(vehicle, name)) return;
    const holder = this.#holderOf(name, member);
    // A sender on an open link must not take the name of a vehicle that is received over a link which proves its
    // senders.
    const verdict = holder ? judgeName(this.#party(holder), this.#party(member), atMs) : 'passes';
    if (verdict === 'open') return;
    if (holder && verdict === 'disputed') {
      this.#disputes.note(vehicle, holder.vehicle, name, atMs);
      return;
    }
    if (vehicle.aliases.size < MOST_NAMES) vehicle.aliases.add(name);
    if (holder && verdict === 'one') this.#join(holder, member);
    else if (holder) this.#remove(holder);
  }

  #party({ vehicle }: Member): Party {
    return { vehicle, isProven: this.isProven(vehicle) };
  }

  /** Returns another vehicle that holds a name, or that is bound to the asset with this name. */
  #holderOf(name: string, member: Member): Member | undefined {
    const others = this.#members.filter((other) => other !== member);
    const holder = others.find(({ vehicle }) => isNamed(vehicle, name));
    const assetId = holder ? null : this.#deps.assetIdNamed(name);
    if (assetId === null || this.#deps.assetIdOf(member.vehicle) === assetId) return holder;
    return others.find(({ vehicle }) => this.#deps.assetIdOf(vehicle) === assetId);
  }

  /**
   * Returns why a vehicle cannot be told apart from another one, or null. Commands address only a system id. While two
   * vehicles use the same id, they are refused, except as in `believesOne`.
   */
  conflict(vehicle: Vehicle, nowMs: number): Conflict | null {
    const contradiction = vehicle.contradiction(nowMs);
    if (contradiction !== null) return { ...contradiction, isSure: true, stops: true };
    const [rival] = vehicle.endpoints.rivals(nowMs);
    if (rival && !rival.isForged) return rivalry(vehicle, rival);
    const other = this.#double(vehicle, nowMs);
    // The other vehicle is at another address or link, so it does not receive orders to this vehicle. `believesOne`
    // therefore still permits hold, return home and landing.
    if (other !== null) return { text: other, isSure: true, stops: true, believesOne: true };
    const disputed = this.#disputes.conflict(vehicle, nowMs);
    return rival && !disputed?.stops ? rivalry(vehicle, rival) : disputed;
  }

  /** Returns a sentence if another vehicle uses the same system id, or is bound to the same asset; otherwise null. */
  #double(vehicle: Vehicle, nowMs: number): string | null {
    const assetId = this.#deps.assetIdOf(vehicle);
    for (const { vehicle: other } of this.#members) {
      if (other === vehicle || nowMs - other.lastMs > SILENT_AFTER_MS) continue;
      const isSameSystem = other.sysid === vehicle.sysid && !isAlike(vehicle, other);
      const isSameAsset = assetId !== null && this.#deps.assetIdOf(other) === assetId;
      if (!isSameSystem && !isSameAsset) continue;
      // An unproven claimant does not stop a proven vehicle.
      if (this.isProven(vehicle) && !this.isProven(other)) continue;
      const name = other.key ?? 'not yet named';
      return isSameSystem
        ? `another vehicle (${name}) also uses the system id ${vehicle.sysid}`
        : `another vehicle (${name}) also has a name of this asset`;
    }
    return null;
  }

  isProven(vehicle: Vehicle): boolean {
    return vehicle.endpoints.all().some((endpoint) => this.proves(endpoint));
  }

  /** Whether only permitted senders can send from an address: the link proves its senders, or the address signs. */
  proves({ linkId, signedMs, lastMs }: Endpoint): boolean {
    return this.#deps.provesSender(linkId) || lastMs - signedMs <= SILENT_AFTER_MS;
  }

  /** Drops the addresses of a link that was removed or changed. */
  forgetLink(linkId: string): void {
    for (const known of this.#known.all()) if (known.endpoint.linkId === linkId) this.#known.forget(known);
    for (const member of [...this.#members]) {
      member.vehicle.endpoints.drop(linkId);
      if (member.vehicle.endpoints.all().length === 0) this.#remove(member);
    }
  }

  #on(linkId: string, sysid: number, compid: number): Member | undefined {
    return this.#members.find(({ vehicle }) => {
      return vehicle.sysid === sysid && vehicle.compid === compid && vehicle.endpoints.on(linkId) !== undefined;
    });
  }

  #begin(heartbeat: MavlinkHeartbeat, endpoint: Endpoint, atMs: number): Member | null {
    if (this.#members.length >= MOST_VEHICLES && !this.#makeRoom()) return null;
    const vehicle = new Vehicle(heartbeat, atMs);
    vehicle.endpoints.add(endpoint);
    vehicle.aliases.add(addressName(endpoint));
    const member: Member = { vehicle, contact: new Contact(), state: '', evaluatedMs: 0, published: null };
    this.#members.push(member);
    return member;
  }

  /**
   * Removes the vehicle that has been silent longest, among those that nobody adopted. Returns false if there is none.
   */
  #makeRoom(): boolean {
    const strangers = this.#members.filter(({ vehicle }) => this.#deps.assetIdOf(vehicle) === null);
    const oldest = strangers.sort((a, b) => a.vehicle.lastMs - b.vehicle.lastMs)[0];
    if (oldest) this.#remove(oldest);
    return oldest !== undefined;
  }

  #remove(member: Member): void {
    const at = this.#members.indexOf(member);
    if (at >= 0) this.#members.splice(at, 1);
    for (const known of this.#known.all()) if (known.member === member) this.#known.forget(known);
    this.#deps.removed(member);
  }

  #keep(known: Known): void {
    if (this.#known.size >= MOST_ENDPOINTS) this.#forgetOldest();
    this.#known.keep(known);
  }

  /**
   * Drops the oldest address. Keeps the address that an adopted vehicle uses; otherwise the vehicle would become its
   * own rival.
   */
  #forgetOldest(): void {
    for (const known of this.#known.all()) {
      const { endpoint, member } = known;
      const { vehicle } = member;
      const holds = vehicle.endpoints.on(endpoint.linkId) === endpoint;
      if (holds && this.#deps.assetIdOf(vehicle) !== null) continue;
      this.#known.forget(known);
      if (!holds) return;
      vehicle.endpoints.drop(endpoint.linkId);
      if (vehicle.endpoints.all().length === 0) this.#remove(member);
      return;
    }
  }

  /** Merges two members that turned out to be one vehicle received on two links. */
  #join(into: Member, other: Member): void {
    for (const endpoint of other.vehicle.endpoints.all()) into.vehicle.endpoints.add(endpoint);
    const { key, aliases } = other.vehicle;
    // An asset may be bound to the first name of the other member.
    for (const name of key === null ? aliases : [...aliases, key]) into.vehicle.aliases.add(name);
    if (into.vehicle.key !== null) into.vehicle.aliases.delete(into.vehicle.key);
    for (const known of this.#known.all()) if (known.member === other) known.member = into;
    this.#remove(other);
  }
}

function newEndpoint(linkId: string, from: string, { sysid, compid }: MavlinkMessage, atMs: number): Endpoint {
  return {
    ...{ linkId, from, sysid, compid, lastMs: atMs, beatMs: Number.NEGATIVE_INFINITY },
    ...{ signedMs: Number.NEGATIVE_INFINITY, uncheckedMs: Number.NEGATIVE_INFINITY },
    ...{ isClosed: false, boot: null, spot: null, isPlaced: false },
  };
}

function note(endpoint: Endpoint, { signed, unchecked }: MavlinkMessage, atMs: number): void {
  endpoint.lastMs = atMs;
  endpoint.isClosed = false;
  if (signed) endpoint.signedMs = atMs;
  if (unchecked) endpoint.uncheckedMs = atMs;
}

/** Records the position and boot clock that an address reports. Returns false if the message has neither. */
function noteEvidence(endpoint: Endpoint, message: MavlinkMessage, atMs: number): boolean {
  if (message.kind === 'global_position') {
    const { latDeg, lonDeg, altMslM, timeBootMs: bootMs } = message;
    endpoint.boot = { startedMs: atMs - bootMs, atMs };
    const isPlace = latDeg !== null && lonDeg !== null && !isBlankPlace(latDeg, lonDeg, null);
    endpoint.spot = isPlace ? { latDeg, lonDeg, altMslM, atMs, bootMs } : null;
    endpoint.isPlaced ||= isPlace;
    return true;
  }
  if (message.kind !== 'mavlink' || message.msgid !== messageIds.systemTime) return false;
  endpoint.boot = { startedMs: atMs - readBootMs(message.payload), atMs };
  return true;
}

/**
 * Whether an address continues from the vehicle's last position; true if the vehicle has none, null if the address has
 * reported no recent position.
 */
function follows({ trail }: Vehicle, { spot }: Endpoint, atMs: number): boolean | null {
  if (trail.isBlank) return true;
  return spot === null || atMs - spot.atMs > FRESH_MS ? null : trail.goesOn(spot);
}

function rivalry({ sysid }: Vehicle, { from, sideBySide, strays, isForged }: Rival): Conflict {
  const where = from === '' ? 'another component' : from;
  if (isForged) {
    const text = `${where} uses the system id ${sysid}, but does not sign its messages as the vehicle does: they are ignored`;
    return { text, isSure: sideBySide, stops: false, believesOne: true };
  }
  if (sideBySide) {
    const text = `two vehicles on one link use the system id ${sysid}; the one at ${where} is not accepted`;
    return { text, isSure: true, stops: true, believesOne: true };
  }
  const text = strays
    ? `${where} uses the system id ${sysid}, at a position that the vehicle cannot have flown to`
    : `the system id ${sysid} was just received from another address, ${where}`;
  return { text, isSure: strays, stops: true, believesOne: true };
}

/** Whether two vehicles may be one. Compares hardware ids if both report one, else start times and positions. */
function isAlike(one: Vehicle, other: Vehicle): boolean {
  const [a, b] = [one.position, other.position];
  if (one.version?.uid2 && other.version?.uid2) return one.version.uid2 === other.version.uid2;
  if (!a || !b) return false;
  const [{ latDeg: latA, lonDeg: lonA }, { latDeg: latB, lonDeg: lonB }] = [a.value, b.value];
  if (latA === null || latB === null || lonA === null || lonB === null) return false;
  const started = Math.abs(a.atMs - a.value.timeBootMs - (b.atMs - b.value.timeBootMs));
  // Valid across the antimeridian. A degree of longitude is at most as long as a degree of latitude.
  const lonApart = Math.abs(((lonA - lonB + 540) % 360) - 180) * Math.cos((latA * Math.PI) / 180);
  return started <= SAME_START_MS && Math.abs(latA - latB) <= SAME_PLACE_DEG && lonApart <= SAME_PLACE_DEG;
}
