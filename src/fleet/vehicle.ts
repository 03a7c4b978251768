import type { TelemetryRefusal } from '../edge/feed/telemetry.ts';
import type {
  AutopilotVersion,
  AvailableMode,
  Camera,
  FenceStatus,
  MslPosition,
} from '../edge/wire/mavlink/read_vehicle.ts';
import type { MavlinkGlobalPosition, MavlinkHeartbeat } from '../edge/wire/message.ts';
import type { Geodetic } from '../geo/position.ts';
import type { Autopilot, LandedState, VehicleType } from '../model/fleet.ts';
import { CAUSE_WITHIN_MS, causeOf, isFailsafeText } from './cause.ts';
import { Custody } from './custody.ts';
import { Endpoints } from './endpoint.ts';
import { autopilotOf, MAV_STATE_CRITICAL, MODE_FLAG_ARMED, vehicleTypeOf } from './mav.ts';
import { type FlightMode, type ModeRole, modeFor, modesOf } from './modes.ts';
import { Starts } from './starts.ts';
import { Targets } from './targets.ts';
import { Trail } from './trail.ts';

/** The last value received, and when (world milliseconds). */
export type Received<T> = { value: T; atMs: number };

/** Verdict on a reported position: `place` where it is believed. */
export type PositionVerdict = 'place' | Exclude<TelemetryRefusal, 'id_conflict'>;

/** Silence of the heartbeat after which the state of a vehicle is unknown, ms. */
const BEATS_WITHIN_MS = 10_000;
/** Time for which a status text is shown, ms. */
const TEXT_KEPT_MS = 60_000;
const TEXTS_KEPT = 8;
/** Time after a contradiction in which a vehicle is not commanded. */
const CONTRADICTS_FOR_MS = 10_000;
/** Answer time that is assumed until the vehicle has answered, ms: that of a link with a short delay. */
const ANSWERS_WITHIN_MS = 300;
/** MAV_SEVERITY: warnings and worse. */
const COMPLAINT = 4;

/** State of a friendly vehicle, from its messages; this class sends nothing. Times are world milliseconds. */
export class Vehicle {
  readonly sysid: number;
  readonly compid: number;
  readonly endpoints = new Endpoints();
  /** The adoption serial: the vehicle's first name, which stays. */
  key: string | null = null;
  readonly aliases = new Set<string>();
  /** Its own Remote ID serial, as its autopilot reports it. */
  serial: string | null = null;
  readonly firstMs: number;
  lastMs: number;
  heartbeat: Received<MavlinkHeartbeat>;
  /** Without coordinates while it has no fix. */
  position: Received<MavlinkGlobalPosition> | null = null;
  readonly trail = new Trail(() => this.type);
  /** The last position message and the verdict on it. */
  judged: { message: MavlinkGlobalPosition; as: PositionVerdict } | null = null;
  landed: Received<LandedState> | null = null;
  energyPct: Received<number> | null = null;
  prearmOk: Received<boolean> | null = null;
  hasEkfPosition: Received<boolean> | null = null;
  fixType: Received<number> | null = null;
  home: MslPosition | null = null;
  fence: Received<FenceStatus> | null = null;
  version: AutopilotVersion | null = null;
  readonly modes = new Map<number, AvailableMode>();
  /** The component that manages its gimbal, and the component in primary control of the gimbal. */
  gimbal: { compid: number; primary: Received<{ sysid: number; compid: number }> | null } | null = null;
  /** Cameras by their component. */
  readonly cameras = new Map<number, Camera>();
  /** Components beside the autopilot that were received, by MAV_TYPE. */
  readonly components = new Map<number, number>();
  /** Reason why the vehicle must not arm, from its own Remote ID module; null where it may, or reports none. */
  armRefusal: Received<string> | null = null;
  /** When each message of it came last, by its id. */
  readonly receivedAtMs = new Map<number, number>();
  /** The vehicle has acknowledged an order of ours since its start. */
  hasAnswered = false;
  /** MAV_CMDs that the vehicle answered with UNSUPPORTED since its start. */
  readonly unsupported = new Set<number>();
  readonly #texts: Received<{ severity: number; text: string }>[] = [];
  /** Target and speed that a task of ours orders now. */
  sentTo: { to: Geodetic; speedMps: number | null } | null = null;
  /** Speed that a person ordered for the present flight, m/s. Autopilots forget it with each change of mode. */
  wished: Received<number> | null = null;
  /** When a take-off was ordered last: telemetry may not show it yet. */
  liftOrderedMs: number | null = null;
  /** Number of reboots while the vehicle was received: each ends everything begun before. */
  reboots = 0;
  readonly starts = new Starts();
  /** When its start was last noted in the log. */
  startNotedMs = Number.NEGATIVE_INFINITY;
  /** Last time at which a heartbeat changed the vehicle type or the autopilot stack, ms. */
  isAnotherKindMs = Number.NEGATIVE_INFINITY;
  /** Tracks which of its modes we ordered. */
  readonly custody = new Custody();
  /** Reported targets, compared with the ones we ordered. */
  readonly targets = new Targets();
  /** Longest recent answer time, ms: an order sent earlier than this has arrived, or is lost. */
  answersWithinMs = ANSWERS_WITHIN_MS;

  constructor(heartbeat: MavlinkHeartbeat, atMs: number) {
    this.sysid = heartbeat.sysid;
    this.compid = heartbeat.compid;
    this.heartbeat = { value: heartbeat, atMs };
    this.firstMs = atMs;
    this.lastMs = atMs;
  }

  get autopilot(): Autopilot {
    return autopilotOf(this.heartbeat.value.autopilot);
  }

  get type(): VehicleType {
    return vehicleTypeOf(this.heartbeat.value.type);
  }

  /** Last reception of its autopilot, by heartbeat or position: a bad link may lose five heartbeats in a row. */
  get receivedMs(): number {
    const { atMs } = this.heartbeat;
    return Math.max(atMs, Math.min(this.position?.atMs ?? atMs, atMs + BEATS_WITHIN_MS));
  }

  get armed(): boolean {
    return (this.heartbeat.value.baseMode & MODE_FLAG_ARMED) !== 0;
  }

  /** Whether the vehicle reports a critical fault. */
  get isCritical(): boolean {
    return this.heartbeat.value.systemStatus >= MAV_STATE_CRITICAL;
  }

  /** Number of the mode that its last heartbeat shows. */
  get customMode(): number {
    return this.heartbeat.value.customMode;
  }

  get mode(): FlightMode {
    return this.#modeOf(this.customMode);
  }

  /** True where its last heartbeat shows this mode; false for null. */
  isIn(mode: FlightMode | null): boolean {
    return this.customMode === mode?.customMode;
  }

  /** The mode that we ordered last, which heartbeats may not show yet; null where none of our orders is in force. */
  get modeLeft(): FlightMode | null {
    const { left } = this.custody;
    return left === null ? null : this.#modeOf(left);
  }

  modeName(customMode: number): string {
    return this.#modeOf(customMode).name;
  }

  #modeOf(customMode: number): FlightMode {
    const known = modesOf(this.autopilot, this.type).find((mode) => mode.customMode === customMode);
    return known ?? { customMode, name: this.modes.get(customMode)?.name || `mode ${customMode}`, role: null };
  }

  /** True where the vehicle has listed all its modes. Until then a missing mode may have been lost on the link. */
  get hasAllModes(): boolean {
    const [first] = this.modes.values();
    return first !== undefined && this.modes.size >= first.count;
  }

  /** The mode of this vehicle for a role; null where it has none. */
  modeFor(role: ModeRole): FlightMode | null {
    const known = modesOf(this.autopilot, this.type);
    return modeFor(role, known, this.hasAllModes || known.length === 0 ? this.modes : new Map());
  }

  /** An armed vehicle that reports no landed state may be in the air. */
  get landedState(): LandedState {
    if (this.landed !== null) return this.landed.value;
    return this.armed ? 'unknown' : 'on_ground';
  }

  get isFlying(): boolean {
    const state = this.landedState;
    return state === 'in_air' || state === 'takeoff' || state === 'landing' || (state === 'unknown' && this.armed);
  }

  /** True where another controller or a failsafe changed the vehicle in flight from a mode of ours to its present mode. */
  get isTaken(): boolean {
    return this.isFlying && this.custody.taken?.mode === this.customMode;
  }

  /** Reported position; null while it has no fix. */
  get place(): MslPosition | null {
    const { latDeg = null, lonDeg = null, altMslM = 0 } = this.position?.value ?? {};
    return latDeg === null || lonDeg === null ? null : { latDeg, lonDeg, altMslM };
  }

  get speedMps(): number {
    const position = this.position?.value;
    return position ? Math.hypot(position.vNorthMps, position.vEastMps) : 0;
  }

  /** Notes an order of ours that leads into a mode. */
  orderMode(customMode: number, nowMs: number): void {
    this.custody.order(customMode, this.customMode, nowMs);
    if (customMode !== this.modeFor('guided')?.customMode) this.targets.release();
  }

  acceptedMode(customMode: number, nowMs: number): void {
    this.custody.accept(customMode, nowMs, this.endpoints.all().length === 1);
  }

  /**
   * Takes the mode of its last heartbeat, with the link that brought it. Returns whether another controller has just
   * changed it.
   */
  receiveMode(linkId: string, atMs: number): boolean {
    const { customMode } = this;
    const isTaken = this.custody.receive(customMode, linkId, atMs, (from) => this.#followsByItself(from, customMode));
    const guided = this.modeFor('guided')?.customMode;
    if (isTaken || (customMode !== guided && this.custody.left !== guided)) this.targets.release();
    if (isTaken && this.custody.taken) this.custody.taken.cause = causeOf(this, atMs);
    return isTaken;
  }

  /** True where another station has sent the vehicle elsewhere in the same mode: our custody ends. True only once. */
  isSentElsewhere(nowMs: number): boolean {
    if (!this.targets.isLost(nowMs)) return false;
    this.custody.release();
    return true;
  }

  /** PX4 changes by itself from take-off to its hold mode, and to that mode again once it has landed. */
  #followsByItself(from: number, to: number): boolean {
    if (this.autopilot !== 'px4') return false;
    const was = this.#modeOf(from).role;
    if (this.#modeOf(to).role !== 'hold') return false;
    return was === 'takeoff' || ((was === 'land' || was === 'return') && !this.armed);
  }

  /** Notes the delay of an answer to an order that was sent once, ms. */
  noteAnswer(afterMs: number): void {
    this.answersWithinMs = Math.max(afterMs, 0.9 * this.answersWithinMs);
  }

  /** Notes a reboot: streams, modes and refused commands are requested again. */
  reboot(): void {
    this.reboots++;
    this.position = null;
    this.landed = null;
    this.prearmOk = null;
    this.hasEkfPosition = null;
    this.fixType = null;
    this.version = null;
    this.modes.clear();
    this.gimbal = null;
    this.cameras.clear();
    this.unsupported.clear();
    this.hasAnswered = false;
    this.receivedAtMs.clear();
    this.custody.release();
    this.targets.release();
    this.fence = null;
    this.wished = null;
    this.liftOrderedMs = null;
  }

  /**
   * Reason why the received messages cannot come from one vehicle, or null; `believesOne`: its address was proven
   * before.
   */
  contradiction(nowMs: number): { text: string; believesOne: boolean } | null {
    if (nowMs - this.trail.strayedMs <= CONTRADICTS_FOR_MS) {
      const text = `system ${this.sysid} speaks from another address, and from a place that it cannot have flown to`;
      return { text, believesOne: false };
    }
    if (nowMs - this.isAnotherKindMs <= CONTRADICTS_FOR_MS) {
      const text = `system ${this.sysid} said just now that it is another kind of vehicle, or flown by another autopilot`;
      // Mode numbers differ between kinds of vehicle.
      return { text, believesOne: false };
    }
    if (nowMs - this.starts.twoMs > CONTRADICTS_FOR_MS) return null;
    const text = `two vehicles at one address say that they are system ${this.sysid}: they started at different times`;
    return { text, believesOne: true };
  }

  say(severity: number, text: string, atMs: number): void {
    const same = this.#texts.find(({ value }) => value.text === text);
    if (same) same.atMs = atMs;
    else this.#texts.push({ value: { severity, text }, atMs });
    if (this.#texts.length > TEXTS_KEPT) this.#texts.shift();
    const { taken } = this.custody;
    // The cause may be reported after the mode.
    if (taken?.cause === null && atMs - taken.atMs <= CAUSE_WITHIN_MS && isFailsafeText(text))
      taken.cause = causeOf(this, atMs);
  }

  /** Text of the latest complaint since a time, ms, among those that `isMeant` accepts; null where there is none. */
  complaint(sinceMs: number, isMeant: (text: string) => boolean = () => true): string | null {
    const isComplaint = ({ value, atMs }: Received<{ severity: number; text: string }>): boolean =>
      value.severity <= COMPLAINT && atMs >= sinceMs && isMeant(value.text);
    return this.#texts.findLast(isComplaint)?.value.text ?? null;
  }

  texts(nowMs: number): readonly { severity: number; text: string }[] {
    return this.#texts.filter(({ atMs }) => nowMs - atMs <= TEXT_KEPT_MS).map(({ value }) => value);
  }
}
