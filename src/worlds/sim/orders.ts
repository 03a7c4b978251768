import type { CommandParams } from '../../model/command.ts';
import type { Response } from '../../model/doctrine.ts';
import { sentenceOf } from '../../model/fault.ts';
import type { ScenarioOrder, ScenarioPlace } from '../../model/scenario.ts';
import { type ParamKind, type Verb, verbs } from '../../model/verb.ts';

/** Who does what a scenario orders: the desks at which people work. */
export type OrderDesk = {
  command(actorId: string, verb: Verb, params: CommandParams): Promise<unknown>;
  /** Approves the plan about a track, of one response where it is given. Throws `NotYet` where none is proposed. */
  approve(trackId: string, response: Response | undefined): Promise<unknown>;
};

export type OrderRim = {
  desk: OrderDesk;
  /** The track that follows an actor, null where none does. */
  trackOf(actorId: string): string | null;
  /** The id of the asset that an actor of ours is. */
  assetOf(actorId: string): string | null;
  placeOf(place: ScenarioPlace): { lat: number; lon: number; alt_hae_m: number };
  /** An order that could not be carried out. */
  refused(refusal: RefusedOrder): void;
};

/** An order with the sentence that says why it was not carried out. */
export type RefusedOrder = { order: ScenarioOrder; text: string };

/** What an order needs is not there yet. A refusal that came before or comes after says more. */
export class NotYet extends Error {}

/** An order that cannot be carried out yet, for want of a track or a plan, is tried again for so long. */
const TRIED_FOR_S = 30;

type Waiting = { order: ScenarioOrder; untilS: number; why: string | null };

/** What somebody at the desk does in the course of a scenario, each at its time. */
export class Orders {
  readonly #waiting: Waiting[];
  readonly #rim: OrderRim;

  constructor(orders: readonly ScenarioOrder[], rim: OrderRim) {
    this.#rim = rim;
    const waiting = orders.map((order) => ({ order, untilS: order.at_s + TRIED_FOR_S, why: null }));
    this.#waiting = waiting.sort((a, b) => a.order.at_s - b.order.at_s);
  }

  /** Once a second, with the scenario's own time. */
  look(atS: number): void {
    const due = this.#waiting.filter(({ order }) => order.at_s <= atS);
    for (const one of due) {
      this.#waiting.splice(this.#waiting.indexOf(one), 1);
      this.#carryOut(one.order).catch((thrown: unknown) => this.#failed(one, atS, thrown));
    }
  }

  /** Orders that were tried in vain so far and may still be carried out. */
  pending(): RefusedOrder[] {
    return this.#waiting.flatMap((one) => refusalOf(one) ?? []);
  }

  #failed(one: Waiting, atS: number, thrown: unknown): void {
    if (one.why === null || !(thrown instanceof NotYet)) one.why = sentenceOf(thrown);
    if (atS < one.untilS) this.#waiting.push(one);
    else this.#rim.refused(refusalOf(one) as RefusedOrder);
  }

  async #carryOut(order: ScenarioOrder): Promise<void> {
    const { desk } = this.#rim;
    if (order.do === 'approve_plan') await desk.approve(this.#trackOf(order.about), order.response);
    else await desk.command(order.asset, order.verb, this.#paramsOf(order));
  }

  #paramsOf({ verb, params, track_of, to }: Extract<ScenarioOrder, { do: 'command' }>): CommandParams {
    const takes: readonly ParamKind[] = verbs[verb].params;
    if (track_of !== undefined && takes.includes('asset')) return { kind: 'asset', asset_id: this.#assetOf(track_of) };
    if (track_of !== undefined) return { kind: 'track', track_id: this.#trackOf(track_of) };
    if (to !== undefined) return { kind: 'point', ...this.#rim.placeOf(to) };
    return params ?? { kind: 'none' };
  }

  #assetOf(actorId: string): string {
    const id = this.#rim.assetOf(actorId);
    if (id === null) throw new TypeError(`${actorId} is no vehicle of ours`);
    return id;
  }

  #trackOf(actorId: string): string {
    const id = this.#rim.trackOf(actorId);
    if (id === null) throw new NotYet(`no track follows ${actorId} yet`);
    return id;
  }
}

function refusalOf({ order, why }: Waiting): RefusedOrder | null {
  if (why === null) return null;
  const what = order.do === 'command' ? `${order.verb} of ${order.asset}` : `approve_plan about ${order.about}`;
  return { order, text: `the order at ${order.at_s} s, ${what}, was refused: ${why}` };
}
