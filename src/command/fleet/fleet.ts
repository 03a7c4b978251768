import type { TelemetryRefusal } from '../../edge/feed/telemetry.ts';
import { messageIds } from '../../edge/wire/mavlink/known.ts';
import { readCommandAck } from '../../edge/wire/mavlink/read_vehicle.ts';
import type { Payload } from '../../edge/wire/mavlink/write.ts';
import type { MavlinkGlobalPosition, MavlinkHeartbeat, MavlinkMessage } from '../../edge/wire/message.ts';
import type { FleetRow } from '../../model/fleet.ts';
import type { Identity } from '../../model/observation.ts';
import { sameJson } from '../../model/same_json.ts';
import type { Verb } from '../../model/verb.ts';
import { HEARD_MS, type Standing } from './available.ts';
import { Bindings } from './bound.ts';
import { takenText } from './cause.ts';
import { Conflicts } from './conflicts.ts';
import { addressesOf, ownHeartbeat, whereabouts } from './hail.ts';
import { hearComponent, hearHeartbeat, hearOther, hearPosition, hearRemoteId } from './hear.ts';
import { FleetLinks } from './links.ts';
import { isAddressable, isVehicle } from './mav.ts';
import { identitiesOf, isCalled, nameOf, nameVehicle } from './names.ts';
import { Outbox } from './outbox.ts';
import type { FleetAsset, FleetRegistry, FleetRim } from './rim.ts';
import { type Member, Roster } from './roster.ts';
import { fleetRow, stateOf } from './row.ts';
import { Stations } from './stations.ts';
import { Unheard } from './unheard.ts';
import type { Vehicle } from './vehicle.ts';
import { advertisedVerbs } from './verbs.ts';
import { Waits } from './waits.ts';

/** A row is told so often, since where it is its track tells; and at once where the vehicle says something else of itself. */
const TELL_EVERY_MS = 1_000;
const HEARTBEAT_EVERY_MS = 1_000;
/** How often it is looked at whom there is something to ask of, or to tell of. */
const ROUND_EVERY_MS = 200;
const STARTS_TOLD_EVERY_MS = 10_000;

/** Friendly vehicles on the links of one world: who is heard, what each can do, and the way to tell it. */
export class Fleet {
  readonly waits: Waits;
  readonly outbox: Outbox;
  readonly #rim: FleetRim;
  readonly #links: FleetLinks;
  readonly #roster: Roster;
  readonly #stations: Stations;
  readonly #conflicts: Conflicts;
  readonly #unheard: Unheard;
  readonly #bound = new Bindings(() => this.registry);
  #nextHeartbeatMs = 0;
  #nextRoundMs = 0;
  registry: FleetRegistry | null = null;
  /** Told when a vehicle started anew, so that what it was doing is known to be over. */
  onReboot: (vehicle: Vehicle) => void = () => {};
  /** Called when somebody else has taken a vehicle, with the sentence that says so: commands of ours are over. */
  onTaken: (vehicle: Vehicle, why: string) => void = () => {};

  constructor(rim: FleetRim) {
    this.#rim = rim;
    this.#links = new FleetLinks((linkId) => rim.link(linkId));
    this.waits = new Waits(() => rim.nowMs());
    this.outbox = new Outbox({
      nowMs: () => rim.nowMs(),
      transmit: (vehicle, payload) => this.#transmit(vehicle, payload),
    });
    this.#roster = new Roster({
      assetIdOf: (vehicle) => this.assetOf(vehicle)?.id ?? null,
      provesSender: (linkId) => this.#links.of(linkId)?.provesSender ?? false,
      removed: (member) => this.#removed(member),
    });
    this.#conflicts = new Conflicts(rim);
    this.#unheard = new Unheard(rim);
    this.#stations = new Stations(rim.sysid, () => rim.note('fleet.own_id_taken', 'warning', this.#ownIdText, null));
  }

  take(linkId: string, message: MavlinkMessage, from: string, atMs: number): void {
    if (message.kind === 'heartbeat' && this.#stations.hear(linkId, message, atMs)) return;
    if (message.kind === 'heartbeat' && this.#isAutopilot(linkId, from, message)) {
      const spoke = this.#roster.beat(linkId, from, message, atMs);
      if (!spoke) return;
      const { vehicle } = spoke.member;
      if (spoke.tookOver) this.#rebooted(vehicle, true);
      const isTaken = hearHeartbeat(vehicle, message, linkId, atMs);
      vehicle.lastMs = atMs;
      if (isTaken) this.onTaken(vehicle, takenText(vehicle));
    } else {
      const spoke = this.#roster.heard(linkId, from, message, atMs);
      if (!spoke) return;
      if (spoke.tookOver) this.#rebooted(spoke.member.vehicle, true);
      this.#hear(spoke.member, message, atMs);
    }
    this.waits.look();
  }

  #isAutopilot(linkId: string, from: string, message: MavlinkHeartbeat): boolean {
    if (!isVehicle(message.type, message.autopilot) || !isAddressable(message)) return false;
    return !this.#roster.isComponent(linkId, from, message);
  }

  /** Several times a second: what is to be asked, said again, and told. */
  tick(): void {
    const nowMs = this.#rim.nowMs();
    this.outbox.tick();
    this.waits.look();
    if (nowMs >= this.#nextHeartbeatMs) {
      this.#nextHeartbeatMs = nowMs + HEARTBEAT_EVERY_MS;
      this.#sayHeartbeat(nowMs);
    }
    if (nowMs < this.#nextRoundMs) return;
    this.#nextRoundMs = nowMs + ROUND_EVERY_MS;
    this.#links.hold(() => {
      for (const member of this.#roster.all()) this.#lookAt(member, nowMs);
    });
    this.#unheard.look(this.registry, () => this.#roster.all().flatMap(({ told }) => told ?? []), nowMs);
  }

  #lookAt(member: Member, nowMs: number): void {
    const { vehicle } = member;
    nameVehicle(vehicle, this.registry !== null && !this.#mayAsk(vehicle), nowMs);
    this.#ask(member, nowMs);
    if (vehicle.isSentElsewhere(nowMs)) this.onTaken(vehicle, 'another station sent it elsewhere');
    this.#askRivals(vehicle, nowMs);
    const state = stateOf(vehicle);
    if (state === member.state && nowMs - member.lookedMs < TELL_EVERY_MS) return;
    member.state = state;
    member.lookedMs = nowMs;
    this.#conflicts.look(vehicle, this.#sureConflict(vehicle, nowMs));
    this.#tell(member, nowMs);
  }

  nowMs(): number {
    return this.#rim.nowMs();
  }

  get sysid(): number {
    return this.#rim.sysid;
  }

  /** Vehicles that are received, and adopted ones that are not. */
  rows(): FleetRow[] {
    const heard = this.heardRows();
    return [...heard, ...this.#unheard.rows(this.registry, heard)];
  }

  heardRows(): FleetRow[] {
    const nowMs = this.#rim.nowMs();
    const shown = this.#roster.all().filter((member) => this.#isShown(member));
    return shown.map(({ vehicle }) => this.#rowOf(vehicle, nowMs));
  }

  row(vehicle: Vehicle): FleetRow {
    return this.#rowOf(vehicle, this.#rim.nowMs());
  }

  /** The link that it is told by; null where it is heard on none. */
  linkIdOf(vehicle: Vehicle): string | null {
    return this.#links.best(vehicle, this.#rim.nowMs())?.linkId ?? null;
  }

  /** The vehicle that an asset is bound to, or that has this name; of several one on a link that proves its sender. */
  vehicleOf(assetIdOrName: string): Vehicle | null {
    const wanted = assetIdOrName.toUpperCase();
    const meant = this.vehicles().filter((vehicle) => {
      return this.assetOf(vehicle)?.id === assetIdOrName || isCalled(vehicle, wanted);
    });
    return meant.find((vehicle) => this.#roster.isProven(vehicle)) ?? meant[0] ?? null;
  }

  /** Whether only permitted senders can be this vehicle. */
  isProven(vehicle: Vehicle): boolean {
    return this.#roster.isProven(vehicle);
  }

  vehicles(): Vehicle[] {
    return this.#roster.all().map(({ vehicle }) => vehicle);
  }

  assetOf(vehicle: Vehicle): FleetAsset | null {
    return this.#bound.assetOf(vehicle, this.#rim.nowMs());
  }

  advertised(vehicle: Vehicle): readonly Verb[] {
    return advertisedVerbs(vehicle, this.assetOf(vehicle)?.verbs ?? null);
  }

  /** Everything is asked of it anew. */
  askAgain(vehicle: Vehicle): void {
    this.#roster.of(vehicle)?.contact.again(vehicle);
  }

  standing(vehicle: Vehicle): Standing {
    const nowMs = this.#rim.nowMs();
    const asset = this.assetOf(vehicle);
    const endpoint = this.#links.best(vehicle, nowMs);
    const link = endpoint ? this.#links.of(endpoint.linkId) : null;
    return {
      name: asset?.name ?? nameOf(vehicle),
      adopted: asset !== null,
      policy: link?.policy ?? null,
      discoveryOff: this.registry?.discoveryOn() === false,
      signing: link?.signing ?? 'none',
      signed: endpoint !== null && nowMs - endpoint.signedMs <= HEARD_MS,
      // Some channels of ArduPilot (USB) take what is not signed all the same.
      ignoresUs: endpoint !== null && nowMs - endpoint.uncheckedMs <= HEARD_MS && !vehicle.hasAnswered,
      featureOff: this.registry?.controlOn === false,
      ...this.#conflictOf(vehicle, nowMs),
      otherStation: endpoint ? this.#stations.on(endpoint.linkId, nowMs) : null,
      reservePct: this.registry?.reservePct() ?? 0,
    };
  }

  #conflictOf(vehicle: Vehicle, nowMs: number): Pick<Standing, 'conflict' | 'believesOne' | 'disbelieved'> {
    const conflict = this.#roster.conflict(vehicle, nowMs);
    const disbelieved = conflict && !conflict.stops ? conflict.text : null;
    // A vehicle with our own system id cannot be addressed; another station with it leaves the vehicle's address as it is.
    const believesOne = vehicle.sysid !== this.#rim.sysid && (conflict === null || conflict.believesOne);
    if (this.#isOwnIdTaken(vehicle, nowMs)) return { conflict: this.#ownIdText, believesOne, disbelieved };
    return { conflict: conflict?.stops ? conflict.text : null, believesOne, disbelieved };
  }

  /** By another station where it is heard, or by the vehicle itself. */
  #isOwnIdTaken(vehicle: Vehicle, nowMs: number): boolean {
    if (vehicle.sysid === this.#rim.sysid) return true;
    return vehicle.endpoints.all().some(({ linkId }) => this.#stations.isOwnIdTaken(linkId, nowMs));
  }

  /** What else a system that speaks from an address is known by: its telemetry is an observation of all of that. */
  identitiesOf(linkId: string, from: string, sysid: number): readonly Identity[] {
    const member = this.#roster.speaker(linkId, from, sysid);
    return member ? identitiesOf(member.vehicle) : [];
  }

  /** Why a position that was just taken is no observation of a vehicle; null where it is one. */
  refusalOf(linkId: string, from: string, message: MavlinkGlobalPosition): TelemetryRefusal | null {
    if (this.#roster.isHeldElsewhere(linkId, from, message)) return 'id_conflict';
    const judged = this.#roster.speaker(linkId, from, message.sysid)?.vehicle.judged;
    return judged?.message !== message || judged.as === 'place' ? null : judged.as;
  }

  /** Whether the vehicle at an address says that it stands on the ground; null where it says nothing. */
  landedAt(linkId: string, from: string, sysid: number): boolean | null {
    const state = this.#roster.speaker(linkId, from, sysid)?.vehicle.landed?.value ?? 'unknown';
    return state === 'unknown' ? null : state === 'on_ground';
  }

  /** The connection of an address was closed. */
  closed(linkId: string, from: string): void {
    this.#roster.closed(linkId, from);
  }

  /** A link is gone or stands for something else. */
  forgetLink(linkId: string): void {
    this.#roster.forgetLink(linkId);
    this.#stations.forget(linkId);
  }

  get #ownIdText(): string {
    return `another uses our MAVLink system id ${this.#rim.sysid}; set control.sysid to one that is free`;
  }

  #hear(member: Member, message: MavlinkMessage, atMs: number): void {
    const { vehicle } = member;
    vehicle.lastMs = atMs;
    const { reboots } = vehicle;
    if (message.kind === 'heartbeat') hearComponent(vehicle, message);
    else if (message.kind === 'global_position') {
      if (message.compid === vehicle.compid) hearPosition(vehicle, message, atMs);
    } else if (message.kind === 'odid') {
      const isOwn = message.compid === vehicle.compid && message.tag === null;
      if (isOwn) vehicle.serial = hearRemoteId(vehicle, message, atMs) ?? vehicle.serial;
      if (vehicle.serial !== null) this.#roster.learn(member, vehicle.serial);
    } else if (message.msgid === messageIds.commandAck) {
      this.#hearAck(member, message.compid, message.payload, atMs);
    } else {
      hearOther(vehicle, message, atMs);
      const uid = vehicle.version?.uid2;
      if (uid) this.#roster.learn(member, uid);
    }
    if (vehicle.reboots !== reboots) this.#rebooted(vehicle, false);
  }

  #hearAck(member: Member, compid: number, payload: Uint8Array, atMs: number): void {
    const ack = readCommandAck(payload);
    if (ack.targetSystem !== 0 && ack.targetSystem !== this.#rim.sysid) return;
    const { vehicle, contact } = member;
    vehicle.hasAnswered ||= ack.targetSystem === this.#rim.sysid;
    // The next of what is wanted is asked for at once.
    const afterMs = contact.heardAck(ack, atMs);
    if (afterMs !== null) {
      vehicle.noteAnswer(afterMs);
      this.#ask(member, atMs);
    }
    this.outbox.heardAck(vehicle, compid, ack);
  }

  #rebooted(vehicle: Vehicle, atNewAddress: boolean): void {
    if (atNewAddress) {
      vehicle.reboot();
      vehicle.starts.forget();
    }
    this.outbox.drop(vehicle);
    this.onReboot(vehicle);
    this.#noteStart(vehicle);
  }

  /** Of ours, and not as often as somebody may say it: strangers could fill the log. */
  #noteStart(vehicle: Vehicle): void {
    const nowMs = this.#rim.nowMs();
    const label = this.assetOf(vehicle)?.name;
    if (label === undefined || nowMs - vehicle.startToldMs < STARTS_TOLD_EVERY_MS) return;
    vehicle.startToldMs = nowMs;
    const subject = { type: 'vehicle', id: vehicle.key ?? '', label };
    this.#rim.note('fleet.restarted', 'notice', `${label} started anew`, subject);
  }

  #removed({ vehicle, told }: Member): void {
    this.outbox.drop(vehicle);
    this.#conflicts.look(vehicle, null);
    if (vehicle.key !== null && told !== null) this.#rim.gone(vehicle.key);
  }

  /** Vehicles that nobody adopted are asked where the link lets them be shown; nothing is asked where discovery is off. */
  #mayAsk(vehicle: Vehicle): boolean {
    if (!this.registry?.discoveryOn()) return false;
    return this.assetOf(vehicle) !== null || this.#isListed(vehicle);
  }

  #isShown({ vehicle }: Member): boolean {
    return vehicle.key !== null && (this.assetOf(vehicle) !== null || this.#isListed(vehicle));
  }

  #isListed(vehicle: Vehicle): boolean {
    return vehicle.endpoints.all().some(({ linkId }) => this.#links.of(linkId)?.policy.discover === 'list');
  }

  #ask({ vehicle, contact }: Member, nowMs: number): void {
    if (nowMs - vehicle.heardMs > HEARD_MS || !this.#mayAsk(vehicle)) return;
    const payload = contact.due(vehicle, nowMs);
    if (payload) this.#transmit(vehicle, payload).catch(() => {});
  }

  /** An address that may be a vehicle after its reboot is asked where it is; nothing else is sent to it. */
  #askRivals(vehicle: Vehicle, nowMs: number): void {
    for (const endpoint of vehicle.endpoints.toAsk(nowMs)) {
      if (!this.#mayAsk(vehicle)) return;
      for (const payload of whereabouts(endpoint))
        this.#rim.transmit(endpoint.linkId, payload, endpoint.from).catch(() => {});
    }
  }

  /** What people are to be told of: of vehicles of ours alone, since strangers could raise any number. */
  #sureConflict(vehicle: Vehicle, nowMs: number): { asset: FleetAsset; text: string } | null {
    const conflict = this.#roster.conflict(vehicle, nowMs);
    const asset = conflict?.isSure ? this.assetOf(vehicle) : null;
    return conflict && asset ? { asset, text: conflict.text } : null;
  }

  #tell(member: Member, nowMs: number): void {
    const { key } = member.vehicle;
    if (key === null) return;
    if (!this.#isShown(member)) {
      if (member.told !== null) this.#rim.gone(key);
      member.told = null;
      return;
    }
    const row = this.#rowOf(member.vehicle, nowMs);
    if (sameJson(row, member.told)) return;
    member.told = row;
    this.#rim.shown(row);
  }

  #rowOf(vehicle: Vehicle, nowMs: number): FleetRow {
    const asset = this.assetOf(vehicle);
    const { latDeg = null, lonDeg = null } = vehicle.position?.value ?? {};
    const isPlaced = latDeg !== null && lonDeg !== null;
    const energy = vehicle.energyPct?.value ?? null;
    return fleetRow(
      vehicle,
      {
        standing: this.standing(vehicle),
        assetId: asset?.id ?? null,
        linkId: this.linkIdOf(vehicle),
        linkIds: vehicle.endpoints.all().map(({ linkId }) => linkId),
        advertised: this.advertised(vehicle),
        enduranceS: energy !== null && asset?.enduranceS ? (asset.enduranceS * energy) / 100 : null,
        taskId: asset ? (this.registry?.taskOf(asset.id) ?? null) : null,
        groundAltHaeM: isPlaced ? (this.registry?.groundAltHaeM(latDeg, lonDeg) ?? null) : null,
        provenance: this.#rim.provenance,
        timeText: (worldMs) => this.#rim.timeText(worldMs),
      },
      nowMs,
    );
  }

  #transmit(vehicle: Vehicle, payload: Payload): Promise<void> {
    const endpoint = this.#links.best(vehicle, this.#rim.nowMs());
    if (!endpoint) return Promise.reject(new Error('it is heard on no link'));
    return this.#rim.transmit(endpoint.linkId, payload, endpoint.from);
  }

  /** Components stay silent to a station that is not heard; what outlives a fault must not say this, so it is of the tick. */
  #sayHeartbeat(nowMs: number): void {
    const asked = this.vehicles().filter((vehicle) => this.#mayAsk(vehicle));
    for (const { linkId, from } of addressesOf(asked, nowMs)) {
      this.#rim.transmit(linkId, ownHeartbeat(), from).catch(() => {});
    }
  }
}
