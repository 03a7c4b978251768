import { CMD, type Command, RESULT, type Result } from './command.ts';
import { CopterMission } from './copter_mission.ts';
import { BRAKE, CopterPilot, LOITER } from './copter_pilot.ts';
import type { Target } from './flight.ts';
import type { Fields, Heard } from './messages.ts';
import { numberOf } from './messages.ts';
import type { VehicleOptions } from './options.ts';
import { degE7 } from './telemetry.ts';
import { Vehicle } from './vehicle.ts';

/** The main mode above the sub mode, as `custom_mode` carries them. */
const mode = (main: number, sub = 0) => ((main << 16) | (sub << 24)) >>> 0;

export const PX4_MODE = {
  manual: mode(1),
  altitude: mode(2),
  position: mode(3),
  orbit: mode(3, 1),
  ready: mode(4, 1),
  takeoff: mode(4, 2),
  hold: mode(4, 3),
  mission: mode(4, 4),
  rtl: mode(4, 5),
  land: mode(4, 6),
  offboard: mode(6),
} as const;

const NOT_SELECTABLE = 2;
const MODES: { custom: number; name: string; standard: number; properties?: number }[] = [
  { custom: PX4_MODE.manual, name: 'Manual', standard: 0 },
  { custom: PX4_MODE.altitude, name: 'Altitude', standard: 3 },
  { custom: PX4_MODE.position, name: 'Position', standard: 1 },
  { custom: PX4_MODE.hold, name: 'Hold', standard: 0 },
  { custom: PX4_MODE.mission, name: 'Mission', standard: 6 },
  { custom: PX4_MODE.rtl, name: 'Return', standard: 5 },
  { custom: PX4_MODE.takeoff, name: 'Takeoff', standard: 8, properties: NOT_SELECTABLE },
  { custom: PX4_MODE.land, name: 'Land', standard: 7, properties: NOT_SELECTABLE },
  { custom: PX4_MODE.orbit, name: 'Orbit', standard: 2, properties: NOT_SELECTABLE },
];
const STANDARD = new Map(
  MODES.filter(({ standard }) => standard > 0).map(({ standard, custom }) => [standard, custom]),
);
/** What it streams without being asked, in seconds between two. */
const UNASKED: Record<string, number> = {
  GLOBAL_POSITION_INT: 0.2,
  ATTITUDE: 0.1,
  GPS_RAW_INT: 1,
  SYS_STATUS: 1,
  EXTENDED_SYS_STATE: 1,
  BATTERY_STATUS: 2,
  HOME_POSITION: 2,
  ORBIT_EXECUTION_STATUS: 0.5,
};
const CAPABILITIES = 2n | 4n | 8n | 32n | 64n | 128n | 256n | 2_048n | 8_192n;
const TAKEOFF_M = 2.5;
const RTL_ALT_M = 30;
const AUTO_DISARM_S = 10;
const LANDED_DISARM_S = 2;

/** A multicopter with PX4, from what its source does with commands. */
export class Px4 extends Vehicle {
  readonly pilot: CopterPilot;
  customMode: number = PX4_MODE.hold;
  /** What its battery makes of itself: below the first it warns and returns, below the second it lands. */
  lowPercent = { returns: 7, lands: 3 };
  #mission: CopterMission | null = null;
  #takeoffM = TAKEOFF_M;
  #groundS = 0;

  constructor(options: VehicleOptions) {
    super(options);
    this.pilot = new CopterPilot(this.body, options.cruiseMps ?? 5, options.maxSpeedMps ?? 20);
  }

  get landed(): number {
    return this.pilot.landed;
  }

  protected heartbeat(): Fields {
    const isAuto = (this.customMode >> 16) % 256 === 4;
    return {
      type: 2,
      autopilot: 12,
      base_mode: 1 + (isAuto ? 28 : 80) + (this.armed ? 128 : 0),
      custom_mode: this.customMode,
    };
  }

  protected restarted(): void {
    this.customMode = PX4_MODE.hold;
    this.#mission = null;
    this.pilot.do({ kind: 'hold', push: LOITER });
    for (const [name, everyS] of Object.entries(UNASKED)) this.streams.set(name, everyS, 0);
  }

  protected lostStation(): void {
    this.#enter(PX4_MODE.rtl);
  }

  /** It takes a number that is none for "as it is": nothing dies of it. */
  protected reads(): number[] {
    return [];
  }

  protected fly(dtS: number): void {
    this.#watchBattery();
    this.#flyMission(dtS);
    this.pilot.step(dtS, this.armed);
    const { kind } = this.pilot.manoeuvre;
    const isUp = this.customMode === PX4_MODE.takeoff && !this.pilot.isLanded && kind === 'hold';
    if (isUp) this.customMode = PX4_MODE.hold;
    const waits = this.armed && this.pilot.isLanded && kind !== 'takeoff';
    this.#groundS = waits ? this.#groundS + dtS : 0;
    if (this.#groundS > (kind === 'land' || kind === 'return' ? LANDED_DISARM_S : AUTO_DISARM_S)) this.#disarm();
  }

  protected override message(name: string): Fields | null {
    if (name === 'AUTOPILOT_VERSION') {
      return { capabilities: CAPABILITIES, flight_sw_version: 0x01_0f_00_ff, uid: 7n, uid2: this.uid2 };
    }
    if (name === 'CURRENT_MODE') return { custom_mode: this.customMode, intended_custom_mode: this.customMode };
    if (name === 'AVAILABLE_MODES') return {};
    if (name === 'ORBIT_EXECUTION_STATUS') return this.#orbitStatus();
    return super.message(name);
  }

  protected override canStream(name: string): boolean {
    return name === 'ORBIT_EXECUTION_STATUS' || super.canStream(name);
  }

  protected override sendRequested(name: string, parameter: number): boolean {
    if (name !== 'AVAILABLE_MODES') return super.sendRequested(name, parameter);
    for (const [index, { custom, name: mode_name, standard, properties = 0 }] of MODES.entries()) {
      if (parameter !== 0 && parameter !== index + 1) continue;
      const counts = { number_modes: MODES.length, mode_index: index + 1 };
      this.send(name, { ...counts, standard_mode: standard, custom_mode: custom, properties, mode_name });
    }
    return true;
  }

  protected perform(command: Command): Result {
    const [p1, p2, p3] = command.p;
    switch (command.id) {
      case CMD.reposition:
        return this.#reposition(command);
      case CMD.takeoff:
        return this.#takeoff(command);
      case CMD.land:
        return this.#modeResult(PX4_MODE.land);
      case CMD.returnToLaunch:
        return this.#modeResult(PX4_MODE.rtl);
      case CMD.orbit:
        return this.#orbit(command);
      case CMD.pauseContinue:
        return this.#modeResult(p1 === 0 ? PX4_MODE.hold : PX4_MODE.mission);
      case CMD.missionStart:
        return this.#modeResult(PX4_MODE.mission);
      case CMD.setMode:
        if (p1 % 2 !== 1) return RESULT.temporarilyRejected;
        return this.#modeResult(mode(p2, p2 === 4 || p2 === 3 ? p3 : 0));
      case CMD.setStandardMode:
        return this.#modeResult(STANDARD.get(p1) ?? -1);
      case CMD.changeSpeed:
        if (p2 > 0) this.pilot.speedMps = p2;
        else if (p2 === -1) this.pilot.speedMps = this.options.cruiseMps ?? 5;
        return RESULT.accepted;
      case CMD.armDisarm:
        return p1 === 1 ? this.#arm() : this.#disarmAsked(p2);
      case CMD.flightTermination:
        return this.#terminate(p1);
      case CMD.requestCapabilities:
        this.after(0.001, () => this.sendRequested('AUTOPILOT_VERSION', 0));
        return RESULT.accepted;
      default:
        return RESULT.unsupported;
    }
  }

  protected override other({ name, fields }: Heard): void {
    if (name === 'SET_MODE') this.#enter(numberOf(fields, 'custom_mode'));
  }

  /** The mode is what is answered for; the point is the navigator's, which takes any altitude as above sea level. */
  #reposition(command: Command): Result {
    const [p1, flags] = command.p;
    if (flags !== 1) return RESULT.unsupported;
    const isNaNSentAsInteger = command.kind === 'int' && command.p[4] === 0x7ff80000;
    if (isNaNSentAsInteger) return RESULT.denied;
    if (!this.#enter(PX4_MODE.hold)) return RESULT.temporarilyRejected;
    if (p1 > 0) this.pilot.speedMps = p1;
    if (!this.pilot.isLanded) this.pilot.do({ kind: 'goto', to: this.#place(command) });
    return RESULT.accepted;
  }

  #takeoff(command: Command): Result {
    if (!this.condition.hasPosition) return RESULT.temporarilyRejected;
    this.#takeoffM = Number.isNaN(command.alt) ? TAKEOFF_M : Math.max(TAKEOFF_M, command.alt - this.groundAmslM);
    return this.#modeResult(PX4_MODE.takeoff);
  }

  #orbit(command: Command): Result {
    if (!this.armed || this.pilot.isLanded || !this.condition.hasPosition) return RESULT.temporarilyRejected;
    const [radius, speed] = command.p;
    const centre = this.#place(command);
    this.customMode = PX4_MODE.orbit;
    this.#mission = null;
    const radiusM = Number.isFinite(radius) && radius !== 0 ? Math.min(100, Math.abs(radius)) : 20;
    const asked = Number.isFinite(speed) && speed > 0 ? speed : 3;
    // No faster than its acceleration lets it turn.
    const speedMps = Math.min(asked, 10, Math.sqrt(2 * radiusM));
    const circle = { centre, altM: centre.altM, radiusM, clockwise: !(radius < 0), speedMps };
    this.pilot.do({ kind: 'orbit', circle });
    return RESULT.accepted;
  }

  /** Whatever the frame says; what is left out stays as it is. */
  #place(command: Command): Target {
    const isLeftOut = command.kind === 'int' && command.p[4] === 0x7fffffff && command.p[5] === 0x7fffffff;
    const lat = isLeftOut || Number.isNaN(command.lat) ? this.body.lat : command.lat;
    const lon = isLeftOut || Number.isNaN(command.lon) ? this.body.lon : command.lon;
    return { lat, lon, altM: Number.isNaN(command.alt) ? this.body.altM : command.alt - this.groundAmslM };
  }

  #arm(): Result {
    if (this.armed) return RESULT.accepted;
    const isReady = this.condition.mayArm && this.condition.hasPosition;
    if (!isReady || this.customMode === PX4_MODE.rtl || this.customMode === PX4_MODE.land) {
      this.say('Arming denied: Resolve system health failures first', 2);
      return RESULT.temporarilyRejected;
    }
    this.armed = true;
    this.#groundS = 0;
    if (this.customMode === PX4_MODE.takeoff) this.pilot.do({ kind: 'takeoff', altM: this.#takeoffM });
    return RESULT.accepted;
  }

  /** A forced disarm from outside disarms; one that is not forced is refused in the air. */
  #disarmAsked(p2: number): Result {
    if (this.armed && !this.pilot.isLanded && p2 !== 21_196) return RESULT.denied;
    if (this.armed && !this.pilot.isLanded) this.crashed = true;
    this.#disarm();
    return RESULT.accepted;
  }

  #terminate(p1: number): Result {
    if (!this.armed) return RESULT.denied;
    if (!(p1 > 0.5)) return RESULT.accepted;
    this.crashed = !this.pilot.isLanded;
    this.#disarm();
    return RESULT.accepted;
  }

  #disarm(): void {
    this.armed = false;
    if (!this.pilot.isLanded) return;
    this.#mission = null;
    this.customMode = PX4_MODE.hold;
    this.pilot.do({ kind: 'hold', push: LOITER });
  }

  /** A mode that it is in changes nothing: in its hold mode it flies on to the place that it was sent to. */
  #modeResult(custom: number): Result {
    if (custom === this.customMode && custom === PX4_MODE.hold) return RESULT.accepted;
    return this.#enter(custom) ? RESULT.accepted : RESULT.temporarilyRejected;
  }

  #enter(custom: number): boolean {
    const isKnown = MODES.some((known) => known.custom === custom && custom !== PX4_MODE.orbit);
    const needsPosition = custom !== PX4_MODE.manual && custom !== PX4_MODE.altitude;
    const lacksMission = custom === PX4_MODE.mission && this.missions.items.length === 0;
    if (!isKnown || lacksMission || (needsPosition && !this.condition.hasPosition)) {
      this.say('Switching to mode is currently not available', 2);
      return false;
    }
    this.customMode = custom;
    this.#mission = null;
    if (custom === PX4_MODE.land) this.pilot.do({ kind: 'land' });
    else if (custom === PX4_MODE.rtl) this.#returnHome();
    else if (custom !== PX4_MODE.takeoff) this.pilot.do({ kind: 'hold', push: BRAKE });
    else if (this.armed && this.pilot.isLanded) this.pilot.do({ kind: 'takeoff', altM: this.#takeoffM });
    if (custom === PX4_MODE.mission) this.#mission = new CopterMission(this.pilot, this.missions, 0);
    return true;
  }

  #returnHome(): void {
    const { lat, lon, altM } = this.home ?? this.body;
    this.pilot.do({ kind: 'return', home: { lat, lon, altM }, viaM: RTL_ALT_M, waitS: 0 });
  }

  #flyMission(dtS: number): void {
    if (this.#mission === null || !this.armed) return;
    const doing = this.#mission.step(dtS, this.groundAmslM, this.home);
    if (doing === 'return') this.#enter(PX4_MODE.rtl);
    else if (doing === 'land') this.#enter(PX4_MODE.land);
    else if (doing === 'over') this.#enter(PX4_MODE.hold);
  }

  #watchBattery(): void {
    if (!this.armed || this.pilot.isLanded) return;
    const { percent } = this.battery;
    if (percent < this.lowPercent.lands && this.customMode !== PX4_MODE.land) {
      this.say('Dangerous battery level, land now', 1);
      this.#enter(PX4_MODE.land);
    } else if (percent < this.lowPercent.returns && percent >= this.lowPercent.lands) {
      if (this.customMode === PX4_MODE.rtl || this.customMode === PX4_MODE.land) return;
      this.say('Critical battery, return now', 1);
      this.#enter(PX4_MODE.rtl);
    }
  }

  #orbitStatus(): Fields | null {
    const { manoeuvre } = this.pilot;
    if (manoeuvre.kind !== 'orbit') return null;
    const { centre, radiusM, clockwise, altM } = manoeuvre.circle;
    const place = { x: degE7(centre.lat), y: degE7(centre.lon), z: altM + this.groundAmslM };
    return {
      time_usec: BigInt(Math.round(this.bootS * 1e6)),
      radius: clockwise ? radiusM : -radiusM,
      frame: 0,
      ...place,
    };
  }
}
