import type { CommandState } from '../../model/command.ts';
import type { Refusal } from '../../model/fleet.ts';
import type { Verb } from '../../model/verb.ts';
import { whyNotLed } from '../fleet/available.ts';
import { fenceCause } from '../fleet/cause.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { CMD } from '../fleet/mav.ts';
import type { FlightMode } from '../fleet/modes.ts';
import type { Answer, Order } from '../fleet/outbox.ts';
import type { Vehicle } from '../fleet/vehicle.ts';

/** How a procedure ends before it is done: with a state of the command and the sentence that says why. */
export class Ended extends Error {
  readonly state: CommandState;

  constructor(state: CommandState, reason: string) {
    super(reason);
    this.name = 'Ended';
    this.state = state;
  }
}

/** A mode that a vehicle was told to go into is waited for so long: heartbeats come once a second, and may be late. */
const MODE_WITHIN_MS = 8_000;
/** An order that changes the mode is said again right behind a heartbeat, which is no older than this. */
const RIGHT_BEHIND_MS = 300;
/** What belongs to a flight that is under way is worth nothing later. */
const STEP_EXPIRES_MS = 6_000;

/** What a procedure asks of the vehicle; the flight knows until when it may be sent, and whether again. */
export type FlightOrder = Omit<Order, 'expiresMs' | 'isWanted' | 'mayRepeat'> & {
  /** The custom mode that it leads into. */
  enters?: number;
  /** The custom mode that it is meant for: it changes none. */
  within?: number;
};

export type FlightEvents = {
  /** The first datagram has left, or another of the same order. */
  sent(attempts: number): void;
  /** The vehicle took an order for good, which says nothing of whether it did as told. */
  accepted(): void;
  /** What it took is waited for in its telemetry. */
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

  /** Ends it from outside: nothing more is sent of it. */
  end(state: CommandState, reason: string): void {
    this.#ended ??= new Ended(state, reason);
    this.#fleet.waits.look();
  }

  /** Sends an order and waits for what the vehicle says of it. Throws `Ended` where it does not take it. */
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
    if (enters !== undefined) this.vehicle.orderMode(enters, this.#fleet.nowMs());
    const sent = {
      ...orderSent,
      mayRepeat: (sentMs: number) => this.mayRepeat(order, sentMs),
      expiresMs: this.#isUnderWay ? this.#fleet.nowMs() + STEP_EXPIRES_MS : this.expiresMs,
      isWanted: () => isAsking && this.#ended === null && this.whyNotLed() === null && isWanted(),
    };
    this.#fleet.outbox
      .send(this.vehicle, sent, (attempts) => this.#events.sent(attempts))
      .then((came) => {
        answer = came;
        if (enters !== undefined && came.kind === 'accepted') this.vehicle.acceptedMode(enters, this.#fleet.nowMs());
        this.#fleet.waits.look();
      });
    await this.#fleet.waits.until(() => answer !== null || this.#ended !== null || unlessMet(), 60_000);
    isAsking = false;
    this.check();
    this.#requireLed();
    return answer ?? (unlessMet() ? { kind: 'accepted' } : { kind: 'silent' });
  }

  /** Sends an order and waits until telemetry shows it done; false where it does not within the time. */
  async orderUntil(order: FlightOrder, isMet: () => boolean, withinMs = MODE_WITHIN_MS): Promise<boolean> {
    const untilMs = this.#fleet.nowMs() + withinMs;
    await this.order(order, isMet);
    return this.until(isMet, untilMs - this.#fleet.nowMs());
  }

  /**
   * Whether an order may be said again that was sent last at `sentMs`. One that changes the mode only where a heartbeat, sent
   * after the order must have arrived, shows a mode from before it: the order was lost, and nobody else has the vehicle.
   */
  mayRepeat({ enters, within }: FlightOrder, sentMs: number): boolean {
    const { heartbeat, custody, targets, answersWithinMs } = this.vehicle;
    const { customMode } = heartbeat.value;
    if (within !== undefined) return customMode === within && !targets.isForeign;
    if (enters === undefined) return true;
    const isFresh = this.#fleet.nowMs() - heartbeat.atMs <= RIGHT_BEHIND_MS;
    return (
      isFresh && heartbeat.atMs - sentMs >= answersWithinMs && custody.isExpected(customMode) && !targets.isForeign
    );
  }

  #requireLed(): void {
    const refusal = this.whyNotLed();
    if (refusal) throw notLed(refusal);
  }

  /** What was found when the command began may be otherwise since: whose it is, and whether its link lets commands out. */
  whyNotLed(): Refusal | null {
    const asset = this.#fleet.assetOf(this.vehicle);
    if (asset && asset.id !== this.assetId) return { reason: 'not_adopted', text: `it was bound to ${asset.name}` };
    return whyNotLed(this.#verb, this.#fleet.standing(this.vehicle));
  }

  /** From here on the command is being carried out: its expiry bounded when it could begin, and what it takes now goes out. */
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
    // Said in any case: what was heard last may be a second old, and whoever says stop wants it to be heard.
    if (await this.orderUntil(modeOrder(this.vehicle, mode), this.#isIn(mode))) return;
    throw new Ended('failed', `the vehicle acknowledged ${mode.name} but is in ${this.vehicle.mode.name}`);
  }

  /** Orders a mode, and waits until the vehicle has accepted it or shows it. */
  async claim(mode: FlightMode): Promise<void> {
    await this.order(modeOrder(this.vehicle, mode), this.#isIn(mode));
  }

  #isIn({ customMode }: FlightMode): () => boolean {
    const sinceMs = this.#fleet.nowMs();
    const { vehicle } = this;
    const wasIn = vehicle.heartbeat.value.customMode === customMode;
    // A heartbeat of before shows nothing of this order.
    return () => vehicle.heartbeat.value.customMode === customMode && (!wasIn || vehicle.heartbeat.atMs > sinceMs);
  }

  /** Why the vehicle's own fence may be what refuses, or null. */
  fenceCause(): string | null {
    return fenceCause(this.vehicle, this.#fleet.nowMs());
  }

  /** What is sent of this command, others send. */
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

/** Ends what may not go on: the vehicle is told nothing, not even to stop. */
export function notLed({ text }: Refusal): Ended {
  return new Ended('failed', `it is told nothing more: ${text}`);
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
