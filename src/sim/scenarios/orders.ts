import type { Geodetic } from '../../geo/position.ts';
import type { Response } from '../../model/doctrine.ts';
import { sentenceOf } from '../../model/fault.ts';
import type { ScenarioOrder, ScenarioPlace } from '../../model/scenario.ts';
import { type CommandParams, kindsOf, type Verb } from '../../model/verb.ts';

/** Services that carry out the orders of a scenario as if a person had given them. */
export type OrderService = {
  command(actorId: string, verb: Verb, params: CommandParams): Promise<unknown>;
  /**
   * Approves the proposed plan about a track; `response` selects a plan of that kind. Throws `NotYet` if none is
   * proposed.
   */
  approve(trackId: string, response: Response | undefined): Promise<unknown>;
};

export type OrderDeps = {
  service: OrderService;
  /** Returns the id of the track that follows an actor; null if none does. */
  trackOf(actorId: string): string | null;
  /** Returns the asset id of a simulated vehicle's actor; null for other actors. */
  assetOf(actorId: string): string | null;
  geodeticOf(place: ScenarioPlace): Geodetic;
  /** Called with an order that could not be carried out. */
  refused(refusal: RefusedOrder): void;
};

/** An order that was not carried out, with a sentence that gives the reason. */
export type RefusedOrder = { order: ScenarioOrder; text: string };

/**
 * Thrown if something that an order needs does not exist yet, such as a track. After an error, an order is tried again
 * until `TRIED_FOR_S` has passed. The report about the order contains the last error, but a `NotYet` never replaces an
 * earlier error.
 */
export class NotYet extends Error {}

/** Time after the `at_s` of an order during which the order is tried again, s. */
const TRIED_FOR_S = 30;

type Waiting = { order: ScenarioOrder; untilS: number; why: string | null };

/** Carries out the orders of a scenario, each at its time. */
export class Orders {
  readonly #waiting: Waiting[];
  readonly #deps: OrderDeps;

  constructor(orders: readonly ScenarioOrder[], deps: OrderDeps) {
    this.#deps = deps;
    const waiting = orders.map((order) => ({ order, untilS: order.at_s + TRIED_FOR_S, why: null }));
    this.#waiting = waiting.sort((a, b) => a.order.at_s - b.order.at_s);
  }

  /** Carries out due orders. Call this once a second with the scenario time. */
  evaluate(atS: number): void {
    const due = this.#waiting.filter(({ order }) => order.at_s <= atS);
    for (const one of due) {
      this.#waiting.splice(this.#waiting.indexOf(one), 1);
      this.#carryOut(one.order).catch((thrown: unknown) => this.#failed(one, atS, thrown));
    }
  }

  /** Returns the orders that have failed so far and will be tried again. */
  pending(): RefusedOrder[] {
    return this.#waiting.flatMap((one) => refusalOf(one) ?? []);
  }

  #failed(one: Waiting, atS: number, thrown: unknown): void {
    if (one.why === null || !(thrown instanceof NotYet)) one.why = sentenceOf(thrown);
    if (atS < one.untilS) this.#waiting.push(one);
    else this.#deps.refused(refusalOf(one) as RefusedOrder);
  }

  async #carryOut(order: ScenarioOrder): Promise<void> {
    const { service } = this.#deps;
    if (order.do === 'approve_plan') await service.approve(this.#trackOf(order.about), order.response);
    else await service.command(order.asset, order.verb, this.#paramsOf(order));
  }

  #paramsOf({ verb, params, track_of, to }: Extract<ScenarioOrder, { do: 'command' }>): CommandParams {
    const takes = kindsOf(verb);
    if (track_of !== undefined && takes.includes('asset')) return { kind: 'asset', asset_id: this.#assetOf(track_of) };
    if (track_of !== undefined) return { kind: 'track', track_id: this.#trackOf(track_of) };
    if (to !== undefined) {
      const { latDeg: lat, lonDeg: lon, altHaeM: alt_hae_m } = this.#deps.geodeticOf(to);
      return { kind: 'point', lat, lon, alt_hae_m };
    }
    return params ?? { kind: 'none' };
  }

  #assetOf(actorId: string): string {
    const id = this.#deps.assetOf(actorId);
    if (id === null) throw new TypeError(`the actor ${actorId} is no own vehicle of the scenario`);
    return id;
  }

  #trackOf(actorId: string): string {
    const id = this.#deps.trackOf(actorId);
    if (id === null) throw new NotYet(`no track follows ${actorId} yet`);
    return id;
  }
}

function refusalOf({ order, why }: Waiting): RefusedOrder | null {
  if (why === null) return null;
  const what = order.do === 'command' ? `${order.verb} to ${order.asset}` : `approve_plan about ${order.about}`;
  return { order, text: `the order ${what} at ${order.at_s} s was refused: ${why}` };
}
