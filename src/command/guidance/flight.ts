import { SENT_ELSEWHERE, whyNotLed } from '../../fleet/available.ts';
import { fenceCause } from '../../fleet/cause.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { FlightMode } from '../../fleet/modes.ts';
import type { Answer, Order } from '../../fleet/outbox.ts';
import type { Vehicle } from '../../fleet/vehicle.ts';
import { CMD } from '../../fleet/verbs.ts';
import type { CommandState } from '../../model/command.ts';
import type { Refusal } from '../../model/fleet.ts';
import type { Verb } from '../../model/verb.ts';

/** End of a procedure before it is done: a state of the command and the sentence that says why. */
export class Ended extends Error {
  readonly state: CommandState;

  constructor(state: CommandState, reason: string) {
    super(reason);
    this.name = 'Ended';
    this.state = state;
  }
}

/** Limit for an ordered mode to show: heartbeats come once a second, and may be late. */
const MODE_WITHIN_MS = 8_000;
/** An order that changes the mode is said again right behind a heartbeat, which is no older than this. */
const RIGHT_BEHIND_MS = 300;
/** Expiry of an order within a flight that is under way: later it is worth nothing. */
const STEP_EXPIRES_MS = 6_000;

/** An order of a procedure to the vehicle. The flight adds its expiry and whether it may be repeated. */
export type FlightOrder = Omit<Order, 'expiresMs' | 'isWanted' | 'mayRepeat'> & {
  /** The custom mode that it leads into. */
  enters?: number;
  /** Custom mode for which the order is meant; the order does not change the mode. */
  within?: number;
};

export type FlightEvents = {
  /** The first datagram has left, or another of the same order. */
  sent(attempts: number): void;
  /** The vehicle took an order for good, which says nothing of whether it carried it out. */
  accepted(): void;
  /** The accepted order is awaited in telemetry. */
  executing(): void;
};

/**
 * One command on its way: what a procedure may do with the vehicle, and how it ends from outside. Every wait and every order
 * ends with `Ended` once the command is over.
 */
export class Flight {
  readonly vehicle: Vehicle;
  readonly assetId: string;
  readonly #verb: Verb;
  readonly expiresMs: number;
  readonly #fleet: Fleet;
  readonly #events: FlightEvents;
  #ended: Ended | null = null;
  #isUnderWay = false;

  constructor(
    fleet: Fleet,
    { vehicle, assetId, verb }: { vehicle: Vehicle; assetId: string; verb: Verb },
    expiresMs: number,
    events: FlightEvents,
  ) {
    this.#fleet = fleet;
    this.vehicle = vehicle;
    this.assetId = assetId;
    this.#verb = verb;
    this.expiresMs = expiresMs;
    this.#events = events;
  }

  /** Ends the command from outside: no more orders of it are sent. */
  end(state: CommandState, reason: string): void {
    this.#ended ??= new Ended(state, reason);
    this.#fleet.waits.evaluate();
  }

  /** Sends an order and waits for the vehicle's acknowledgement. Throws `Ended` where the vehicle refuses. */
  async order(order: FlightOrder, unlessMet: () => boolean = () => false): Promise<void> {
    const sinceMs = this.#fleet.nowMs();
    const answer = await this.ask(order, unlessMet);
    if (answer.kind === 'accepted') {
      this.#events.accepted();
      return;
    }
    const complaint = answer.kind === 'refused' ? this.vehicle.complaint(sinceMs) : null;
    const fence = answer.kind === 'refused' ? this.fenceCause() : null;
    throw endedBy(answer, complaint !== null ? ` (“${complaint}”)` : fence !== null ? `; ${fence}` : '');
  }

  /**
   * Sends an order; the answer is the caller's to judge. `unlessMet`: telemetry that shows it done serves as acceptance.
   * Once the command is over, or its sender wants it no more, it is not said again.
   */
  async ask(
    order: FlightOrder,
    unlessMet: () => boolean = () => false,
    isWanted: () => boolean = () => true,
  ): Promise<Answer> {
    this.check();
    this.#requireLed();
    let answer: Answer | null = null;
    let isAsking = true;
    const { enters, within, ...orderSent } = order;
    const hasNewTarget = this.vehicle.targets.watch(this.#fleet.nowMs());
    const isElsewhere = (): boolean => enters !== undefined && this.#fliesToPlaces && hasNewTarget();
    if (enters !== undefined) this.vehicle.orderMode(enters, this.#fleet.nowMs());
    const sent = {
      ...orderSent,
      mayRepeat: (sentMs: number) => this.mayRepeat(order, sentMs) && !isElsewhere(),
      expiresMs: this.#isUnderWay ? this.#fleet.nowMs() + STEP_EXPIRES_MS : this.expiresMs,
      isWanted: () => isAsking && this.#ended === null && this.whyNotLed() === null && isWanted(),
    };
    this.#fleet.outbox
      .send(this.vehicle, sent, (attempts) => this.#events.sent(attempts))
      .then((came) => {
        answer = came;
        if (enters !== undefined && came.kind === 'accepted') this.vehicle.acceptedMode(enters, this.#fleet.nowMs());
        this.#fleet.waits.evaluate();
      });
    await this.#fleet.waits.until(() => answer !== null || this.#ended !== null || unlessMet(), 60_000);
    isAsking = false;
    this.check();
    this.#requireLed();
    const came: Answer = answer ?? { kind: unlessMet() ? 'accepted' : 'silent' };
    if (came.kind === 'silent' && isElsewhere()) throw new Ended('failed', SENT_ELSEWHERE);
    return came;
  }

  /** Sends an order and waits until telemetry shows it done; false where it does not within the time. */
  async orderUntil(order: FlightOrder, isMet: () => boolean, withinMs = MODE_WITHIN_MS): Promise<boolean> {
    const untilMs = this.#fleet.nowMs() + withinMs;
    await this.order(order, isMet);
    return this.until(isMet, untilMs - this.#fleet.nowMs());
  }

  /**
   * True where an order that was sent last at `sentMs` may be repeated. A heartbeat and, where the vehicle reports it, a target
   * from after the arrival of the order must show that nobody else has the vehicle. An order that changes the mode also needs
   * a mode from before it: the order was lost.
   */
  mayRepeat({ enters, within }: FlightOrder, sentMs: number): boolean {
    if (within === undefined && enters === undefined) return true;
    const { heartbeat, customMode, custody, targets, answersWithinMs } = this.vehicle;
    const arrivedMs = sentMs + answersWithinMs;
    if (heartbeat.atMs < arrivedMs || targets.isForeign) return false;
    if (within !== undefined) return customMode === within && targets.isReportedSince(arrivedMs);
    return this.#fleet.nowMs() - heartbeat.atMs <= RIGHT_BEHIND_MS && custody.isExpected(customMode);
  }

  /** Outside of this mode a vehicle changes its target by itself, as from one waypoint of a mission to the next. */
  get #fliesToPlaces(): boolean {
    return this.vehicle.isIn(this.vehicle.modeFor('guided'));
  }

  #requireLed(): void {
    const refusal = this.whyNotLed();
    if (refusal) throw notLed(refusal);
  }

  /**
   * Reason why no more orders may be sent; null where none. Asset and link policy may have changed since the command
   * began.
   */
  whyNotLed(): Refusal | null {
    const asset = this.#fleet.assetOf(this.vehicle);
    if (asset && asset.id !== this.assetId) return { reason: 'not_adopted', text: `it was bound to ${asset.name}` };
    return whyNotLed(this.#verb, this.#fleet.standing(this.vehicle));
  }

  /**
   * Marks the command as carried out from here on. Its expiry limited only its start, and later orders are still sent.
   */
  goOn(): void {
    this.#isUnderWay = true;
  }

  /** Waits for what telemetry is to show. */
  async until(test: () => boolean, withinMs: number): Promise<boolean> {
    this.#events.executing();
    const met = await this.#fleet.waits.until(() => this.#ended !== null || test(), withinMs);
    this.check();
    return met;
  }

  /** Goes into a mode, as the vehicle's stack has it, and waits until it is in it. */
  async enter(mode: FlightMode): Promise<void> {
    // Sent even where the last heartbeat shows the mode: that may be a second old, and a stop must arrive.
    if (await this.orderUntil(modeOrder(this.vehicle, mode), this.#isIn(mode))) return;
    throw new Ended('failed', `the vehicle acknowledged ${mode.name} but is in ${this.vehicle.mode.name}`);
  }

  /** Orders a mode, and waits until the vehicle has accepted it or shows it. */
  async claim(mode: FlightMode): Promise<void> {
    await this.order(modeOrder(this.vehicle, mode), this.#isIn(mode));
  }

  #isIn(mode: FlightMode): () => boolean {
    const sinceMs = this.#fleet.nowMs();
    const { vehicle } = this;
    const wasIn = vehicle.isIn(mode);
    // A heartbeat of before shows nothing of this order.
    return () => vehicle.isIn(mode) && (!wasIn || vehicle.heartbeat.atMs > sinceMs);
  }

  /** Why the vehicle's own fence may be what refuses, or null. */
  fenceCause(): string | null {
    return fenceCause(this.vehicle, this.#fleet.nowMs());
  }

  /** Reports the command as sent where another part sends its messages. */
  sentByItself(): void {
    this.#events.sent(1);
  }

  nowMs(): number {
    return this.#fleet.nowMs();
  }

  /** Telemetry, or another answer than an acknowledgement, shows that the vehicle took it. */
  accepted(): void {
    this.#events.accepted();
  }

  check(): void {
    if (this.#ended) throw this.#ended;
  }
}

/** DO_SET_MODE as each stack takes it; a stack that is not known takes its standard modes alone. */
function modeOrder(vehicle: Vehicle, { customMode }: FlightMode): FlightOrder {
  const common = { repeat: true, enters: customMode };
  if (vehicle.autopilot === 'px4') {
    const params = [1, (customMode >>> 16) & 0xff, (customMode >>> 24) & 0xff];
    return { ...common, command: CMD.doSetMode, params };
  }
  if (vehicle.autopilot === 'ardupilot') return { ...common, command: CMD.doSetMode, params: [1, customMode] };
  const params = [vehicle.modes.get(customMode)?.standardMode ?? 0];
  return { ...common, command: CMD.doSetStandardMode, params };
}

/** Ends a command that may not go on: nothing more is sent to the vehicle, not even a stop. */
export function notLed({ text }: Refusal): Ended {
  return new Ended('failed', `no more orders are sent to it: ${text}`);
}

function endedBy(answer: Exclude<Answer, { kind: 'accepted' }>, complaint: string): Ended {
  switch (answer.kind) {
    case 'refused':
      return new Ended('rejected', `the vehicle ${answer.text}${complaint}`);
    case 'silent':
      return new Ended('timed_out', 'the vehicle did not answer');
    case 'not_sent':
      return new Ended('failed', `it could not be sent: ${answer.text}`);
    case 'expired':
      return new Ended('expired', 'its time was over before it could be sent');
    case 'superseded':
      return new Ended('superseded', 'another command took its place');
  }
}
