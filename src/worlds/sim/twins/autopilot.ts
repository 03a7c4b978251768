import type { HeardCommand, HeardPlace } from '../../../edge/wire/mavlink/read_command.ts';
import type { Battery } from './battery.ts';
import type { Place } from './body.ts';
import type { Chart, MslPlace } from './chart.ts';
import type { Craft } from './craft.ts';
import type { Wind } from './facts.ts';
import type { Mode, Purpose } from './modes.ts';
import type { Route } from './route.ts';
import { usualRadiusM } from './turning.ts';

export type AutopilotParts = {
  craft: Craft;
  battery: Battery;
  route: Route;
  chart: Chart;
  /** MAV_SEVERITY, and the words. */
  say(severity: number, text: string): void;
};

/** MAV_MODE_FLAG: armed; custom, stabilised and by hand; custom, stabilised, guided and automatic. */
const MODE_ARMED = 128;
const [BY_STICK, BY_ITSELF] = [81, 29];
/** Of a circle that it is told. */
const WIDEST_M = 50_000;
/** Armed and not told to go, and landed again. */
const STANDS_ARMED_S = 10;
const LANDED_ARMED_S = 2;

/** What flies a twin, whichever stack it is: its modes, its motors, its battery's word. What it answers is each stack's own. */
export abstract class Autopilot {
  readonly craft: Craft;
  readonly battery: Battery;
  protected readonly chart: Chart;
  protected readonly say: AutopilotParts['say'];
  readonly home: MslPlace;
  armed: boolean;
  #mode: Mode;
  readonly #route: Route;
  #onGroundS = 0;
  #said: 'enough' | 'return' | 'land' = 'enough';

  /** MAV_AUTOPILOT. */
  abstract readonly number: number;
  abstract readonly modes: readonly Mode[];
  abstract readonly capabilities: bigint;
  abstract readonly version: number;
  /** What it says without being asked: message ids, and milliseconds from one to the next. */
  abstract readonly unasked: readonly (readonly [msgid: number, everyMs: number])[];
  /** MAV_RESULT of a command that is for the autopilot. */
  abstract answer(command: HeardCommand): number;

  constructor({ craft, battery, route, chart, say }: AutopilotParts, first: Mode) {
    this.craft = craft;
    this.battery = battery;
    this.chart = chart;
    this.say = say;
    this.#route = route;
    this.#mode = first;
    this.home = chart.toMsl(craft.home);
    this.armed = !craft.isOnGround;
  }

  get mode(): Mode {
    return this.#mode;
  }

  get baseMode(): number {
    return (this.armed ? MODE_ARMED : 0) + (this.#mode.purpose === 'stick' ? BY_STICK : BY_ITSELF);
  }

  /** MAV_STATE: critical where its battery has it come down. */
  get systemStatus(): number {
    if (this.#said !== 'enough' && this.armed) return 5;
    return this.armed ? 4 : 3;
  }

  get mayArm(): boolean {
    return this.battery.word(this.craft) === 'enough';
  }

  /** Flies what its scenario has it fly, where that is anything. */
  beginRoute(): void {
    if (this.#route.isEmpty || !this.mayArm) return;
    this.armed = true;
    this.enter(this.modeOf('mission'));
  }

  setCustomMode(customMode: number): boolean | null {
    const mode = this.modes.find((one) => one.customMode === customMode);
    return mode ? this.enter(mode) : null;
  }

  step(wind: Wind, dtS: number): void {
    const { craft } = this;
    if (this.armed && craft.step(wind, dtS) === 'took off') this.tookOff();
    if (this.armed && this.#mode.purpose === 'mission' && this.#route.step(craft, dtS) === 'land') this.#landRoute();
    this.#disarmOnGround(dtS);
    this.battery.step(!this.armed ? 'nothing' : craft.isOnGround ? 'idle' : 'flight', dtS);
    this.#hearBattery();
  }

  /** It is as high as it was told. */
  protected tookOff(): void {}

  /** It has gone into another mode. */
  protected changedMode(): void {}

  protected modeOf(purpose: Purpose): Mode {
    const mode = this.modes.find((one) => one.purpose === purpose);
    if (!mode) throw new Error(`there is no mode to ${purpose}`);
    return mode;
  }

  protected enter(mode: Mode): boolean {
    if (mode.purpose === 'mission' && this.#route.isEmpty) {
      this.say(4, `Mode change to ${mode.name} failed: no mission`);
      return false;
    }
    if (mode === this.#mode) return true;
    this.#mode = mode;
    this.#onGroundS = 0;
    this.changedMode();
    this.#fly(mode);
    return true;
  }

  #fly({ purpose }: Mode): void {
    const { craft } = this;
    if (purpose === 'mission') this.#route.begin();
    // What has no wheels under it yet does not begin to land.
    if (craft.isOnGround || purpose === 'takeoff') {
      craft.hold();
      if (purpose === 'takeoff' && this.armed && craft.isOnGround) this.liftOff();
    } else if (purpose === 'return') {
      // As fast as its battery reckons with, whatever it was told before.
      craft.speedMps = craft.limits.cruiseMps;
      craft.returnHome(craft.limits.hovers);
    } else if (purpose === 'land') craft.land();
    else craft.hold();
  }

  /** In the mode that takes off. */
  protected liftOff(): void {}

  protected arm(): boolean {
    if (this.armed) return true;
    if (!this.mayArm) {
      this.say(2, 'Arm: Battery low');
      return false;
    }
    this.armed = true;
    this.#onGroundS = 0;
    if (this.#mode.purpose === 'takeoff') this.liftOff();
    return true;
  }

  /** False where it would fall. */
  protected disarm(): boolean {
    if (this.armed && !this.craft.isOnGround) return false;
    this.armed = false;
    this.craft.hold();
    this.disarmed();
    return true;
  }

  protected disarmed(): void {}

  /** Where a command's place is; null for one that is none. */
  protected placeOf({ latDeg, lonDeg, altM, frame }: HeardPlace): Place | null {
    if (!(Math.abs(latDeg) <= 90 && Math.abs(lonDeg) <= 180) || (latDeg === 0 && lonDeg === 0)) return null;
    if (!Number.isFinite(altM)) return null;
    const isMsl = frame === null || frame === 0 || frame === 5;
    return this.chart.toPlace({ latDeg, lonDeg, altMslM: isMsl ? altM : this.home.altMslM + altM });
  }

  /** Where it has wings, round that place; a radius that it was not told, or that is none, is its own. */
  protected flyTo(to: Place, radiusM: number, clockwise: boolean): void {
    const { craft } = this;
    // On the ground it says yes and does not move.
    if (craft.isOnGround) return;
    const isTold = radiusM > 0 && radiusM <= WIDEST_M;
    const own = usualRadiusM(craft.limits, craft.speedMps);
    craft.do({ kind: 'goto', to, radiusM: isTold ? radiusM : own, clockwise });
  }

  #disarmOnGround(dtS: number): void {
    const { craft } = this;
    if (!this.armed || !craft.isOnGround || craft.manoeuvre.kind === 'takeoff') {
      this.#onGroundS = 0;
      return;
    }
    this.#onGroundS += dtS;
    const comesDown = craft.manoeuvre.kind === 'land' || craft.manoeuvre.kind === 'return';
    if (this.#onGroundS >= (comesDown ? LANDED_ARMED_S : STANDS_ARMED_S)) this.disarm();
  }

  #landRoute(): void {
    const land = this.modes.find(({ purpose }) => purpose === 'land');
    if (land) this.enter(land);
    else if (this.craft.manoeuvre.kind !== 'land') this.craft.land();
  }

  /** Said once each: whoever commands it otherwise afterwards is obeyed, until it must land. */
  #hearBattery(): void {
    if (!this.armed || this.craft.isOnGround) return;
    const word = this.battery.word(this.craft);
    if (word === 'enough' || word === this.#said || this.#said === 'land') return;
    this.#said = word;
    if (word === 'return') {
      if (this.craft.manoeuvre.kind === 'land') return;
      this.say(4, 'Battery low: returning');
      this.enter(this.modeOf('return'));
      // Nobody waits for a plane that circles at home until it falls.
      if (!this.craft.limits.hovers) this.craft.returnHome(true);
      return;
    }
    this.say(1, 'Battery critical: landing');
    this.#landRoute();
  }
}
