import type { CommandParams } from '../../model/command.ts';
import { sentenceOf } from '../../model/fault.ts';
import type { ScenarioOrder, ScenarioPlace } from '../../model/scenario.ts';
import type { Verb } from '../../model/verb.ts';

/** Who does what a scenario orders: the desks at which people work. */
export type OrderDesk = {
  command(actorId: string, verb: Verb, params: CommandParams): Promise<unknown>;
  /** The plan about a track that came first is approved. */
  approve(trackId: string): Promise<unknown>;
};

export type OrderRim = {
  desk: OrderDesk;
  /** The track that follows an actor, null where none does. */
  trackOf(actorId: string): string | null;
  placeOf(place: ScenarioPlace): { lat: number; lon: number; alt_hae_m: number };
  /** What could not be done, as a sentence. */
  refused(sentence: string): void;
};

/** An order that cannot be carried out yet, for want of a track or a plan, is tried again for so long. */
const TRIED_FOR_S = 30;

/** What somebody at the desk does in the course of a scenario, each at its time. */
export class Orders {
  readonly #waiting: { order: ScenarioOrder; untilS: number }[];
  readonly #rim: OrderRim;

  constructor(orders: readonly ScenarioOrder[], rim: OrderRim) {
    this.#rim = rim;
    const waiting = orders.map((order) => ({ order, untilS: order.at_s + TRIED_FOR_S }));
    this.#waiting = waiting.sort((a, b) => a.order.at_s - b.order.at_s);
  }

  /** Once a second, with the scenario's own time. */
  look(atS: number): void {
    const due = this.#waiting.filter(({ order }) => order.at_s <= atS);
    for (const one of due) {
      this.#waiting.splice(this.#waiting.indexOf(one), 1);
      this.#carryOut(one.order).catch((thrown: unknown) => this.#failed(one, atS, sentenceOf(thrown)));
    }
  }

  #failed(one: { order: ScenarioOrder; untilS: number }, atS: number, sentence: string): void {
    if (atS < one.untilS) this.#waiting.push(one);
    else this.#rim.refused(`the order of ${one.order.at_s} s was not carried out: ${sentence}`);
  }

  async #carryOut(order: ScenarioOrder): Promise<void> {
    const { desk } = this.#rim;
    if (order.do === 'approve_plan') await desk.approve(this.#trackOf(order.about));
    else await desk.command(order.asset, order.verb, this.#paramsOf(order));
  }

  #paramsOf(order: Extract<ScenarioOrder, { do: 'command' }>): CommandParams {
    if (order.track_of !== undefined) return { kind: 'track', track_id: this.#trackOf(order.track_of) };
    if (order.to !== undefined) return { kind: 'point', ...this.#rim.placeOf(order.to) };
    return order.params ?? { kind: 'none' };
  }

  #trackOf(actorId: string): string {
    const id = this.#rim.trackOf(actorId);
    if (id === null) throw new TypeError(`nothing follows ${actorId} yet`);
    return id;
  }
}
