import type { ReceivedCommand, ReceivedPlace } from '../../edge/wire/mavlink/read_command.ts';
import type { MslPosition } from '../../edge/wire/mavlink/read_vehicle.ts';
import { RESULT } from '../../fleet/mav.ts';
import type { ChartPosition } from '../../geo/position.ts';
import type { Wind } from '../aircraft/flight/wind.ts';
import type { Battery } from './battery.ts';
import { usualRadiusM } from './body.ts';
import type { Chart } from './chart.ts';
import type { Craft } from './craft.ts';
import type { Mode, Purpose } from './modes.ts';
import type { Route } from './route.ts';

export type AutopilotDeps = {
  craft: Craft;
  battery: Battery;
  route: Route;
  chart: Chart;
  /** Sends a status text with its MAV_SEVERITY. */
  say(severity: number, text: string): void;
};

/**
 * Bits of MAV_MODE_FLAG: armed (128); 81 for modes flown by hand (custom, stabilised, manual); 29 for other modes
 * (custom, stabilised, guided, automatic).
 */
const MODE_ARMED = 128;
const [BY_STICK, BY_ITSELF] = [81, 29];
/** Largest radius of an ordered circle, m. */
const WIDEST_M = 50_000;
/** Time on the ground without an order to fly after which the vehicle disarms, s; `LANDED_ARMED_S` after a landing. */
const STANDS_ARMED_S = 10;
const LANDED_ARMED_S = 2;

/**
 * Autopilot of a simulated vehicle: modes, arming, battery failsafe. Each autopilot software has a subclass with its
 * own answers to commands.
 */
export abstract class Autopilot {
  readonly craft: Craft;
  readonly battery: Battery;
  protected readonly chart: Chart;
  protected readonly say: AutopilotDeps['say'];
  readonly home: MslPosition;
  readonly modes: readonly Mode[];
  armed: boolean;
  #mode: Mode;
  readonly #route: Route;
  #onGroundS = 0;
  #said: 'enough' | 'return' | 'land' = 'enough';

  /** MAV_RESULT with which a refused change of mode is answered. */
  protected abstract readonly refusal: number;
  /** MAV_AUTOPILOT value. */
  abstract readonly number: number;
  abstract readonly capabilities: bigint;
  abstract readonly version: number;
  /** Messages that the vehicle sends without a request: ids and intervals, ms. */
  abstract readonly unasked: readonly (readonly [msgid: number, everyMs: number])[];
  /** Carries out a command and returns its MAV_RESULT. */
  abstract answer(command: ReceivedCommand): number;

  constructor({ craft, battery, route, chart, say }: AutopilotDeps, modes: readonly Mode[], first: Purpose) {
    this.modes = modes;
    this.craft = craft;
    this.battery = battery;
    this.chart = chart;
    this.say = say;
    this.#route = route;
    this.#mode = this.modeOf(first);
    this.home = chart.toMsl(craft.home);
    this.armed = !craft.isOnGround;
  }

  get mode(): Mode {
    return this.#mode;
  }

  get baseMode(): number {
    return (this.armed ? MODE_ARMED : 0) + (this.#mode.purpose === 'stick' ? BY_STICK : BY_ITSELF);
  }

  /** MAV_STATE value: critical once a low battery makes the vehicle return or land. */
  get systemStatus(): number {
    if (this.#said !== 'enough' && this.armed) return 5;
    return this.armed ? 4 : 3;
  }

  get mayArm(): boolean {
    return this.battery.word(this.craft) === 'enough';
  }

  /** Begins the route of the scenario, if there is one and the battery permits arming. */
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
    this.#receiveBattery();
  }

  /** Called when the ordered height of a take-off is reached. */
  protected tookOff(): void {}

  /** Called after each change of mode. */
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

  /** Changes the mode as ordered, and returns the MAV_RESULT. */
  protected into(mode: Mode | undefined): number {
    return mode && this.enter(mode) ? RESULT.accepted : this.refusal;
  }

  #fly({ purpose }: Mode): void {
    const { craft } = this;
    if (purpose === 'mission') this.#route.begin();
    // On the ground the vehicle does not begin a landing or return.
    if (craft.isOnGround || purpose === 'takeoff') {
      craft.hold();
      if (purpose === 'takeoff' && this.armed && craft.isOnGround) this.liftOff();
    } else if (purpose === 'return') {
      // A return is flown at the cruise speed, even after another speed was ordered, because the battery limits assume
      // the cruise speed.
      craft.speedMps = craft.limits.cruiseMps;
      craft.returnHome(craft.limits.hovers);
    } else if (purpose === 'land') craft.land();
    else craft.hold();
  }

  /** Starts the take-off in a take-off mode. */
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

  /** Disarms the vehicle; returns false in flight. */
  protected disarm(): boolean {
    if (this.armed && !this.craft.isOnGround) return false;
    this.armed = false;
    this.craft.hold();
    this.disarmed();
    return true;
  }

  protected disarmed(): void {}

  /** Returns the position in a command; null if it is not valid. */
  protected placeOf({ latDeg, lonDeg, altM, frame }: ReceivedPlace): ChartPosition | null {
    if (!(Math.abs(latDeg) <= 90 && Math.abs(lonDeg) <= 180) || (latDeg === 0 && lonDeg === 0)) return null;
    if (!Number.isFinite(altM)) return null;
    const isMsl = frame === null || frame === 0 || frame === 5;
    return this.chart.toPlace({ latDeg, lonDeg, altMslM: isMsl ? altM : this.home.altMslM + altM });
  }

  /**
   * Flies to a place. Fixed-wing aircraft circle it; if the ordered radius is absent or invalid, they use their
   * default radius.
   */
  protected flyTo(to: ChartPosition, radiusM: number, clockwise: boolean): void {
    const { craft } = this;
    // On the ground the command is accepted without effect.
    if (craft.isOnGround) return;
    const isGiven = radiusM > 0 && radiusM <= WIDEST_M;
    const own = usualRadiusM(craft.limits, craft.speedMps);
    craft.do({ kind: 'goto', to, radiusM: isGiven ? radiusM : own, clockwise });
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

  /**
   * Acts on the battery state: orders a return, later a landing, each only once. Later commands of a person are obeyed.
   */
  #receiveBattery(): void {
    if (!this.armed || this.craft.isOnGround) return;
    const word = this.battery.word(this.craft);
    if (word === 'enough' || word === this.#said || this.#said === 'land') return;
    this.#said = word;
    if (word === 'return') {
      if (this.craft.manoeuvre.kind === 'land') return;
      this.say(4, 'Battery low: returning');
      this.enter(this.modeOf('return'));
      // A plane must land at home, because it would otherwise circle there until its battery is empty.
      if (!this.craft.limits.hovers) this.craft.returnHome(true);
      return;
    }
    this.say(1, 'Battery critical: landing');
    this.#landRoute();
  }
}
