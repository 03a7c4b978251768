import { ArduPilot } from './ardupilot.ts';
import { CMD, type Command, RESULT, type Result } from './command.ts';
import { distance, type Target } from './flight.ts';
import { type Fields, type Heard, numberOf } from './messages.ts';
import type { VehicleOptions } from './options.ts';
import { PlanePilot } from './plane_pilot.ts';
import { bootMs, degE7 } from './telemetry.ts';

export const PLANE_MODE = {
  manual: 0,
  circle: 1,
  stabilize: 2,
  fbwa: 5,
  auto: 10,
  rtl: 11,
  loiter: 12,
  takeoff: 13,
  guided: 15,
} as const;

const NAMES: [number, string][] = [
  [0, 'MANUAL'],
  [1, 'CIRCLE'],
  [2, 'STABILIZE'],
  [5, 'FLY BY WIRE A'],
  [10, 'AUTO'],
  [11, 'RTL'],
  [12, 'LOITER'],
  [13, 'TAKEOFF'],
  [15, 'GUIDED'],
];
const TAKEOFF_M = 50;
const RTL_ALT_M = 100;
const RADIUS_M = 90;
const REACHED_M = 90;
const AUTO_DISARM_S = 10;

export type ArduPlaneOptions = VehicleOptions & { loiterRadiusM?: number };

/** ArduPlane as it was observed in the loop: it cannot stop, and does not land by command. */
export class ArduPlane extends ArduPilot {
  readonly pilot: PlanePilot;
  protected readonly vehicleType = 1;
  protected readonly modes = NAMES.map(([number, name]) => ({ number, name }));
  readonly #radiusM: number;

  constructor(options: ArduPlaneOptions) {
    super(options);
    this.#radiusM = options.loiterRadiusM ?? RADIUS_M;
    this.pilot = new PlanePilot(this.body, options.cruiseMps ?? 22, options.maxSpeedMps ?? 30);
  }

  /** It has no state between the ground and the air. */
  get landed(): number {
    return this.pilot.isLanded ? 1 : 2;
  }

  protected restarted(): void {
    this.mode = PLANE_MODE.manual;
    this.pilot.resetSpeed();
    this.pilot.do({ kind: 'parked' });
  }

  protected lostStation(): void {
    this.setMode(PLANE_MODE.rtl);
  }

  protected override canStream(name: string): boolean {
    return name === 'POSITION_TARGET_GLOBAL_INT' || super.canStream(name);
  }

  /** It tells the middle of its circle in each mode that navigates. */
  #target(): Fields | null {
    const { manoeuvre } = this.pilot;
    if (manoeuvre.kind !== 'circle') return null;
    const { lat, lon, altM } = manoeuvre.to;
    const place = { lat_int: degE7(lat), lon_int: degE7(lon), alt: altM + this.groundAmslM };
    return { time_boot_ms: bootMs(this), coordinate_frame: 0, type_mask: 65_016, ...place };
  }

  protected override message(name: string): Fields | null {
    if (name === 'POSITION_TARGET_GLOBAL_INT') return this.#target();
    const fields = super.message(name);
    // Before its first fix it reports a place that drifts beside 0, 0.
    if (name === 'GLOBAL_POSITION_INT' && fields && !this.condition.hasFix)
      return { ...fields, lat: 1_046 + Math.round(318 * Math.min(6, this.bootS)), lon: -54 };
    return name === 'EXTENDED_SYS_STATE' ? { ...fields, vtol_state: 0 } : fields;
  }

  protected fly(dtS: number): void {
    this.pilot.step(dtS, this.armed);
    this.#afterTakeoff();
    this.#flyMission();
    if (!this.armed) return;
    this.armedS = this.pilot.isLanded && this.pilot.manoeuvre.kind !== 'takeoff' ? this.armedS + dtS : 0;
    if (this.armedS >= AUTO_DISARM_S) this.disarm();
    if (this.mode === PLANE_MODE.takeoff && this.armed && this.pilot.isLanded) {
      this.pilot.do({ kind: 'takeoff', altM: TAKEOFF_M });
    }
  }

  protected setMode(mode: number): boolean {
    if (mode === this.mode) return true;
    if (mode === PLANE_MODE.auto && this.missions.items.length < 2) {
      return this.refuseMode(mode, 'no mission');
    }
    this.mode = mode;
    if (this.pilot.isLanded) return true;
    if (mode === PLANE_MODE.rtl) this.#circleAt({ ...this.homeTarget(), altM: RTL_ALT_M });
    else if (mode === PLANE_MODE.manual || mode === PLANE_MODE.stabilize) this.pilot.do({ kind: 'straight' });
    else if (mode !== PLANE_MODE.takeoff) this.#circleHere();
    if (mode === PLANE_MODE.auto) this.missions.current = Math.max(1, this.missions.current);
    return true;
  }

  protected armingFault(): string | null {
    if (!this.condition.mayArm) return 'GPS 1: Bad fix';
    if (this.mode === PLANE_MODE.rtl) return 'Mode not armable';
    const needsPosition = this.mode === PLANE_MODE.takeoff || this.mode === PLANE_MODE.guided;
    return needsPosition && !this.condition.hasPosition ? 'Need Position Estimate' : null;
  }

  protected reads({ id, kind }: Command): number[] {
    switch (id) {
      case CMD.changeSpeed:
      case CMD.setMode:
        return [1, 2];
      case CMD.armDisarm:
      case CMD.requestMessage:
      case CMD.rebootShutdown:
        return [1];
      case CMD.setMessageInterval:
        return [1, 2, 3];
      case CMD.reposition:
        return kind === 'int' ? [2] : [];
      default:
        return [];
    }
  }

  protected perform(command: Command): Result {
    const [p1, p2] = command.p;
    switch (command.id) {
      case CMD.reposition:
        return this.#reposition(command);
      case CMD.takeoff:
        return RESULT.failed;
      case CMD.returnToLaunch:
        return this.modeResult(PLANE_MODE.rtl);
      case CMD.loiterUnlimited:
        return this.modeResult(PLANE_MODE.loiter);
      case CMD.missionStart:
        return this.modeResult(PLANE_MODE.auto);
      case CMD.changeSpeed:
        return this.#changeSpeed(p1, p2);
      case CMD.changeAltitude:
        return this.#changeAltitude(p1, p2);
      case CMD.guidedChangeAltitude:
        return command.kind === 'int' ? this.#changeAltitude(command.alt, command.frame) : RESULT.unsupported;
      case CMD.guidedChangeSpeed:
        if (command.kind !== 'int') return RESULT.unsupported;
        return this.#changeSpeed(p1, p2);
      default:
        return this.common(command) ?? RESULT.unsupported;
    }
  }

  /** It says it takes position targets, and takes only their altitude. */
  protected override other({ name, fields }: Heard): void {
    if (name === 'SET_MODE') this.setMode(numberOf(fields, 'custom_mode'));
    if (name !== 'SET_POSITION_TARGET_GLOBAL_INT' || this.mode !== PLANE_MODE.guided) return;
    const alt = numberOf(fields, 'alt');
    if (Number.isNaN(alt)) this.die('SET_POSITION_TARGET_GLOBAL_INT alt');
    else this.#changeAltitude(alt, numberOf(fields, 'coordinate_frame'));
  }

  #reposition(command: Command): Result {
    if (command.kind === 'long') return RESULT.unsupported;
    const { lat, lon, alt, frame } = command;
    const to = this.placeIn(frame, lat, lon, alt);
    if (to === null) return RESULT.denied;
    if (this.mode !== PLANE_MODE.guided && command.p[1] % 2 !== 1) return RESULT.failed;
    this.setMode(PLANE_MODE.guided);
    // The radius of the circle, where it is told one; which way round it is told by what is the yaw elsewhere.
    const [, , radiusM, turn] = command.p;
    if (!this.pilot.isLanded) this.#circleAt(to, radiusM > 0 ? radiusM : this.#radiusM, !(turn > 0));
    return RESULT.accepted;
  }

  #changeSpeed(type: number, speed: number): Result {
    const isGuided = this.mode === PLANE_MODE.guided || this.mode === PLANE_MODE.auto;
    const { minMps, maxMps } = this.pilot.wings;
    if (!isGuided || type > 1 || !(speed >= minMps && speed <= maxMps)) return RESULT.failed;
    this.pilot.speedMps = speed;
    return RESULT.accepted;
  }

  #changeAltitude(alt: number, frame: number): Result {
    const { manoeuvre } = this.pilot;
    if (this.mode !== PLANE_MODE.guided) return RESULT.failed;
    if (manoeuvre.kind === 'circle') manoeuvre.to.altM = this.altIn(frame, alt);
    return RESULT.accepted;
  }

  #afterTakeoff(): void {
    const { manoeuvre, body, isLanded } = this.pilot;
    if (isLanded || manoeuvre.kind !== 'takeoff' || body.altM < manoeuvre.altM) return;
    this.#circleHere();
  }

  #flyMission(): void {
    if (this.mode !== PLANE_MODE.auto || !this.armed || this.pilot.isLanded) return;
    const item = this.missions.items[this.missions.current];
    if (item === undefined || item.command === CMD.returnToLaunch) {
      this.setMode(PLANE_MODE.rtl);
      return;
    }
    const isPoint = item.command === CMD.waypoint;
    const to = { lat: item.lat, lon: item.lon, altM: this.altIn(item.frame, item.alt) };
    if (isPoint) this.pilot.do({ kind: 'circle', to, radiusM: 1, clockwise: true });
    if (isPoint && distance(this.body, to) > REACHED_M) return;
    this.missions.reached(item.seq);
    this.missions.current = item.seq + 1;
  }

  #circleHere(): void {
    const { lat, lon, altM } = this.body;
    this.#circleAt({ lat, lon, altM });
  }

  #circleAt(to: Target, radiusM = this.#radiusM, clockwise = true): void {
    this.pilot.do({ kind: 'circle', to, radiusM, clockwise });
  }
}
