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

/** The last received value, and its time of reception (world time, ms). */
export type Received<T> = { value: T; atMs: number };

/** Verdict on a reported position; `place` means that it is accepted. */
export type PositionVerdict = 'place' | Exclude<TelemetryRefusal, 'id_conflict'>;

/** Time after the last heartbeat for which position reports alone count as reception of the vehicle, ms. */
const BEATS_WITHIN_MS = 10_000;
/** Time for which a status text is shown, ms. */
const TEXT_KEPT_MS = 60_000;
const TEXTS_KEPT = 8;
/**
 * Time for which commands are refused after a vehicle's messages contradicted each other, ms. Hold, return home and
 * landing stay allowed where `contradiction` gives `believesOne`.
 */
const CONTRADICTS_FOR_MS = 10_000;
/** Answer time that is assumed until the vehicle has answered, ms. Typical of a link with a short delay. */
const ANSWERS_WITHIN_MS = 300;
/** Value of MAV_SEVERITY for warnings; lower values are worse. */
const COMPLAINT = 4;

/** State of an own vehicle, as its messages report it. Sends nothing. Times are world time, ms. */
export class Vehicle {
  readonly sysid: number;
  readonly compid: number;
  readonly endpoints = new Endpoints();
  /**
   * Name by which the vehicle is bound to an asset (`nameVehicle` chooses it). It never changes; null until the vehicle
   * is named.
   */
  key: string | null = null;
  readonly aliases = new Set<string>();
  /** Remote ID serial of the vehicle, as its autopilot reports it. */
  serial: string | null = null;
  readonly firstMs: number;
  lastMs: number;
  heartbeat: Received<MavlinkHeartbeat>;
  /** Last accepted position report; without coordinates while the vehicle has no fix. */
  position: Received<MavlinkGlobalPosition> | null = null;
  readonly trail = new Trail(() => this.type);
  /** Last position message, and the verdict on it. */
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
  /** Component that manages the gimbal, and the component in primary control of the gimbal; null without a gimbal. */
  gimbal: { compid: number; primary: Received<{ sysid: number; compid: number }> | null } | null = null;
  /** Cameras, by component id. */
  readonly cameras = new Map<number, Camera>();
  /** Component ids of received components other than the autopilot, by MAV_TYPE. */
  readonly components = new Map<number, number>();
  /** Reason why the vehicle's Remote ID module forbids arming; null if it does not, or reports nothing. */
  armRefusal: Received<string> | null = null;
  /** Time of the last message of each kind, by message id, ms. */
  readonly receivedAtMs = new Map<number, number>();
  /** Whether the vehicle has acknowledged a request or an order of ours since its start. */
  hasAnswered = false;
  /** MAV_CMDs that the vehicle answered with UNSUPPORTED since its start. */
  readonly unsupported = new Set<number>();
  readonly #texts: Received<{ severity: number; text: string }>[] = [];
  /** Target and speed that the running task orders; null without a task. */
  sentTo: { to: Geodetic; speedMps: number | null } | null = null;
  /**
   * Speed that a person ordered for this flight, m/s. Stored here, because autopilots reset it with each change of
   * mode.
   */
  wished: Received<number> | null = null;
  /** Time of the last take-off order, ms. Telemetry may not show the take-off yet. */
  liftOrderedMs: number | null = null;
  /**
   * Number of reboots since the vehicle was first received. Each reboot ends all commands and requests that were begun
   * before.
   */
  reboots = 0;
  readonly starts = new Starts();
  /** Time at which a start was last logged, ms. */
  startNotedMs = Number.NEGATIVE_INFINITY;
  /** Last time at which a heartbeat changed the vehicle type or the autopilot, ms. */
  isAnotherKindMs = Number.NEGATIVE_INFINITY;
  /** Tells which of the vehicle's modes we ordered. */
  readonly custody = new Custody();
  /** Compares reported targets with the ones that we ordered. */
  readonly targets = new Targets();
  /** Longest recent answer time, ms. An order that was sent longer ago has arrived or is lost. */
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

  /**
   * Last reception of the autopilot, ms. Position reports count too, because a bad link may lose five heartbeats in a
   * row.
   */
  get receivedMs(): number {
    const { atMs } = this.heartbeat;
    return Math.max(atMs, Math.min(this.position?.atMs ?? atMs, atMs + BEATS_WITHIN_MS));
  }

  get armed(): boolean {
    return (this.heartbeat.value.baseMode & MODE_FLAG_ARMED) !== 0;
  }

  get isCritical(): boolean {
    return this.heartbeat.value.systemStatus >= MAV_STATE_CRITICAL;
  }

  /** Number of the mode in the last heartbeat. */
  get customMode(): number {
    return this.heartbeat.value.customMode;
  }

  get mode(): FlightMode {
    return this.#modeOf(this.customMode);
  }

  /** Whether the last heartbeat shows this mode; false for null. */
  isIn(mode: FlightMode | null): boolean {
    return this.customMode === mode?.customMode;
  }

  /** Mode that we ordered last, which heartbeats may not show yet; null if no order of ours is active. */
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

  /** Whether the vehicle has listed all its modes. Before that, a missing mode may only have been lost on the link. */
  get hasAllModes(): boolean {
    const [first] = this.modes.values();
    return first !== undefined && this.modes.size >= first.count;
  }

  /** Returns the vehicle's mode for a role; null if it has none. */
  modeFor(role: ModeRole): FlightMode | null {
    const known = modesOf(this.autopilot, this.type);
    return modeFor(role, known, this.hasAllModes || known.length === 0 ? this.modes : new Map());
  }

  /** Landed state; `unknown` if an armed vehicle reports none, because it may be in the air. */
  get landedState(): LandedState {
    if (this.landed !== null) return this.landed.value;
    return this.armed ? 'unknown' : 'on_ground';
  }

  get isFlying(): boolean {
    const state = this.landedState;
    return state === 'in_air' || state === 'takeoff' || state === 'landing' || (state === 'unknown' && this.armed);
  }

  /**
   * Whether another controller or a failsafe changed the mode in flight, from a mode of ours to the one of the last
   * heartbeat.
   */
  get isTaken(): boolean {
    return this.isFlying && this.custody.taken?.mode === this.customMode;
  }

  /** Reported position; null without a fix. */
  get place(): MslPosition | null {
    const { latDeg = null, lonDeg = null, altMslM = 0 } = this.position?.value ?? {};
    return latDeg === null || lonDeg === null ? null : { latDeg, lonDeg, altMslM };
  }

  get speedMps(): number {
    const position = this.position?.value;
    return position ? Math.hypot(position.vNorthMps, position.vEastMps) : 0;
  }

  /** Records a mode order of ours. */
  orderMode(customMode: number, nowMs: number): void {
    this.custody.order(customMode, this.customMode, nowMs);
    if (customMode !== this.modeFor('guided')?.customMode) this.targets.release();
  }

  acceptedMode(customMode: number, nowMs: number): void {
    this.custody.accept(customMode, nowMs, this.endpoints.all().length === 1);
  }

  /**
   * Takes the mode of the last heartbeat, which arrived over `linkId`. Returns true if another controller has just
   * changed the mode.
   */
  receiveMode(linkId: string, atMs: number): boolean {
    const { customMode } = this;
    const isTaken = this.custody.receive(customMode, linkId, atMs, (from) => this.#followsByItself(from, customMode));
    const guided = this.modeFor('guided')?.customMode;
    if (isTaken || (customMode !== guided && this.custody.left !== guided)) this.targets.release();
    if (isTaken && this.custody.taken) this.custody.taken.cause = causeOf(this, atMs);
    return isTaken;
  }

  /**
   * Whether another station has sent the vehicle elsewhere in the same mode, which ends our control. Returns true only
   * once.
   */
  isSentElsewhere(nowMs: number): boolean {
    if (!this.targets.isLost(nowMs)) return false;
    this.custody.release();
    return true;
  }

  /**
   * Whether the vehicle changes mode without an order. PX4 enters its hold mode after a take-off, and again after
   * landing.
   */
  #followsByItself(from: number, to: number): boolean {
    if (this.autopilot !== 'px4') return false;
    const was = this.#modeOf(from).role;
    if (this.#modeOf(to).role !== 'hold') return false;
    return was === 'takeoff' || ((was === 'land' || was === 'return') && !this.armed);
  }

  /** Records the answer time of an order that was sent once, or of a request, ms. */
  noteAnswer(afterMs: number): void {
    this.answersWithinMs = Math.max(afterMs, 0.9 * this.answersWithinMs);
  }

  /**
   * Resets the state after a reboot, so that streams and modes are requested again, and unsupported commands may be
   * tried again.
   */
  reboot(): void {
    this.reboots++;
    this.position = null;
    this.home = null;
    this.energyPct = null;
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
   * Returns why the received messages cannot come from one vehicle, or null. `believesOne` is true only if two vehicles
   * share one address: `Starts` then accepts the one that started last.
   */
  contradiction(nowMs: number): { text: string; believesOne: boolean } | null {
    if (nowMs - this.trail.strayedMs <= CONTRADICTS_FOR_MS) {
      const text = `the vehicle with the system id ${this.sysid} transmits from another address, at a position that it cannot have flown to`;
      return { text, believesOne: false };
    }
    if (nowMs - this.isAnotherKindMs <= CONTRADICTS_FOR_MS) {
      const text = `the vehicle with the system id ${this.sysid} has just reported another vehicle type or another autopilot`;
      // Mode numbers differ between types of vehicle, so no order can be sent safely.
      return { text, believesOne: false };
    }
    if (nowMs - this.starts.twoMs > CONTRADICTS_FOR_MS) return null;
    const text = `two vehicles at one address use the system id ${this.sysid}: they started at different times`;
    return { text, believesOne: true };
  }

  say(severity: number, text: string, atMs: number): void {
    const same = this.#texts.find(({ value }) => value.text === text);
    if (same) same.atMs = atMs;
    else this.#texts.push({ value: { severity, text }, atMs });
    if (this.#texts.length > TEXTS_KEPT) this.#texts.shift();
    const { taken } = this.custody;
    // A vehicle may report the cause after the mode change.
    if (taken?.cause === null && atMs - taken.atMs <= CAUSE_WITHIN_MS && isFailsafeText(text))
      taken.cause = causeOf(this, atMs);
  }

  /** Returns the text of the latest complaint since `sinceMs` that `isMeant` accepts; null if there is none. */
  complaint(sinceMs: number, isMeant: (text: string) => boolean = () => true): string | null {
    const isComplaint = ({ value, atMs }: Received<{ severity: number; text: string }>): boolean =>
      value.severity <= COMPLAINT && atMs >= sinceMs && isMeant(value.text);
    return this.#texts.findLast(isComplaint)?.value.text ?? null;
  }

  texts(nowMs: number): readonly { severity: number; text: string }[] {
    return this.#texts.filter(({ atMs }) => nowMs - atMs <= TEXT_KEPT_MS).map(({ value }) => value);
  }
}
