import type { ReceivedCommand, ReceivedPlace } from '../../edge/wire/mavlink/read_command.ts';
import { RESULT } from '../../fleet/mav.ts';
import { CMD } from '../../fleet/verbs.ts';

export type Party = { sysid: number; compid: number };

const NOBODY: Party = { sysid: 0, compid: 0 };
const DO_SET_ROI_NONE = 197;
/** Special system ids of DO_GIMBAL_MANAGER_CONFIGURE: keep the current party, the sender, release control. */
const [KEEP, SENDER, RELEASE] = [-1, -2, -3];

/** A gimbal that the autopilot manages. It points at the place that the party in control orders. It sends no images. */
export class Gimbal {
  #primary: Party = NOBODY;
  #place: ReceivedPlace | null = null;

  get place(): ReceivedPlace | null {
    return this.#place;
  }

  /** Party in primary control; 0/0 for none. */
  get primary(): Party {
    return this.#primary;
  }

  /** Carries out a command and returns its MAV_RESULT; null for a command that does not concern the gimbal. */
  answer({ command, params: [sysid, compid], place }: ReceivedCommand, from: Party): number | null {
    switch (command) {
      case CMD.gimbalManagerConfigure:
        return this.#configure(sysid, compid, from);
      case CMD.doSetRoiLocation:
        return this.#turnTo(place, from);
      case DO_SET_ROI_NONE:
        return this.#turnTo(null, from);
      default:
        return null;
    }
  }

  #configure(sysid: number, compid: number, from: Party): number {
    if (sysid === SENDER) this.#primary = from;
    else if (sysid === RELEASE) this.#primary = this.#isOf(from) ? NOBODY : this.#primary;
    else if (sysid >= 0 && sysid <= 255) this.#primary = { sysid, compid };
    else if (sysid !== KEEP) return RESULT.denied;
    return RESULT.accepted;
  }

  #turnTo(place: ReceivedPlace | null, from: Party): number {
    if (!this.#isOf(from)) return RESULT.denied;
    this.#place = place;
    return RESULT.accepted;
  }

  #isOf({ sysid, compid }: Party): boolean {
    return sysid === this.#primary.sysid && compid === this.#primary.compid;
  }
}
