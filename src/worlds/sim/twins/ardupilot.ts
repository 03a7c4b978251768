import { CMD, RESULT } from '../../../command/fleet/mav.ts';
import type { HeardCommand } from '../../../edge/wire/mavlink/read_command.ts';
import { Autopilot, type AutopilotParts } from './autopilot.ts';
import { copterModes, type Mode, planeModes } from './modes.ts';

/** As high as the TAKEOFF mode of a plane climbs (TKOFF_ALT). */
const PLANE_TAKES_OFF_TO_M = 50;
const RELATIVE_ALT = 3;

const NAV_LOITER_UNLIM = 17;
const MISSION_START = 300;

/** ArduCopter and ArduPlane, as they answer (reference: a real one in the loop). */
export class ArduPilot extends Autopilot {
  readonly number = 3;
  readonly modes: readonly Mode[];
  readonly capabilities = 64_495n;
  readonly version = 0x04_06_00_ff;
  /** Nothing but its heartbeat. */
  readonly unasked = [] as const;

  constructor(parts: AutopilotParts) {
    const modes = parts.craft.limits.hovers ? copterModes : planeModes;
    const purpose = parts.craft.isOnGround ? 'stick' : 'hold';
    super(parts, modes.find((mode) => mode.purpose === purpose) as Mode);
    this.modes = modes;
  }

  answer(command: HeardCommand): number {
    const [p1, p2] = command.params;
    switch (command.command) {
      case CMD.doSetMode:
        return this.#setMode(p1, p2);
      case CMD.navReturnToLaunch:
        return this.#into(this.modeOf('return'));
      case CMD.navLand:
        return this.craft.limits.hovers ? this.#into(this.modeOf('land')) : RESULT.unsupported;
      case NAV_LOITER_UNLIM:
        return this.#into(this.modes.find(({ name }) => name === 'LOITER'));
      case MISSION_START:
        return this.#into(this.modeOf('mission'));
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

  /** Of planes: their mode takes off, whatever height they were told. */
  protected override liftOff(): void {
    this.craft.takeOff(PLANE_TAKES_OFF_TO_M);
  }

  #setMode(flags: number, customMode: number): number {
    if (flags % 2 !== 1) return RESULT.denied;
    const went = this.setCustomMode(customMode);
    if (went === null) this.say(3, `No such mode ${customMode}`);
    return went === true ? RESULT.accepted : RESULT.failed;
  }

  #into(mode: Mode | undefined): number {
    return mode && this.enter(mode) ? RESULT.accepted : RESULT.failed;
  }

  /** In the modes that bring it down or stop it, it does not arm. */
  #armAsked(): boolean {
    const { purpose, name } = this.mode;
    if (this.armed || purpose === 'stick' || purpose === 'guided' || purpose === 'takeoff') return this.arm();
    this.say(2, `Arm: ${name} mode not armable`);
    return false;
  }

  #takeOff({ place: { altM, frame } }: HeardCommand): number {
    const { craft } = this;
    if (!craft.limits.hovers) return RESULT.failed;
    if (frame !== null && frame !== RELATIVE_ALT) return RESULT.denied;
    if (
      !this.armed ||
      this.mode.purpose !== 'guided' ||
      !craft.isOnGround ||
      !(altM > 0 && altM < Number.POSITIVE_INFINITY)
    )
      return RESULT.failed;
    craft.takeOff(craft.home.upM + altM);
    return RESULT.accepted;
  }

  /** Forgotten with the next change of mode. */
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

  /** It leaves the speed unread. Of planes the third parameter is the circle's radius, and the fourth which way round. */
  #reposition({ params: [, flags, radiusM, turn], place }: HeardCommand): number {
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
