import { messageIds } from '../../edge/wire/mavlink/known.ts';
import type { ReceivedCommand } from '../../edge/wire/mavlink/read_command.ts';
import { RESULT } from '../../fleet/mav.ts';
import { CMD } from '../../fleet/verbs.ts';
import { Autopilot, type AutopilotDeps } from './autopilot.ts';
import { px4Mode, px4Modes } from './modes.ts';

const LEAST_TAKEOFF_M = 2.5;
const DO_PAUSE_CONTINUE = 193;
const MISSION_START = 300;

/** Answers as PX4's Commander does: the answer to a refused change of mode is "temporarily rejected", not "denied". */
export class Px4 extends Autopilot {
  protected readonly refusal = RESULT.temporarilyRejected;
  readonly number = 12;
  readonly capabilities = 2n | 4n | 8n | 32n | 64n | 128n | 256n | 2_048n | 8_192n;
  readonly version = 0x01_0f_04_ff;
  readonly unasked = [
    [messageIds.globalPositionInt, 200],
    [messageIds.gpsRawInt, 1_000],
    [messageIds.sysStatus, 1_000],
    [messageIds.extendedSysState, 1_000],
    [messageIds.batteryStatus, 2_000],
    [messageIds.homePosition, 2_000],
  ] as const;
  #takesOffToM: number;

  constructor(deps: AutopilotDeps) {
    super(deps, px4Modes, 'hold');
    this.#takesOffToM = deps.craft.home.heightM + LEAST_TAKEOFF_M;
  }

  answer(command: ReceivedCommand): number {
    const [p1, p2, p3] = command.params;
    switch (command.command) {
      case CMD.doSetMode:
        return this.#taken(p1 % 2 === 1 && this.setCustomMode(px4Mode(p2, p2 === 4 ? p3 : 0)));
      case CMD.doSetStandardMode:
        return this.into(p1 > 0 ? this.modes.find(({ standard }) => standard === p1) : undefined);
      case CMD.navReturnToLaunch:
        return this.into(this.modeOf('return'));
      case CMD.navLand:
        return this.into(this.modeOf('land'));
      case CMD.navTakeoff:
        return this.#takeOff(command);
      case DO_PAUSE_CONTINUE:
        return this.into(this.modeOf(p1 === 0 ? 'hold' : 'mission'));
      case MISSION_START:
        return this.into(this.modeOf('mission'));
      case CMD.componentArmDisarm:
        return p1 === 1 ? this.#armAsked() : this.disarm() ? RESULT.accepted : RESULT.denied;
      case CMD.doChangeSpeed:
        if (p2 > 0) this.craft.speedMps = p2;
        else if (p2 === -1) this.craft.speedMps = this.craft.limits.cruiseMps;
        return RESULT.accepted;
      case CMD.doReposition:
        return this.#reposition(command);
      default:
        return RESULT.unsupported;
    }
  }

  protected override liftOff(): void {
    this.craft.takeOff(this.#takesOffToM);
  }

  protected override tookOff(): void {
    if (this.mode.purpose !== 'takeoff') return;
    const { manoeuvre } = this.craft;
    this.enter(this.modeOf('hold'));
    // The vehicle holds at the ordered height, which the body may not have reached exactly.
    if (manoeuvre.kind === 'hold') this.craft.do(manoeuvre);
  }

  protected override disarmed(): void {
    this.enter(this.modeOf('hold'));
  }

  #armAsked(): number {
    const { purpose } = this.mode;
    if (!this.armed && (purpose === 'return' || purpose === 'land')) return RESULT.temporarilyRejected;
    return this.#taken(this.arm());
  }

  /**
   * Takes off. The height counts as above mean sea level, whatever frame the command names. The vehicle climbs at least
   * 2.5 m, and exactly 2.5 m if the command gives no height. Returns the MAV_RESULT.
   */
  #takeOff({ place }: ReceivedCommand): number {
    const { craft } = this;
    const at = this.chart.toMsl(craft.body);
    const heightM = Number.isFinite(place.altM) ? craft.body.heightM + place.altM - at.altMslM : 0;
    this.#takesOffToM = Math.max(craft.body.heightM + LEAST_TAKEOFF_M, heightM);
    return this.into(this.modeOf('takeoff'));
  }

  /** Flies to a place in hold mode. Returns the MAV_RESULT. */
  #reposition({ params: [mps, flags, radiusM, turn], place }: ReceivedCommand): number {
    const { craft } = this;
    if (flags !== 1) return RESULT.unsupported;
    const to = this.placeOf({ ...place, frame: 0 });
    if (to === null) return RESULT.denied;
    if (!this.enter(this.modeOf('hold'))) return RESULT.temporarilyRejected;
    if (mps > 0) craft.speedMps = mps;
    this.flyTo(to, radiusM, !(turn > 0));
    return RESULT.accepted;
  }

  #taken(went: boolean | null): number {
    return went === true ? RESULT.accepted : RESULT.temporarilyRejected;
  }
}
