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

/**
 * Thrown if a procedure ends before it is done. `state` is the final state of the command; the message is the reason.
 */
export class Ended extends Error {
  readonly state: CommandState;

  constructor(state: CommandState, reason: string) {
    super(reason);
    this.name = 'Ended';
    this.state = state;
  }
}

/** Time within which telemetry must show an ordered mode, ms. Heartbeats come once a second and may be late. */
export const MODE_WITHIN_MS = 8_000;
/** An order that changes the mode is repeated only if the last heartbeat is at most this old, ms. */
const RIGHT_BEHIND_MS = 300;
/** Time after which an order of a running flight expires, ms. An order that is sent later would be outdated. */
const STEP_EXPIRES_MS = 6_000;

/**
 * An order of a procedure to the vehicle. `Flight` adds the time of expiry and decides whether the order may be
 * repeated.
 */
export type FlightOrder = Omit<Order, 'expiresMs' | 'isWanted' | 'mayRepeat'> & {
  /** MAVLink custom mode that the vehicle enters by this order. */
  enters?: number;
  /** MAVLink custom mode in which the vehicle must be for this order. The order does not change the mode. */
  within?: number;
};

export type FlightEvents = {
  /** A datagram of an order was sent: the first one, or a repeat. */
  sent(attempts: number): void;
  /** The vehicle accepted an order. It may not have carried the order out. */
  accepted(): void;
  /** The flight waits for telemetry that shows that the accepted order was carried out. */
  executing(): void;
};

/**
 * Connects the procedure of one running command with its vehicle, and lets other parts end the command. Every wait and
 * every order throws `Ended` once the command is over.
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

  /** Ends the command from outside its procedure. No more orders of the command are sent. */
  end(state: CommandState, reason: string): void {
    this.#ended ??= new Ended(state, reason);
    this.#fleet.waits.evaluate();
  }

  /**
   * Sends an order and waits for the vehicle's acknowledgement. Throws `Ended` unless the vehicle accepts the order.
   * `unlessMet`: see `ask`.
   */
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
   * Sends an order and returns the answer. If `unlessMet` returns true, telemetry shows that the order was carried out:
   * the answer is then `accepted`. The order is not repeated once the command is over or `isWanted` is false.
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
        if (enters !== undefined && isUndone(came)) this.vehicle.custody.withdraw(enters);
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

  /** Sends an order and waits until `isMet` is true. Returns false if it is not true within `withinMs`. */
  async orderUntil(order: FlightOrder, isMet: () => boolean, withinMs = MODE_WITHIN_MS): Promise<boolean> {
    const untilMs = this.#fleet.nowMs() + withinMs;
    await this.order(order, isMet);
    return this.until(isMet, untilMs - this.#fleet.nowMs());
  }

  /**
   * True if an order that was last sent at `sentMs` may be repeated. An order without `enters` and `within` always may.
   * Any other order needs a heartbeat that came after the order had time to arrive, and no reported target of another
   * station. With `within`, the vehicle must also be in that mode, and have reported its target since the arrival. With
   * `enters`, the heartbeat must be recent, and show a mode of ours or the mode before our orders: the order was then
   * lost.
   */
  mayRepeat({ enters, within }: FlightOrder, sentMs: number): boolean {
    if (within === undefined && enters === undefined) return true;
    const { heartbeat, customMode, custody, targets, answersWithinMs } = this.vehicle;
    const arrivedMs = sentMs + answersWithinMs;
    if (heartbeat.atMs < arrivedMs || targets.isForeign) return false;
    if (within !== undefined) return customMode === within && targets.isReportedSince(arrivedMs);
    return this.#fleet.nowMs() - heartbeat.atMs <= RIGHT_BEHIND_MS && custody.isExpected(customMode);
  }

  /**
   * True in ArduPilot's mode GUIDED, in which a vehicle flies to ordered positions. In other modes the vehicle changes
   * its target itself, as along a mission.
   */
  get #fliesToPlaces(): boolean {
    return this.vehicle.isIn(this.vehicle.modeFor('guided'));
  }

  #requireLed(): void {
    const refusal = this.whyNotLed();
    if (refusal) throw notLed(refusal);
  }

  /**
   * Returns why no more orders may be sent to the vehicle; null if they may be sent. The vehicle's asset and the policy
   * of its link may have changed since the command began.
   */
  whyNotLed(): Refusal | null {
    const asset = this.#fleet.assetOf(this.vehicle);
    if (asset && asset.id !== this.assetId)
      return { reason: 'not_adopted', text: `the vehicle was bound to another asset, ${asset.name}` };
    return whyNotLed(this.#verb, this.#fleet.standing(this.vehicle));
  }

  /**
   * Marks the command as running. The command's expiry limits only its start; each later order has a time limit of its
   * own.
   */
  goOn(): void {
    this.#isUnderWay = true;
  }

  /** Waits until `test` is true. Returns false if it is not true within `withinMs`. */
  async until(test: () => boolean, withinMs: number): Promise<boolean> {
    this.#events.executing();
    const met = await this.#fleet.waits.until(() => this.#ended !== null || test(), withinMs);
    this.check();
    return met;
  }

  /** Orders a mode, and waits until the vehicle shows it. */
  async enter(mode: FlightMode): Promise<void> {
    // The order is sent even if the last heartbeat shows the mode. That heartbeat may be a second old, and a stop must
    // arrive.
    if (await this.orderUntil(modeOrder(this.vehicle, mode), this.#isIn(mode))) return;
    throw new Ended(
      'failed',
      `the vehicle acknowledged the mode ${mode.name} but did not enter it within ${MODE_WITHIN_MS / 1_000} s: it is in ${this.vehicle.mode.name}`,
    );
  }

  /** Orders a mode, and waits until the vehicle has accepted it or shows it. */
  async claim(mode: FlightMode): Promise<void> {
    await this.order(modeOrder(this.vehicle, mode), this.#isIn(mode));
  }

  #isIn(mode: FlightMode): () => boolean {
    const sinceMs = this.#fleet.nowMs();
    const { vehicle } = this;
    const wasIn = vehicle.isIn(mode);
    // A heartbeat from before the order is no evidence of its effect.
    return () => vehicle.isIn(mode) && (!wasIn || vehicle.heartbeat.atMs > sinceMs);
  }

  /** Returns a sentence that names the vehicle's own fence as the probable cause of a refusal; null if it is not. */
  fenceCause(): string | null {
    return fenceCause(this.vehicle, this.#fleet.nowMs());
  }

  /** Reports the command as sent. Called when another part sends the messages of the command. */
  sentByItself(): void {
    this.#events.sent(1);
  }

  nowMs(): number {
    return this.#fleet.nowMs();
  }

  /**
   * Reports the command as accepted. Called when something other than an acknowledgement shows that the vehicle
   * accepted it.
   */
  accepted(): void {
    this.#events.accepted();
  }

  check(): void {
    if (this.#ended) throw this.#ended;
  }
}

/**
 * Returns the order that sets a mode on the vehicle's autopilot: DO_SET_MODE, or DO_SET_STANDARD_MODE for an unknown
 * autopilot.
 */
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

/**
 * Returns the end of a command to a vehicle that we may not control any more. Nothing more is sent to the vehicle, not
 * even a stop.
 */
export function notLed({ text }: Refusal): Ended {
  return new Ended('failed', `no more orders are sent to the vehicle: ${text}`);
}

/** True if the vehicle certainly does not carry the order out. */
function isUndone({ kind }: Answer): boolean {
  return kind === 'refused' || kind === 'not_sent' || kind === 'expired';
}

function endedBy(answer: Exclude<Answer, { kind: 'accepted' }>, complaint: string): Ended {
  switch (answer.kind) {
    case 'refused':
      return new Ended('rejected', `the vehicle ${answer.text}${complaint}`);
    case 'silent':
      return new Ended('timed_out', 'the vehicle did not answer');
    case 'not_sent':
      return new Ended('failed', `the order could not be sent: ${answer.text}`);
    case 'expired':
      return new Ended('expired', 'the order expired before it could be sent');
    case 'superseded':
      return new Ended('superseded', 'another order replaced this one');
  }
}
