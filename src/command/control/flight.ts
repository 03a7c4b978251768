import type { CommandState } from '../../model/command.ts';
import type { Refusal } from '../../model/fleet.ts';
import { whyNotLed } from '../fleet/available.ts';
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
/** What was taken and does not show is said again after so long: the answer may have been to an earlier one. */
const SHOWS_WITHIN_MS = 3_000;
/** What belongs to a flight that is under way is worth nothing later. */
const STEP_EXPIRES_MS = 6_000;

/** What a procedure asks of the vehicle; the flight knows until when it may be sent. */
type FlightOrder = Omit<Order, 'expiresMs' | 'isWanted'>;

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
  readonly expiresMs: number;
  readonly #fleet: Fleet;
  readonly #events: FlightEvents;
  #ended: Ended | null = null;
  #isUnderWay = false;

  constructor(
    fleet: Fleet,
    { vehicle, assetId }: { vehicle: Vehicle; assetId: string },
    expiresMs: number,
    events: FlightEvents,
  ) {
    this.#fleet = fleet;
    this.vehicle = vehicle;
    this.assetId = assetId;
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
    const complaint = answer.kind === 'refused' ? this.vehicle.complaintSince(sinceMs) : null;
    throw endedBy(answer, complaint === null ? '' : ` (“${complaint}”)`);
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
    const sent = {
      ...order,
      expiresMs: this.#isUnderWay ? this.#fleet.nowMs() + STEP_EXPIRES_MS : this.expiresMs,
      isWanted: () => isAsking && this.#ended === null && this.whyNotLed() === null && isWanted(),
    };
    this.#fleet.outbox
      .send(this.vehicle, sent, (attempts) => this.#events.sent(attempts))
      .then((came) => {
        answer = came;
        this.#fleet.waits.look();
      });
    await this.#fleet.waits.until(() => answer !== null || this.#ended !== null || unlessMet(), 60_000);
    isAsking = false;
    this.check();
    this.#requireLed();
    return answer ?? (unlessMet() ? { kind: 'accepted' } : { kind: 'silent' });
  }

  /** Sends an order until telemetry shows it done; false where it does not within the time. */
  async orderUntil(order: FlightOrder, isMet: () => boolean, withinMs = MODE_WITHIN_MS): Promise<boolean> {
    const untilMs = this.#fleet.nowMs() + withinMs;
    await this.order(order, isMet);
    for (;;) {
      const leftMs = untilMs - this.#fleet.nowMs();
      if (await this.until(isMet, Math.min(leftMs, SHOWS_WITHIN_MS))) return true;
      if (leftMs <= SHOWS_WITHIN_MS) return false;
      await this.ask(order, isMet);
    }
  }

  #requireLed(): void {
    const refusal = this.whyNotLed();
    if (refusal) throw notLed(refusal);
  }

  /** What was found when the command began may be otherwise since: whose it is, and whether its link lets commands out. */
  whyNotLed(): Refusal | null {
    const asset = this.#fleet.assetOf(this.vehicle);
    if (asset && asset.id !== this.assetId) return { reason: 'not_adopted', text: `it was bound to ${asset.name}` };
    return whyNotLed(this.#fleet.standing(this.vehicle));
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
    const { vehicle } = this;
    vehicle.expectMode(mode.customMode, this.#fleet.nowMs() + MODE_WITHIN_MS);
    const isIn = (): boolean => vehicle.heartbeat.value.customMode === mode.customMode;
    // Said in any case: what was heard last may be a second old, and whoever says stop wants it to be heard.
    if (await this.orderUntil({ ...modeOrder(vehicle, mode), repeat: true }, isIn)) return;
    throw new Ended('failed', `it said yes, and went not into ${mode.name}: it is in ${vehicle.mode.name}`);
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
function modeOrder(vehicle: Vehicle, { customMode }: FlightMode): Pick<Order, 'command' | 'params'> {
  if (vehicle.autopilot === 'px4') {
    return { command: CMD.doSetMode, params: [1, (customMode >>> 16) & 0xff, (customMode >>> 24) & 0xff] };
  }
  if (vehicle.autopilot === 'ardupilot') return { command: CMD.doSetMode, params: [1, customMode] };
  return { command: CMD.doSetStandardMode, params: [vehicle.modes.get(customMode)?.standardMode ?? 0] };
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
