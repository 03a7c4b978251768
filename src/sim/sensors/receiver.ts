import { Chance, keyOf } from '../kernel/chance.ts';
import type { Member } from '../population/member.ts';
import { detectionAt } from './seeing.ts';
import type { Sky } from './sky.ts';
import type { Station } from './station.ts';

/**
 * Receives broadcasts. Chance decides for each message separately whether it arrives; messages that arrive are encoded
 * and sent to the station's link.
 */
export class Receiver<Message> {
  readonly station: Station;
  readonly #encode: (message: Message) => Uint8Array;
  readonly #chance = new Chance(0);

  constructor(station: Station, encode: (message: Message) => Uint8Array) {
    this.station = station;
    this.#encode = encode;
  }

  receive(member: Member, messages: readonly Message[], loss: number, broadcast: number, sky: Sky): void {
    const { seeing, spec, seed } = this.station;
    if (this.station.isDown(sky.atS) || !seeing.reaches(member.radio, sky)) return;
    const likely = detectionAt(spec.pd, seeing.rangeM, spec.placement.max_range_m) * (1 - loss);
    const chance = this.#chance.reset(keyOf(seed, member.seed, broadcast));
    for (const message of messages) if (chance.uniform() < likely) this.station.send(this.#encode(message), sky.atS);
  }
}
