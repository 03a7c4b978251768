import type { TelemetryRefusal } from '../edge/feed/telemetry.ts';
import { messageIds } from '../edge/wire/mavlink/known.ts';
import { readCommandAck } from '../edge/wire/mavlink/read_vehicle.ts';
import type { MavlinkGlobalPosition, MavlinkHeartbeat, MavlinkMessage } from '../edge/wire/message.ts';
import type { FleetRow } from '../model/fleet.ts';
import { Listeners } from '../model/listeners.ts';
import type { Identity } from '../model/observation.ts';
import { sameJson } from '../model/same_json.ts';
import type { Verb } from '../model/verb.ts';
import { Ambiguity, ownIdText } from './ambiguity.ts';
import { SENT_ELSEWHERE, SILENT_AFTER_MS, type Standing } from './available.ts';
import { Bindings } from './bound.ts';
import { takenText } from './cause.ts';
import { Conflicts } from './conflicts.ts';
import type { FleetAsset, FleetDeps, FleetRegistry } from './deps.ts';
import { Hail } from './hail.ts';
import { FleetLinks } from './links.ts';
import { isAddressable, isVehicle } from './mav.ts';
import { addressName, identitiesOf, isCalled, nameOf, nameVehicle } from './names.ts';
import { Outbox } from './outbox.ts';
import { receiveComponent, receiveHeartbeat, receiveOther, receivePosition, receiveRemoteId } from './receive.ts';
import { type Member, Roster } from './roster.ts';
import { energyOf, fleetRow, stateOf } from './row.ts';
import { Stations } from './stations.ts';
import { Unheard } from './unheard.ts';
import type { Vehicle } from './vehicle.ts';
import { advertisedVerbs } from './verbs.ts';
import { Waits } from './waits.ts';

/**
 * Interval at which rows are published, ms. A change of state is published in the next round; the position is shown by
 * the vehicle's track.
 */
const PUBLISH_EVERY_MS = 1_000;
const HEARTBEAT_EVERY_MS = 1_000;
/** Interval at which all vehicles are processed, ms: names, requests, and rows. */
const ROUND_EVERY_MS = 200;
/** Time by which a tick may be early, ms: ticks come at multiples of their interval, each a little late. */
const EARLY_MS = 50;
const STARTS_NOTED_EVERY_MS = 10_000;
const ADDRESS = { type: 'mavlink', transport: 'mavlink' } as const;

/**
 * Own vehicles on the links of one world: the received vehicles, their verbs, and the transmission of orders to them.
 */
export class Fleet {
  readonly waits: Waits;
  readonly outbox: Outbox;
  readonly #deps: FleetDeps;
  readonly #links: FleetLinks;
  readonly #hail: Hail;
  readonly #roster: Roster;
  readonly #stations: Stations;
  readonly #ambiguity: Ambiguity;
  readonly #conflicts: Conflicts;
  readonly #unheard: Unheard;
  readonly #bound: Bindings;
  #nextHeartbeatMs = 0;
  #nextRoundMs = 0;
  /** Emits a vehicle that rebooted. Its tasks end. */
  readonly rebooted = new Listeners<[Vehicle]>();
  /**
   * Emits a vehicle that another controller or a failsafe took over, with a sentence for people. Our commands to the
   * vehicle end.
   */
  readonly taken = new Listeners<[vehicle: Vehicle, why: string]>();

  constructor(deps: FleetDeps) {
    this.#deps = deps;
    const { nowMs, transmit, registry } = deps;
    this.#links = new FleetLinks(deps.link);
    this.#bound = new Bindings(registry);
    const assetOf = (vehicle: Vehicle): FleetAsset | null => this.assetOf(vehicle);
    this.#hail = new Hail({ nowMs, transmit, registry, links: this.#links, assetOf });
    this.waits = new Waits(nowMs);
    this.outbox = new Outbox({ nowMs, transmit: (vehicle, payload) => this.#hail.transmit(vehicle, payload) });
    this.#roster = new Roster({
      assetIdOf: (vehicle) => this.assetOf(vehicle)?.id ?? null,
      assetIdNamed: (name) => this.registry?.assetOf([name], '', 0, 0)?.id ?? null,
      provesSender: (linkId) => this.#links.of(linkId)?.provesSender ?? false,
      removed: (member) => this.#removed(member),
    });
    this.#conflicts = new Conflicts(deps);
    this.#unheard = new Unheard(deps);
    this.#stations = new Stations(deps.sysid, (from) => {
      deps.note('fleet.own_id_taken', 'warning', ownIdText(deps.sysid, from), null);
    });
    this.#ambiguity = new Ambiguity({ sysid: deps.sysid, roster: this.#roster, stations: this.#stations, assetOf });
  }

  get registry(): FleetRegistry | null {
    return this.#deps.registry();
  }

  take(linkId: string, message: MavlinkMessage, from: string, atMs: number): void {
    if (message.kind === 'heartbeat' && this.#stations.receive(linkId, from, message, atMs)) return;
    const isBeat = message.kind === 'heartbeat' && this.#isAutopilot(linkId, from, message);
    const roster = this.#roster;
    const spoke = isBeat ? roster.beat(linkId, from, message, atMs) : roster.receive(linkId, from, message, atMs);
    if (!spoke) return;
    const { member, tookOver } = spoke;
    const { vehicle } = member;
    if (tookOver) this.#rebooted(vehicle, true);
    if (isBeat) {
      const isTaken = receiveHeartbeat(vehicle, message, linkId, atMs);
      vehicle.lastMs = atMs;
      if (isTaken) this.taken.emit(vehicle, takenText(vehicle));
    } else this.#receive(member, message, atMs);
    this.waits.evaluate();
  }

  #isAutopilot(linkId: string, from: string, message: MavlinkHeartbeat): boolean {
    if (!isVehicle(message.type, message.autopilot) || !isAddressable(message)) return false;
    return !this.#roster.isComponent(linkId, from, message);
  }

  /** Sends requests, repeats orders, and publishes rows. Call it several times a second. */
  tick(): void {
    const nowMs = this.#deps.nowMs();
    this.outbox.tick();
    this.waits.evaluate();
    if (nowMs >= this.#nextHeartbeatMs) {
      this.#nextHeartbeatMs = nowMs + HEARTBEAT_EVERY_MS - EARLY_MS;
      this.#hail.sayHeartbeat(this.vehicles(), nowMs);
    }
    if (nowMs < this.#nextRoundMs) return;
    this.#nextRoundMs = nowMs + ROUND_EVERY_MS - EARLY_MS;
    this.#links.hold(() => {
      for (const member of this.#roster.all()) this.#evaluate(member, nowMs);
    });
    this.#unheard.publish(this.registry, () => this.#roster.all().flatMap(({ published }) => published ?? []), nowMs);
  }

  #evaluate(member: Member, nowMs: number): void {
    const { vehicle } = member;
    nameVehicle(vehicle, this.registry !== null && !this.#hail.mayAsk(vehicle), nowMs);
    this.#hail.ask(member, nowMs);
    if (vehicle.isSentElsewhere(nowMs)) this.taken.emit(vehicle, SENT_ELSEWHERE);
    this.#hail.askRivals(vehicle, nowMs);
    const state = stateOf(vehicle);
    if (state === member.state && nowMs - member.evaluatedMs < PUBLISH_EVERY_MS) return;
    member.state = state;
    member.evaluatedMs = nowMs;
    this.#conflicts.evaluate(vehicle, this.#ambiguity.sure(vehicle, nowMs));
    this.#publish(member, nowMs);
  }

  nowMs(): number {
    return this.#deps.nowMs();
  }

  get sysid(): number {
    return this.#deps.sysid;
  }

  /** Returns the rows of received vehicles, and of adopted vehicles that are not received. */
  rows(): FleetRow[] {
    const received = this.receivedRows();
    return [...received, ...this.#unheard.rows(this.registry, received)];
  }

  receivedRows(): FleetRow[] {
    const nowMs = this.#deps.nowMs();
    const shown = this.#roster.all().filter((member) => this.#isShown(member));
    return shown.map(({ vehicle }) => this.row(vehicle, nowMs));
  }

  /** Link that commands to the vehicle use; null if the vehicle has no address on a link. */
  linkIdOf(vehicle: Vehicle): string | null {
    return this.#links.best(vehicle, this.#deps.nowMs())?.linkId ?? null;
  }

  /**
   * Returns the vehicle that is bound to the asset with this id, or that has this name; null if there is none. If
   * several match, the one with the best proof is returned.
   */
  vehicleOf(assetIdOrName: string): Vehicle | null {
    const wanted = assetIdOrName.toUpperCase();
    const meant = this.vehicles().filter((vehicle) => {
      return this.assetOf(vehicle)?.id === assetIdOrName || isCalled(vehicle, wanted);
    });
    const proof = (vehicle: Vehicle): number => (this.#roster.isProven(vehicle) ? 2 : 0) + (isPlaced(vehicle) ? 1 : 0);
    return meant.sort((a, b) => proof(b) - proof(a))[0] ?? null;
  }

  /** Whether only permitted senders can transmit as this vehicle: it signs, or its link proves its senders. */
  isProven(vehicle: Vehicle): boolean {
    return this.#roster.isProven(vehicle);
  }

  /** Whether the roster has no vehicle. */
  get isEmpty(): boolean {
    return this.#roster.all().length === 0;
  }

  vehicles(): Vehicle[] {
    return this.#roster.all().map(({ vehicle }) => vehicle);
  }

  assetOf(vehicle: Vehicle): FleetAsset | null {
    return this.#bound.assetOf(vehicle, this.#deps.nowMs());
  }

  advertised(vehicle: Vehicle): readonly Verb[] {
    return advertisedVerbs(vehicle, this.assetOf(vehicle)?.verbs ?? null);
  }

  /** Requests all messages of a vehicle again. */
  askAgain(vehicle: Vehicle): void {
    this.#roster.of(vehicle)?.contact.again(vehicle);
  }

  standing(vehicle: Vehicle): Standing {
    const nowMs = this.#deps.nowMs();
    const asset = this.assetOf(vehicle);
    const endpoint = this.#links.best(vehicle, nowMs);
    const link = endpoint ? this.#links.of(endpoint.linkId) : null;
    return {
      name: asset?.name ?? nameOf(vehicle),
      adopted: asset !== null,
      policy: link?.policy ?? null,
      discoveryOff: this.registry?.discoveryOn() === false,
      signing: link?.signing ?? 'none',
      signed: endpoint !== null && nowMs - endpoint.signedMs <= SILENT_AFTER_MS,
      // Some channels of ArduPilot, such as USB, accept unsigned frames even while the vehicle signs.
      ignoresUs: endpoint !== null && nowMs - endpoint.uncheckedMs <= SILENT_AFTER_MS && !vehicle.hasAnswered,
      featureOff: this.registry?.controlOn === false,
      ...this.#ambiguity.of(vehicle, nowMs),
      otherStation: endpoint ? this.#stations.on(endpoint.linkId, nowMs) : null,
      reservePct: this.registry?.reservePct() ?? 0,
    };
  }

  /**
   * Returns further identities of the vehicle at an address, including its proven addresses on other links. The
   * vehicle's telemetry counts as an observation of all of them.
   */
  identitiesOf(linkId: string, from: string, sysid: number): readonly Identity[] {
    const vehicle = this.#roster.speaker(linkId, from, sysid)?.vehicle;
    if (!vehicle) return [];
    // Addresses on other links are identities too. Otherwise their tracks would remain beside the vehicle as unknown
    // aircraft.
    const others = vehicle.endpoints.all().filter((other) => other.linkId !== linkId && this.#roster.proves(other));
    const addresses = others.map((other) => ({ ...ADDRESS, value: addressName(other) }));
    return [...identitiesOf(vehicle), ...addresses];
  }

  /** Returns why a position that was just received must not be used as an observation; null if it may be used. */
  refusalOf(linkId: string, from: string, message: MavlinkGlobalPosition): TelemetryRefusal | null {
    if (this.#roster.isHeldElsewhere(linkId, from, message)) return 'id_conflict';
    const judged = this.#roster.speaker(linkId, from, message.sysid)?.vehicle.judged;
    return judged?.message !== message || judged.as === 'place' ? null : judged.as;
  }

  /**
   * Whether the vehicle at an address reports that it is on the ground; null if it does not report its landed state.
   */
  landedAt(linkId: string, from: string, sysid: number): boolean | null {
    const state = this.#roster.speaker(linkId, from, sysid)?.vehicle.landed?.value ?? 'unknown';
    return state === 'unknown' ? null : state === 'on_ground';
  }

  closed(linkId: string, from: string): void {
    this.#roster.closed(linkId, from);
  }

  /** Drops all state of a link that was removed or changed. */
  forgetLink(linkId: string): void {
    this.#roster.forgetLink(linkId);
    this.#stations.forget(linkId);
  }

  #receive(member: Member, message: MavlinkMessage, atMs: number): void {
    const { vehicle } = member;
    vehicle.lastMs = atMs;
    const { reboots } = vehicle;
    if (message.kind === 'heartbeat') receiveComponent(vehicle, message);
    else if (message.kind === 'global_position') {
      if (message.compid === vehicle.compid) receivePosition(vehicle, message, atMs);
      // The hardware id is evaluated before the feed tracks this position: positions on two links can prove that both
      // links receive one vehicle.
      this.#learnUid(member, atMs);
    } else if (message.kind === 'odid') {
      const isOwn = message.compid === vehicle.compid && message.tag === null;
      if (isOwn) vehicle.serial = receiveRemoteId(vehicle, message, atMs) ?? vehicle.serial;
      if (vehicle.serial !== null) this.#roster.learn(member, vehicle.serial, atMs);
    } else if (message.msgid === messageIds.commandAck) {
      this.#receiveAck(member, message.compid, message.payload, atMs);
    } else {
      receiveOther(vehicle, message, atMs);
      this.#learnUid(member, atMs);
    }
    if (vehicle.reboots !== reboots) this.#rebooted(vehicle, false);
  }

  #learnUid(member: Member, atMs: number): void {
    const uid = member.vehicle.version?.uid2;
    if (uid) this.#roster.learn(member, uid, atMs);
  }

  #receiveAck(member: Member, compid: number, payload: Uint8Array, atMs: number): void {
    const ack = readCommandAck(payload);
    if (ack.targetSystem !== 0 && ack.targetSystem !== this.#deps.sysid) return;
    const { vehicle, contact } = member;
    vehicle.hasAnswered ||= ack.targetSystem === this.#deps.sysid;
    // The request is answered, so the next one is sent at once.
    const afterMs = contact.receiveAck(ack, atMs);
    if (afterMs !== null) {
      vehicle.noteAnswer(afterMs);
      this.#hail.ask(member, atMs);
    }
    this.outbox.receiveAck(vehicle, compid, ack);
  }

  #rebooted(vehicle: Vehicle, atNewAddress: boolean): void {
    if (atNewAddress) {
      vehicle.reboot();
      vehicle.starts.forget();
    }
    this.outbox.drop(vehicle);
    this.rebooted.emit(vehicle);
    this.#noteStart(vehicle);
  }

  /** Logs a start of an adopted vehicle, at most once every 10 s per vehicle, so that strangers cannot fill the log. */
  #noteStart(vehicle: Vehicle): void {
    const nowMs = this.#deps.nowMs();
    const label = this.assetOf(vehicle)?.name;
    if (label === undefined || nowMs - vehicle.startNotedMs < STARTS_NOTED_EVERY_MS) return;
    vehicle.startNotedMs = nowMs;
    const subject = { type: 'vehicle', id: vehicle.key ?? '', label };
    this.#deps.note('fleet.restarted', 'notice', `${label} rebooted`, subject);
  }

  #removed({ vehicle, published }: Member): void {
    this.outbox.drop(vehicle);
    this.#conflicts.evaluate(vehicle, null);
    if (vehicle.key !== null && published !== null) this.#deps.gone(vehicle.key);
  }

  #isShown({ vehicle }: Member): boolean {
    return vehicle.key !== null && (this.assetOf(vehicle) !== null || this.#hail.isListed(vehicle));
  }

  #publish(member: Member, nowMs: number): void {
    const { key } = member.vehicle;
    if (key === null) return;
    if (!this.#isShown(member)) {
      if (member.published !== null) this.#deps.gone(key);
      member.published = null;
      return;
    }
    const row = this.row(member.vehicle, nowMs);
    if (sameJson(row, member.published)) return;
    member.published = row;
    this.#deps.shown(row);
  }

  row(vehicle: Vehicle, nowMs = this.#deps.nowMs()): FleetRow {
    const asset = this.assetOf(vehicle);
    const { place } = vehicle;
    const energy = energyOf(vehicle, nowMs);
    const fullS = asset?.performance.endurance_s;
    return fleetRow(
      vehicle,
      {
        standing: this.standing(vehicle),
        assetId: asset?.id ?? null,
        linkId: this.linkIdOf(vehicle),
        linkIds: vehicle.endpoints.all().map(({ linkId }) => linkId),
        advertised: this.advertised(vehicle),
        enduranceS: energy !== null && fullS ? (fullS * energy) / 100 : null,
        performance: asset?.performance ?? {},
        taskId: asset ? (this.registry?.taskOf(asset.id) ?? null) : null,
        groundAltHaeM: place ? (this.registry?.groundAltHaeM(place.latDeg, place.lonDeg) ?? null) : null,
        provenance: this.#deps.provenance,
        timeText: this.#deps.timeText,
      },
      nowMs,
    );
  }
}

/** Whether any address of the vehicle has reported a position. */
function isPlaced({ endpoints }: Vehicle): boolean {
  return endpoints.all().some((endpoint) => endpoint.isPlaced);
}
