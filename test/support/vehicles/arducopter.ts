import { ArduPilot } from './ardupilot.ts';
import { CMD, type Command, RESULT, type Result } from './command.ts';
import { CopterMission } from './copter_mission.ts';
import { BRAKE, CopterPilot, LOITER } from './copter_pilot.ts';
import type { Target } from './flight.ts';
import { type Fields, type Heard, numberOf } from './messages.ts';
import type { VehicleOptions } from './options.ts';
import { bootMs, degE7 } from './telemetry.ts';

export const COPTER_MODE = {
  stabilize: 0,
  acro: 1,
  altHold: 2,
  auto: 3,
  guided: 4,
  loiter: 5,
  rtl: 6,
  circle: 7,
  land: 9,
  posHold: 16,
  brake: 17,
  smartRtl: 21,
} as const;

const NAMES: [number, string][] = [
  [0, 'STABILIZE'],
  [1, 'ACRO'],
  [2, 'ALT_HOLD'],
  [3, 'AUTO'],
  [4, 'GUIDED'],
  [5, 'LOITER'],
  [6, 'RTL'],
  [7, 'CIRCLE'],
  [9, 'LAND'],
  [16, 'POSHOLD'],
  [17, 'BRAKE'],
  [21, 'SMART_RTL'],
];
const NOT_ARMABLE = new Set<number>([3, 6, 9, 17, 21]);
const NEEDS_POSITION = new Set<number>([3, 4, 5, 6, 7, 16, 17, 21]);
const BY_STICK = new Set<number>([2, 5, 7, 16]);
const AUTO_DISARM_S = 10;
const RTL_ALT_M = 15;
const RTL_WAIT_S = 5;
const LOW_STICK_MPS = 2.5;
const MASK_POSITION = 0b111;
const MASK_VELOCITY = 0b111_000;
const VELOCITY_FOR_S = 3;

export type Stick = 'low' | 'mid' | 'none';

export type ArduCopterOptions = VehicleOptions & {
  /** Of a transmitter that is on; low by default, as the simulated one lies. */
  throttleStick?: Stick;
};

/** ArduCopter as it was observed in the loop, the answers that surprise first. */
export class ArduCopter extends ArduPilot {
  throttleStick: Stick;
  readonly pilot: CopterPilot;
  protected readonly vehicleType = 2;
  protected readonly modes = NAMES.map(([number, name]) => ({ number, name }));
  #mission: CopterMission | null = null;
  /** What GUIDED follows; its speed begins anew whenever that changes. */
  #follows: 'nothing' | 'place' | 'velocity' | 'both' = 'nothing';
  /** How long it stays armed on the ground after RTL or LAND. */
  #groundLimitS = 2;

  constructor(options: ArduCopterOptions) {
    super(options);
    this.throttleStick = options.throttleStick ?? 'low';
    this.pilot = new CopterPilot(this.body, options.cruiseMps ?? 10, options.maxSpeedMps ?? 25);
  }

  get landed(): number {
    return this.pilot.landed;
  }

  protected restarted(): void {
    this.mode = COPTER_MODE.stabilize;
    this.#mission = null;
    this.#follow('nothing');
    this.pilot.do({ kind: 'hold', push: LOITER });
  }

  /** In LOITER seven seconds without heartbeats did not change the mode. */
  protected lostStation(): void {
    if (this.mode !== COPTER_MODE.loiter) this.setMode(COPTER_MODE.rtl);
  }

  protected fly(dtS: number): void {
    this.#followStick();
    this.#flyMission(dtS);
    this.pilot.step(dtS, this.armed);
    if (!this.armed) return;
    this.armedS = this.pilot.isLanded && this.pilot.manoeuvre.kind !== 'takeoff' ? this.armedS + dtS : 0;
    const { kind } = this.pilot.manoeuvre;
    const limitS = kind === 'land' || kind === 'return' ? this.#groundLimitS : AUTO_DISARM_S;
    if (this.pilot.isLanded && this.armedS >= limitS) this.disarm();
  }

  /** As ArduCopter says and does it. */
  ekfFailsafe(): void {
    this.isEkfLost = true;
    this.failsafe('EKF Failsafe: changed to Land Mode', COPTER_MODE.land);
  }

  protected override disarm(): void {
    super.disarm();
    if (this.pilot.isLanded) this.pilot.do({ kind: 'hold', push: LOITER });
  }

  protected setMode(mode: number): boolean {
    if (this.armed && NEEDS_POSITION.has(mode) && !this.condition.hasPosition)
      return this.refuseMode(mode, 'requires position');
    if (this.armed && mode === COPTER_MODE.auto && this.missions.items.length < 2)
      return this.refuseMode(mode, 'requires mission');
    if (mode === this.mode) return true;
    this.mode = mode;
    this.#mission = null;
    this.#follow('nothing');
    this.#groundLimitS = this.pilot.isLanded ? 4.5 : 2;
    if (this.pilot.isLanded) this.armedS = 0;
    if (mode === COPTER_MODE.brake) this.pilot.do({ kind: 'hold', push: BRAKE });
    else if (mode === COPTER_MODE.rtl || mode === COPTER_MODE.smartRtl) this.#returnHome();
    else if (mode === COPTER_MODE.land) this.pilot.do({ kind: 'land' });
    else this.pilot.do({ kind: 'hold', push: LOITER });
    if (mode === COPTER_MODE.auto) this.#mission = new CopterMission(this.pilot, this.missions, 1);
    return true;
  }

  protected armingFault(): string | null {
    if (!this.condition.mayArm) return 'GPS 1: Bad fix';
    if (NOT_ARMABLE.has(this.mode)) return `${this.modeName(this.mode)} mode not armable`;
    if (NEEDS_POSITION.has(this.mode) && !this.condition.hasPosition) return 'Need Position Estimate';
    if (this.mode === COPTER_MODE.guided && this.throttleStick === 'mid') return 'Throttle (RC3) is not neutral';
    return null;
  }

  protected override message(name: string): Fields | null {
    if (name === 'POSITION_TARGET_GLOBAL_INT') return this.#target();
    return super.message(name);
  }

  protected override canStream(name: string): boolean {
    return name === 'POSITION_TARGET_GLOBAL_INT' || super.canStream(name);
  }

  protected reads({ id, kind }: Command): number[] {
    switch (id) {
      case CMD.changeSpeed:
        return this.mode === COPTER_MODE.guided || this.mode === COPTER_MODE.rtl ? [1, 2] : [];
      case CMD.takeoff:
        return kind === 'long' ? [3, 7] : [7];
      case CMD.setMode:
        return [1, 2];
      case CMD.armDisarm:
      case CMD.requestMessage:
      case CMD.pauseContinue:
      case CMD.rebootShutdown:
      case CMD.flightTermination:
        return [1];
      case CMD.setMessageInterval:
        return [1, 2, 3];
      case CMD.reposition:
        return kind === 'int' ? [2] : [];
      case CMD.conditionYaw:
        return [1, 2, 3, 4];
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
        return this.#takeoff(command);
      case CMD.returnToLaunch:
        return this.modeResult(COPTER_MODE.rtl);
      case CMD.land:
        return this.modeResult(COPTER_MODE.land);
      case CMD.loiterUnlimited:
        return this.modeResult(COPTER_MODE.loiter);
      case CMD.missionStart:
        return this.modeResult(COPTER_MODE.auto);
      case CMD.changeSpeed:
        return this.#changeSpeed(p1, p2);
      case CMD.pauseContinue:
        return this.#pause(p1);
      case CMD.conditionYaw:
        this.pilot.yawDeg = p1;
        return RESULT.accepted;
      default:
        return this.common(command) ?? RESULT.unsupported;
    }
  }

  protected override other({ name, fields }: Heard): void {
    if (name === 'SET_MODE') this.setMode(numberOf(fields, 'custom_mode'));
    else if (name === 'SET_POSITION_TARGET_GLOBAL_INT') this.#targetGiven(fields);
  }

  /** In flight, the modes that a hand steers do what the stick says. */
  #followStick(): void {
    if (!this.armed || this.pilot.isLanded) return;
    const isThrown = this.mode === COPTER_MODE.stabilize || this.mode === COPTER_MODE.acro;
    const sinks = (BY_STICK.has(this.mode) || isThrown) && this.throttleStick === 'low';
    const { kind } = this.pilot.manoeuvre;
    if (sinks && kind !== 'sink') this.pilot.do({ kind: 'sink', mps: isThrown ? 2 * LOW_STICK_MPS : LOW_STICK_MPS });
    if (!sinks && kind === 'sink') this.pilot.do({ kind: 'hold', push: LOITER });
  }

  #flyMission(dtS: number): void {
    if (this.#mission === null || !this.armed) return;
    const doing = this.#mission.step(dtS, this.groundAmslM, this.homeTarget());
    if (doing === 'return' && this.pilot.manoeuvre.kind !== 'return') this.#returnHome();
    if (doing === 'land' && this.pilot.manoeuvre.kind !== 'land') this.pilot.do({ kind: 'land' });
  }

  #reposition(command: Command): Result {
    if (command.kind === 'long') return RESULT.unsupported;
    const to = this.placeIn(command.frame, command.lat, command.lon, command.alt);
    if (to === null) return RESULT.denied;
    const mayChange = command.p[1] % 2 === 1;
    if (this.mode !== COPTER_MODE.guided && !mayChange) return RESULT.denied;
    if (!this.condition.hasPosition || !this.setMode(COPTER_MODE.guided)) return RESULT.failed;
    // On the ground it says yes and does not move. The speed it was given is never used.
    if (!this.pilot.isLanded) this.#goto(to);
    return RESULT.accepted;
  }

  #takeoff(command: Command): Result {
    if (command.kind === 'int' && command.frame !== 3) return RESULT.denied;
    if (!this.armed || this.mode !== COPTER_MODE.guided || !this.pilot.isLanded) return RESULT.failed;
    if (!(command.alt > 0)) return RESULT.failed;
    this.#follow('nothing');
    this.pilot.do({ kind: 'takeoff', altM: command.alt + (this.home?.altM ?? 0) });
    return RESULT.accepted;
  }

  #changeSpeed(type: number, speed: number): Result {
    if (!(speed > 0)) return RESULT.denied;
    const mayChange = [COPTER_MODE.guided, COPTER_MODE.rtl, COPTER_MODE.auto].some((mode) => mode === this.mode);
    if (!mayChange) return RESULT.failed;
    if (type > 3) return RESULT.denied;
    if (type < 2) this.pilot.speedMps = speed;
    return RESULT.accepted;
  }

  #pause(goOn: number): Result {
    const { manoeuvre, isLanded } = this.pilot;
    const isGoing = !isLanded && manoeuvre.kind === 'goto';
    if (!isGoing) {
      this.say('Failed to pause', 4);
      return RESULT.failed;
    }
    if (this.#mission !== null) this.#mission.pause(goOn === 0);
    else manoeuvre.paused = goOn === 0;
    return RESULT.accepted;
  }

  /** Outside GUIDED nothing happens and nobody is told; with a mask that makes no sense it stops. */
  #targetGiven(fields: Fields): void {
    if (Number.isNaN(fields.alt)) this.die('SET_POSITION_TARGET_GLOBAL_INT alt');
    if (!this.isAlive || this.mode !== COPTER_MODE.guided || this.pilot.isLanded) return;
    const mask = numberOf(fields, 'type_mask');
    const frame = numberOf(fields, 'coordinate_frame');
    const lat = numberOf(fields, 'lat_int') / 1e7;
    const to = this.placeIn(frame, lat, numberOf(fields, 'lon_int') / 1e7, numberOf(fields, 'alt'));
    const [north = 0, east = 0, down = 0] = ['vx', 'vy', 'vz'].map((field) => numberOf(fields, field));
    const velocity = { north, east, up: -down, leftS: VELOCITY_FOR_S };
    const hasPlace = (mask & MASK_POSITION) === 0 && to !== null;
    const hasVelocity = (mask & MASK_VELOCITY) === 0;
    if (hasPlace && hasVelocity) {
      if (this.#follows !== 'both') this.#follow('both');
      this.pilot.do({ kind: 'follow', to, ...velocity });
    } else if (hasPlace) this.#goto(to);
    else if (hasVelocity) {
      if (this.#follows !== 'velocity') this.#follow('velocity');
      this.pilot.do({ kind: 'velocity', ...velocity });
    } else this.pilot.do({ kind: 'hold', push: LOITER });
  }

  #goto(to: Target): void {
    if (this.#follows !== 'place') this.#follow('place');
    this.pilot.do({ kind: 'goto', to });
  }

  /** A speed that was asked for is forgotten here: it must be asked for after the place, not before. */
  #follow(what: 'nothing' | 'place' | 'velocity' | 'both'): void {
    this.#follows = what;
    this.pilot.speedMps = this.options.cruiseMps ?? 10;
  }

  #returnHome(): void {
    this.pilot.do({ kind: 'return', home: this.homeTarget(), viaM: RTL_ALT_M, waitS: RTL_WAIT_S });
  }

  #target(): Fields | null {
    const { manoeuvre } = this.pilot;
    if (this.mode !== COPTER_MODE.guided || manoeuvre.kind !== 'goto') return null;
    const { lat, lon, altM } = manoeuvre.to;
    const place = { lat_int: degE7(lat), lon_int: degE7(lon), alt: altM + this.groundAmslM };
    return { time_boot_ms: bootMs(this), coordinate_frame: 0, type_mask: 65_016, ...place };
  }
}
