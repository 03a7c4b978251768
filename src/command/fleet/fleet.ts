import { messageIds } from '../../edge/wire/mavlink/known.ts';
import { readCommandAck } from '../../edge/wire/mavlink/read_vehicle.ts';
import { type Payload, writeHeartbeat } from '../../edge/wire/mavlink/write.ts';
import type { MavlinkHeartbeat, MavlinkMessage } from '../../edge/wire/message.ts';
import type { FleetRow } from '../../model/fleet.ts';
import type { Identity } from '../../model/observation.ts';
import { FRESH_MS, HEARD_MS, OTHER_STATION_MS, type Standing } from './available.ts';
import { Contact } from './contact.ts';
import type { Endpoint } from './endpoint.ts';
import { hearHeartbeat, hearOther, hearPosition, hearRemoteId } from './hear.ts';
import { isVehicle, MAV_TYPE_GCS } from './mav.ts';
import { Outbox } from './outbox.ts';
import type { FleetAsset, FleetRegistry, FleetRim } from './rim.ts';
import { fleetRow } from './row.ts';
import { Vehicle } from './vehicle.ts';
import { advertisedVerbs } from './verbs.ts';
import { Waits } from './waits.ts';

const MOST_VEHICLES = 256;
const MOST_ENDPOINTS = 1_024;
/** A vehicle is shown once its own names had time to come. */
const NAMES_WITHIN_MS = 2_000;
/** Rows of one vehicle are told no more often. */
const TELL_EVERY_MS = 500;
const HEARTBEAT_EVERY_MS = 1_000;
/** Two addresses of one vehicle agree when it started, and where it is, to so much. */
const SAME_START_MS = 1_500;
const SAME_PLACE_DEG = 0.001;

type Member = { vehicle: Vehicle; contact: Contact; toldMs: number; told: string };

/** Friendly vehicles on the links of one world: who is heard, what each can do, and the way to tell it. */
export class Fleet {
  readonly waits: Waits;
  readonly outbox: Outbox;
  readonly #rim: FleetRim;
  readonly #members: Member[] = [];
  readonly #endpoints = new Map<string, { endpoint: Endpoint; member: Member }>();
  /** Other ground stations by link. */
  readonly #stations = new Map<string, { sysid: number; atMs: number }>();
  /** When our own system id was heard from somebody else. */
  #ownIdTakenMs = Number.NEGATIVE_INFINITY;
  #nextHeartbeatMs = 0;
  registry: FleetRegistry | null = null;
  /** Told when a vehicle started anew, so that what it was doing is known to be over. */
  onReboot: (vehicle: Vehicle) => void = () => {};

  constructor(rim: FleetRim) {
    this.#rim = rim;
    this.waits = new Waits(() => rim.nowMs());
    this.outbox = new Outbox({
      nowMs: () => rim.nowMs(),
      transmit: (vehicle, payload) => this.#transmit(vehicle, payload),
    });
  }

  take(linkId: string, message: MavlinkMessage, from: string, atMs: number): void {
    if (message.kind === 'heartbeat' && this.#hearStation(linkId, message, atMs)) return;
    const key = `${linkId} ${from} ${message.sysid}`;
    const known = this.#endpoints.get(key);
    if (message.kind === 'heartbeat' && isVehicle(message.type, message.autopilot)) {
      this.#hearVehicle(key, known, { linkId, message, from, atMs });
    } else if (known) {
      this.#hear(known, message, atMs);
    }
    this.waits.look();
  }

  /** Ten times a second: what is to be asked, said again, and told. */
  tick(): void {
    const nowMs = this.#rim.nowMs();
    this.outbox.tick();
    this.waits.look();
    if (nowMs >= this.#nextHeartbeatMs) {
      this.#nextHeartbeatMs = nowMs + HEARTBEAT_EVERY_MS;
      this.#sayHeartbeat(nowMs);
    }
    for (const member of this.#members) {
      this.#name(member, nowMs);
      if (this.#mayAsk(member.vehicle)) this.#ask(member, nowMs);
      if (nowMs - member.toldMs >= TELL_EVERY_MS) this.#tell(member, nowMs);
    }
  }

  nowMs(): number {
    return this.#rim.nowMs();
  }

  get sysid(): number {
    return this.#rim.sysid;
  }

  rows(): FleetRow[] {
    const nowMs = this.#rim.nowMs();
    return this.#members.filter((member) => this.#isShown(member)).map(({ vehicle }) => this.#rowOf(vehicle, nowMs));
  }

  row(vehicle: Vehicle): FleetRow {
    return this.#rowOf(vehicle, this.#rim.nowMs());
  }

  /** The vehicle that an asset is bound to, or that has this name. */
  vehicleOf(assetIdOrName: string): Vehicle | null {
    const wanted = assetIdOrName.toUpperCase();
    const member = this.#members.find(({ vehicle }) => {
      if (this.assetOf(vehicle)?.id === assetIdOrName) return true;
      return (
        vehicle.key?.toUpperCase() === wanted || [...vehicle.aliases].some((name) => name.toUpperCase() === wanted)
      );
    });
    return member?.vehicle ?? null;
  }

  vehicles(): Vehicle[] {
    return this.#members.map(({ vehicle }) => vehicle);
  }

  assetOf(vehicle: Vehicle): FleetAsset | null {
    const [endpoint] = vehicle.endpoints.all();
    if (!endpoint || !this.registry) return null;
    const names = vehicle.key === null ? [...vehicle.aliases] : [vehicle.key, ...vehicle.aliases];
    return this.registry.assetOf(names, endpoint.linkId, vehicle.sysid, vehicle.compid);
  }

  advertised(vehicle: Vehicle) {
    return advertisedVerbs(vehicle, this.assetOf(vehicle)?.verbs ?? null);
  }

  /** Everything is asked of it anew. */
  askAgain(vehicle: Vehicle): void {
    this.#members.find((member) => member.vehicle === vehicle)?.contact.again(vehicle);
  }

  standing(vehicle: Vehicle): Standing {
    const nowMs = this.#rim.nowMs();
    const asset = this.assetOf(vehicle);
    const endpoint = this.#bestEndpoint(vehicle, nowMs);
    const link = endpoint ? this.#rim.link(endpoint.linkId) : null;
    const station = endpoint ? this.#stations.get(endpoint.linkId) : undefined;
    return {
      name: asset?.name ?? nameOf(vehicle),
      adopted: asset !== null,
      policy: link?.policy ?? null,
      discoveryOff: this.registry?.discoveryOn() === false,
      signing: link?.signing ?? 'none',
      signed: endpoint !== null && nowMs - endpoint.signedMs <= HEARD_MS,
      featureOff: this.registry?.controlOn === false,
      conflict: this.#conflictOf(vehicle, nowMs),
      otherStation: station && nowMs - station.atMs <= OTHER_STATION_MS ? station.sysid : null,
      reservePct: this.registry?.reservePct() ?? 0,
    };
  }

  /** What else a system on a link is known by: its telemetry is an observation of all of that. */
  identitiesOf(linkId: string, sysid: number): readonly Identity[] {
    const member = this.#members.find(
      ({ vehicle }) => vehicle.sysid === sysid && vehicle.endpoints.on(linkId) !== undefined,
    );
    return member ? identitiesOf(member.vehicle) : [];
  }

  /** A link is gone or stands for something else: who spoke there is not heard any more. */
  forgetLink(linkId: string): void {
    for (const [key, { endpoint }] of this.#endpoints) if (endpoint.linkId === linkId) this.#endpoints.delete(key);
    for (const member of [...this.#members]) {
      member.vehicle.endpoints.drop(linkId);
      if (member.vehicle.endpoints.all().length === 0) this.#remove(member);
    }
    this.#stations.delete(linkId);
  }

  /** A ground station is no vehicle; that there is another is told, and one with our own id stops us. */
  #hearStation(linkId: string, { type, sysid }: MavlinkHeartbeat, atMs: number): boolean {
    if (type !== MAV_TYPE_GCS) return false;
    if (sysid !== this.#rim.sysid) {
      this.#stations.set(linkId, { sysid, atMs });
      return true;
    }
    if (atMs - this.#ownIdTakenMs > HEARD_MS) {
      const text = `another ground station uses our MAVLink system id ${sysid}; set control.sysid to one that is free`;
      this.#rim.note('fleet.own_id_taken', 'warning', text, null);
    }
    this.#ownIdTakenMs = atMs;
    return true;
  }

  #hearVehicle(
    key: string,
    known: { endpoint: Endpoint; member: Member } | undefined,
    heard: { linkId: string; message: MavlinkHeartbeat; from: string; atMs: number },
  ): void {
    const { linkId, message, from, atMs } = heard;
    const endpoint = known?.endpoint ?? newEndpoint(linkId, from, message, atMs);
    note(endpoint, message, atMs);
    const member =
      known?.member ?? this.#memberOn(linkId, message.sysid, message.compid) ?? this.#begin(message, endpoint, atMs);
    if (member === null) return;
    if (!known) this.#keep(key, { endpoint, member });
    const claim = member.vehicle.endpoints.claim(endpoint, atMs);
    if (claim === 'rival') return;
    if (claim === 'taken_over') this.#reboot(member.vehicle);
    hearHeartbeat(member.vehicle, message, atMs);
    member.vehicle.lastMs = atMs;
  }

  #hear({ endpoint, member }: { endpoint: Endpoint; member: Member }, message: MavlinkMessage, atMs: number): void {
    const { vehicle } = member;
    if (vehicle.endpoints.on(endpoint.linkId) !== endpoint) return;
    note(endpoint, message, atMs);
    vehicle.lastMs = atMs;
    const { reboots } = vehicle;
    if (message.kind === 'heartbeat') {
      if (vehicle.components.size < 32) vehicle.components.set(message.type, message.compid);
    } else if (message.kind === 'global_position') {
      if (message.compid === vehicle.compid) hearPosition(vehicle, message, atMs);
    } else if (message.kind === 'odid') {
      const serial =
        message.compid === vehicle.compid && message.tag === null ? hearRemoteId(vehicle, message, atMs) : null;
      if (serial !== null) {
        vehicle.serial = serial;
        this.#learn(member, serial);
      }
    } else if (message.msgid === messageIds.commandAck) {
      this.#hearAck(member, message.compid, message.payload, atMs);
    } else {
      hearOther(vehicle, message, atMs);
      const uid = vehicle.version?.uid2;
      if (uid) this.#learn(member, uid);
    }
    if (vehicle.reboots !== reboots) this.#reboot(vehicle, true);
  }

  #hearAck({ vehicle, contact }: Member, compid: number, payload: Uint8Array, atMs: number): void {
    const ack = readCommandAck(payload);
    if (ack.targetSystem !== 0 && ack.targetSystem !== this.#rim.sysid) return;
    contact.heardAck(ack, atMs);
    this.outbox.heardAck(vehicle, compid, ack);
  }

  #reboot(vehicle: Vehicle, known = false): void {
    if (!known) vehicle.reboot();
    this.outbox.drop(vehicle);
    this.onReboot(vehicle);
    const label = this.assetOf(vehicle)?.name ?? nameOf(vehicle);
    const subject = { type: 'vehicle', id: vehicle.key ?? '', label };
    this.#rim.note('fleet.restarted', 'notice', `${label} started anew`, subject);
  }

  #memberOn(linkId: string, sysid: number, compid: number): Member | undefined {
    return this.#members.find(
      ({ vehicle }) =>
        vehicle.sysid === sysid && vehicle.compid === compid && vehicle.endpoints.on(linkId) !== undefined,
    );
  }

  #begin(heartbeat: MavlinkHeartbeat, endpoint: Endpoint, atMs: number): Member | null {
    if (this.#members.length >= MOST_VEHICLES && !this.#makeRoom()) return null;
    const vehicle = new Vehicle(heartbeat, atMs);
    vehicle.endpoints.add(endpoint);
    vehicle.aliases.add(`mavlink:${endpoint.linkId}:${vehicle.sysid}:${vehicle.compid}`);
    const member: Member = { vehicle, contact: new Contact(), toldMs: 0, told: '' };
    this.#members.push(member);
    return member;
  }

  /** The longest unheard that nobody adopted goes. */
  #makeRoom(): boolean {
    const strangers = this.#members.filter(({ vehicle }) => this.assetOf(vehicle) === null);
    const oldest = strangers.sort((a, b) => a.vehicle.lastMs - b.vehicle.lastMs)[0];
    if (oldest) this.#remove(oldest);
    return oldest !== undefined;
  }

  #remove(member: Member): void {
    const at = this.#members.indexOf(member);
    if (at >= 0) this.#members.splice(at, 1);
    for (const [key, held] of this.#endpoints) if (held.member === member) this.#endpoints.delete(key);
    this.outbox.drop(member.vehicle);
    if (member.vehicle.key !== null && member.told !== '') this.#rim.gone(member.vehicle.key);
  }

  #keep(key: string, held: { endpoint: Endpoint; member: Member }): void {
    const [oldest] = this.#endpoints.keys();
    if (this.#endpoints.size >= MOST_ENDPOINTS && oldest !== undefined) this.#endpoints.delete(oldest);
    this.#endpoints.set(key, held);
  }

  /** Another name of a vehicle. One that is heard by it on another link as well is the same. */
  #learn(member: Member, name: string): void {
    const { vehicle } = member;
    if (vehicle.aliases.has(name) || vehicle.key === name) return;
    const same = this.#members.find(
      (other) =>
        other !== member &&
        other.vehicle.sysid === vehicle.sysid &&
        (other.vehicle.aliases.has(name) || other.vehicle.key === name),
    );
    vehicle.aliases.add(name);
    if (same) this.#join(same, member);
  }

  /** The second is the first, heard on another link. */
  #join(into: Member, other: Member): void {
    for (const endpoint of other.vehicle.endpoints.all()) {
      if (into.vehicle.endpoints.on(endpoint.linkId)) return;
      into.vehicle.endpoints.add(endpoint);
    }
    for (const alias of other.vehicle.aliases) into.vehicle.aliases.add(alias);
    for (const held of this.#endpoints.values()) if (held.member === other) held.member = into;
    this.#remove(other);
  }

  /** The first name that lasts: its Remote ID serial, its hardware id, or where it is heard. */
  #name({ vehicle }: Member, nowMs: number): void {
    if (vehicle.key !== null) return;
    const [heardAs = ''] = vehicle.aliases;
    const asksNothing = this.registry !== null && !this.#mayAsk(vehicle);
    if (vehicle.version === null && !asksNothing && nowMs - vehicle.firstMs < NAMES_WITHIN_MS) return;
    vehicle.key = vehicle.serial ?? vehicle.version?.uid2 ?? heardAs;
    vehicle.aliases.delete(vehicle.key);
  }

  /** Vehicles that nobody adopted are asked where the link lets them be shown; nothing is asked where discovery is off. */
  #mayAsk(vehicle: Vehicle): boolean {
    if (!this.registry?.discoveryOn()) return false;
    if (this.assetOf(vehicle) !== null) return true;
    const endpoint = this.#bestEndpoint(vehicle, this.#rim.nowMs());
    return endpoint !== null && this.#rim.link(endpoint.linkId)?.policy.discover === 'list';
  }

  #isShown({ vehicle }: Member): boolean {
    if (vehicle.key === null) return false;
    if (this.assetOf(vehicle) !== null) return true;
    return vehicle.endpoints.all().some(({ linkId }) => this.#rim.link(linkId)?.policy.discover === 'list');
  }

  #ask({ vehicle, contact }: Member, nowMs: number): void {
    if (nowMs - vehicle.heartbeat.atMs > HEARD_MS) return;
    const payload = contact.due(vehicle, nowMs);
    if (payload) this.#transmit(vehicle, payload).catch(() => {});
  }

  #tell(member: Member, nowMs: number): void {
    const { key } = member.vehicle;
    if (key === null) return;
    if (!this.#isShown(member)) {
      if (member.told !== '') this.#rim.gone(key);
      member.told = '';
      return;
    }
    const row = this.#rowOf(member.vehicle, nowMs);
    const told = JSON.stringify(row);
    if (told === member.told) return;
    member.told = told;
    member.toldMs = nowMs;
    this.#rim.shown(row);
  }

  #rowOf(vehicle: Vehicle, nowMs: number): FleetRow {
    const asset = this.assetOf(vehicle);
    const { value: position } = vehicle.position ?? { value: null };
    const ground =
      position && position.latDeg !== null && position.lonDeg !== null
        ? (this.registry?.groundAltHaeM(position.latDeg, position.lonDeg) ?? null)
        : null;
    const energy = vehicle.energyPct?.value ?? null;
    return fleetRow(
      vehicle,
      {
        standing: this.standing(vehicle),
        assetId: asset?.id ?? null,
        linkId: this.#bestEndpoint(vehicle, nowMs)?.linkId ?? null,
        linkIds: vehicle.endpoints.all().map(({ linkId }) => linkId),
        advertised: this.advertised(vehicle),
        enduranceS: energy !== null && asset?.enduranceS ? (asset.enduranceS * energy) / 100 : null,
        taskId: asset ? (this.registry?.taskOf(asset.id) ?? null) : null,
        groundAltHaeM: ground,
        timeText: (worldMs) => this.#rim.timeText(worldMs),
      },
      nowMs,
    );
  }

  /** One of the addresses heard just now, those first whose links let commands out. */
  #bestEndpoint(vehicle: Vehicle, nowMs: number): Endpoint | null {
    let best: Endpoint | null = null;
    let bestRank = Number.NEGATIVE_INFINITY;
    for (const endpoint of vehicle.endpoints.all()) {
      const link = this.#rim.link(endpoint.linkId);
      const ageMs = nowMs - endpoint.lastMs;
      const rank = (link?.policy.command === 'allow' ? 1e6 : 0) + (ageMs <= FRESH_MS ? 1e7 : -ageMs / 1e3);
      if (rank <= bestRank) continue;
      best = endpoint;
      bestRank = rank;
    }
    return best;
  }

  #transmit(vehicle: Vehicle, payload: Payload): Promise<void> {
    const endpoint = this.#bestEndpoint(vehicle, this.#rim.nowMs());
    if (!endpoint) return Promise.reject(new Error('it is heard on no link'));
    return this.#rim.transmit(endpoint.linkId, payload, endpoint.from);
  }

  /** Components stay silent to a station that is not heard; what outlives a fault must not say this, so it is of the tick. */
  #sayHeartbeat(nowMs: number): void {
    const payload = writeHeartbeat({
      ...{ type: MAV_TYPE_GCS, autopilot: 8, baseMode: 0, customMode: 0, systemStatus: 4, mavlinkVersion: 3 },
    });
    for (const { vehicle } of this.#members) {
      if (!this.#mayAsk(vehicle)) continue;
      for (const { linkId, from, lastMs } of vehicle.endpoints.all()) {
        if (nowMs - lastMs <= 3 * HEARD_MS) this.#rim.transmit(linkId, payload, from).catch(() => {});
      }
    }
  }

  /** Commands carry only a system id: where two answer to it, none is sent. */
  #conflictOf(vehicle: Vehicle, nowMs: number): string | null {
    if (nowMs - this.#ownIdTakenMs <= 3 * HEARD_MS) {
      return `another ground station uses our system id ${this.#rim.sysid}; set control.sysid to one that is free`;
    }
    const contest = vehicle.endpoints.rival(nowMs);
    if (contest) {
      const where = contest.rival.from === '' ? 'another component' : contest.rival.from;
      return contest.sideBySide
        ? `two vehicles on one link say that they are system ${vehicle.sysid}; the other is at ${where}`
        : `system ${vehicle.sysid} was just heard from another address, ${where}`;
    }
    const twin = this.#members.find(
      ({ vehicle: other }) =>
        other !== vehicle &&
        other.sysid === vehicle.sysid &&
        nowMs - other.lastMs <= HEARD_MS &&
        !isAlike(vehicle, other),
    );
    return twin
      ? `another vehicle (${twin.vehicle.key ?? 'not yet named'}) says that it is system ${vehicle.sysid} too`
      : null;
  }
}

function newEndpoint(linkId: string, from: string, { sysid, compid }: MavlinkHeartbeat, atMs: number): Endpoint {
  return { linkId, from, sysid, compid, firstMs: atMs, lastMs: atMs, signedMs: Number.NEGATIVE_INFINITY };
}

function note(endpoint: Endpoint, { signed }: MavlinkMessage, atMs: number): void {
  endpoint.lastMs = atMs;
  if (signed) endpoint.signedMs = atMs;
}

/** Without a name that two addresses share: whether they can be one vehicle, by when it started and where it is. */
function isAlike(one: Vehicle, other: Vehicle): boolean {
  const [a, b] = [one.position, other.position];
  if (one.version?.uid2 && other.version?.uid2) return one.version.uid2 === other.version.uid2;
  if (!a || !b || a.value.latDeg === null || b.value.latDeg === null) return false;
  const started = Math.abs(a.atMs - a.value.timeBootMs - (b.atMs - b.value.timeBootMs));
  const north = Math.abs(a.value.latDeg - b.value.latDeg);
  return started <= SAME_START_MS && north <= SAME_PLACE_DEG;
}

/** Its Remote ID serial is a serial to all the world; its hardware id only MAVLink knows. */
function identitiesOf({ serial, version }: Vehicle): Identity[] {
  const identities: Identity[] = [];
  if (serial !== null) identities.push({ type: 'serial', value: serial, transport: 'mavlink' });
  if (version?.uid2) identities.push({ type: 'mavlink', value: version.uid2, transport: 'mavlink' });
  return identities;
}

function nameOf({ autopilot, type, sysid, compid }: Vehicle): string {
  const stack = autopilot === 'ardupilot' ? 'ArduPilot' : autopilot === 'px4' ? 'PX4' : 'MAVLink';
  return `${stack} ${type.replace('_', ' ')} ${sysid}/${compid}`;
}
