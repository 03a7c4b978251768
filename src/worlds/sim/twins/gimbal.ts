import { CMD, RESULT } from '../../../command/fleet/mav.ts';
import type { HeardCommand, HeardPlace } from '../../../edge/wire/mavlink/read_command.ts';
import type { Payload } from '../../../edge/wire/mavlink/write.ts';
import { writeGimbalInformation, writeGimbalStatus } from '../../../edge/wire/mavlink/write_autopilot.ts';

export type Party = { sysid: number; compid: number };

const NOBODY: Party = { sysid: 0, compid: 0 };
const DO_SET_ROI_NONE = 197;
/** Of DO_GIMBAL_MANAGER_CONFIGURE: as it is, whoever asks, and nobody any more. */
const [AS_IT_IS, WHO_ASKS, GIVEN_BACK] = [-1, -2, -3];

/** A gimbal that the autopilot manages: it turns to a place for whoever has taken it in hand. There are no pictures of it. */
export class Gimbal {
  #primary: Party = NOBODY;
  /** What it is turned to. */
  #place: HeardPlace | null = null;

  get place(): HeardPlace | null {
    return this.#place;
  }

  information(bootMs: number): Payload {
    return writeGimbalInformation(bootMs);
  }

  status(bootMs: number): Payload {
    return writeGimbalStatus(bootMs, this.#primary);
  }

  /** MAV_RESULT; null where it is not about the gimbal. */
  answer({ command, params: [sysid, compid], place }: HeardCommand, from: Party): number | null {
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
    if (sysid === WHO_ASKS) this.#primary = from;
    else if (sysid === GIVEN_BACK) this.#primary = this.#isOf(from) ? NOBODY : this.#primary;
    else if (sysid >= 0 && sysid <= 255) this.#primary = { sysid, compid };
    else if (sysid !== AS_IT_IS) return RESULT.denied;
    return RESULT.accepted;
  }

  #turnTo(place: HeardPlace | null, from: Party): number {
    if (!this.#isOf(from)) return RESULT.denied;
    this.#place = place;
    return RESULT.accepted;
  }

  #isOf({ sysid, compid }: Party): boolean {
    return sysid === this.#primary.sysid && compid === this.#primary.compid;
  }
}
