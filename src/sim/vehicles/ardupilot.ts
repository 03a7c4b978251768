import type { ReceivedCommand } from '../../edge/wire/mavlink/read_command.ts';
import { RESULT } from '../../fleet/mav.ts';
import { CMD } from '../../fleet/verbs.ts';
import { Autopilot, type AutopilotDeps } from './autopilot.ts';
import { copterModes, planeModes } from './modes.ts';

/** Height to which the TAKEOFF mode of a plane climbs, m (TKOFF_ALT). */
const PLANE_TAKES_OFF_TO_M = 50;
const RELATIVE_ALT = 3;

const NAV_LOITER_UNLIM = 17;
const MISSION_START = 300;

/**
 * Answers as ArduCopter and ArduPlane do. Their answers were observed in the simulation of the real software (SITL).
 */
export class ArduPilot extends Autopilot {
  protected readonly refusal = RESULT.failed;
  readonly number = 3;
  readonly capabilities = 64_495n;
  readonly version = 0x04_06_00_ff;
  /** Empty: without a request, ArduPilot sends no telemetry besides heartbeat, home position and Remote ID. */
  readonly unasked = [] as const;

  constructor(deps: AutopilotDeps) {
    super(deps, deps.craft.limits.hovers ? copterModes : planeModes, deps.craft.isOnGround ? 'stick' : 'hold');
  }

  answer(command: ReceivedCommand): number {
    const [p1, p2] = command.params;
    switch (command.command) {
      case CMD.doSetMode:
        return this.#setMode(p1, p2);
      case CMD.navReturnToLaunch:
        return this.into(this.modeOf('return'));
      case CMD.navLand:
        return this.craft.limits.hovers ? this.into(this.modeOf('land')) : RESULT.unsupported;
      case NAV_LOITER_UNLIM:
        return this.into(this.modes.find(({ name }) => name === 'LOITER'));
      case MISSION_START:
        return this.into(this.modeOf('mission'));
      case CMD.navTakeoff:
        return this.#takeOff(command);
      case CMD.componentArmDisarm:
        return (p1 === 1 ? this.#armAsked() : this.disarm()) ? RESULT.accepted : RESULT.failed;
      case CMD.doChangeSpeed:
        return this.#changeSpeed(p1, p2);
      case CMD.doReposition:
        return this.#reposition(command);
      default:
        return RESULT.unsupported;
    }
  }

  protected override changedMode(): void {
    this.craft.speedMps = this.craft.limits.cruiseMps;
  }

  /** Takes off in the take-off mode of planes, which ignores the ordered height. */
  protected override liftOff(): void {
    this.craft.takeOff(PLANE_TAKES_OFF_TO_M);
  }

  #setMode(flags: number, customMode: number): number {
    if (flags % 2 !== 1) return RESULT.denied;
    const went = this.setCustomMode(customMode);
    if (went === null) this.say(3, `No such mode ${customMode}`);
    return went === true ? RESULT.accepted : RESULT.failed;
  }

  /**
   * Arms the vehicle on a command. Returns false if the battery is low, or in a mode that does not permit arming, such
   * as one that lands or stops the vehicle.
   */
  #armAsked(): boolean {
    const { purpose, name } = this.mode;
    if (this.armed || purpose === 'stick' || purpose === 'guided' || purpose === 'takeoff') return this.arm();
    this.say(2, `Arm: ${name} mode not armable`);
    return false;
  }

  #takeOff({ place: { altM, frame } }: ReceivedCommand): number {
    const { craft } = this;
    if (!craft.limits.hovers) return RESULT.failed;
    if (frame !== null && frame !== RELATIVE_ALT) return RESULT.denied;
    const isReady = this.armed && this.mode.purpose === 'guided' && craft.isOnGround;
    if (!isReady || !(altM > 0 && altM < Number.POSITIVE_INFINITY)) return RESULT.failed;
    craft.takeOff(craft.home.heightM + altM);
    return RESULT.accepted;
  }

  /** Changes the speed until the next change of mode. Returns the MAV_RESULT. */
  #changeSpeed(kind: number, mps: number): number {
    const { limits } = this.craft;
    const { purpose } = this.mode;
    if (limits.hovers && !(mps > 0)) return RESULT.denied;
    const isFlown = purpose === 'guided' || purpose === 'mission' || (purpose === 'return' && limits.hovers);
    if (!isFlown || kind > 1) return RESULT.failed;
    if (!limits.hovers && !(mps >= limits.minMps && mps <= limits.maxMps)) return RESULT.failed;
    this.craft.speedMps = mps;
    return RESULT.accepted;
  }

  /**
   * Flies to a position and ignores the ordered speed. For planes the third parameter is the radius of the circle, the
   * fourth its direction. Returns the MAV_RESULT.
   */
  #reposition({ params: [, flags, radiusM, turn], place }: ReceivedCommand): number {
    const { craft } = this;
    if (place.frame === null) return RESULT.unsupported;
    const to = this.placeOf(place);
    if (to === null) return RESULT.denied;
    if (this.mode.purpose !== 'guided' && flags % 2 !== 1) return craft.limits.hovers ? RESULT.denied : RESULT.failed;
    this.enter(this.modeOf('guided'));
    this.flyTo(to, radiusM, !(turn > 0));
    return RESULT.accepted;
  }
}
