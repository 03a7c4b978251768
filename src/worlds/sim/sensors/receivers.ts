import { MavlinkEncoder } from '../../../edge/wire/mavlink/encode.ts';
import { type Payload, writeHeartbeat } from '../../../edge/wire/mavlink/write.ts';
import { Chance, keyOf } from '../chance.ts';
import type { Member } from '../member.ts';
import { detectionAt } from './seeing.ts';
import type { Sky } from './sky.ts';
import type { Station } from './station.ts';

/** MAV_COMP_ID_ODID_TXRX_1, MAV_TYPE_ODID, MAV_AUTOPILOT_INVALID, MAV_STATE_ACTIVE. */
export const RECEIVER = { sysid: 1, compid: 236 };
const HEARTBEAT = {
  ...{ customMode: 0, type: 34, autopilot: 8, baseMode: 0, systemStatus: 4, mavlinkVersion: 3 },
};

/** Whether and how well what `member` transmits reaches a station: decided anew for each broadcast. */
class Reception {
  readonly #station: Station;
  readonly #chance = new Chance(0);

  constructor(station: Station) {
    this.#station = station;
  }

  /** How likely one message comes through; 0 out of reach. */
  of(member: Member, sky: Sky): number {
    const { seeing, spec } = this.#station;
    const { radio } = member;
    const [eastM, northM, heightM] = [sky.eastM(radio), sky.northM(radio), sky.heightM(radio)];
    seeing.look(eastM, northM, sky.site.upOf(eastM, northM, heightM));
    if (!seeing.covers(heightM)) return 0;
    return detectionAt(spec.pd, seeing.rangeM, spec.placement.max_range_m);
  }

  chance(member: Member, broadcast: number): Chance {
    return this.#chance.reset(keyOf(this.#station.seed, member.seed, broadcast));
  }
}

/** A Remote ID receiver: what it hears it hands on as OPEN_DRONE_ID messages of its own MAVLink component. */
export class RemoteIdReceiver {
  readonly station: Station;
  readonly #reception: Reception;
  readonly #encoder = new MavlinkEncoder(RECEIVER);

  constructor(station: Station) {
    this.station = station;
    this.#reception = new Reception(station);
  }

  hear(member: Member, said: readonly Payload[], loss: number, broadcast: number, sky: Sky): void {
    const { station } = this;
    if (station.isDown(sky.atS)) return;
    const likely = this.#reception.of(member, sky) * (1 - loss);
    if (likely === 0) return;
    const chance = this.#reception.chance(member, broadcast);
    for (const payload of said) if (chance.uniform() < likely) station.send(this.#encoder.encode(payload), sky.atS);
  }

  live(sky: Sky): void {
    this.station.send(this.#encoder.encode(writeHeartbeat(HEARTBEAT)), sky.atS);
  }
}

/** An ADS-B receiver, as SBS-1 lines. The format has no word for "nothing heard": an empty sky is silence. */
export class AdsbReceiver {
  readonly station: Station;
  readonly #reception: Reception;

  constructor(station: Station) {
    this.station = station;
    this.#reception = new Reception(station);
  }

  hear(member: Member, lines: Uint8Array, broadcast: number, sky: Sky): void {
    if (this.station.isDown(sky.atS)) return;
    const likely = this.#reception.of(member, sky);
    if (this.#reception.chance(member, broadcast).uniform() < likely) this.station.send(lines, sky.atS);
  }
}
