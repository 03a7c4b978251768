import type { CommandState } from '../../model/command.ts';
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
  readonly expiresMs: number;
  readonly #fleet: Fleet;
  readonly #events: FlightEvents;
  #ended: Ended | null = null;

  constructor(fleet: Fleet, vehicle: Vehicle, expiresMs: number, events: FlightEvents) {
    this.#fleet = fleet;
    this.vehicle = vehicle;
    this.expiresMs = expiresMs;
    this.#events = events;
  }

  /** Ends it from outside: nothing more is sent of it. */
  end(state: CommandState, reason: string): void {
    this.#ended ??= new Ended(state, reason);
    this.#fleet.waits.look();
  }

  /** Sends an order and waits for what the vehicle says of it. Throws `Ended` where it does not take it. */
  async order(order: Omit<Order, 'expiresMs'>, unlessMet: () => boolean = () => false): Promise<void> {
    const answer = await this.ask(order, unlessMet);
    if (answer.kind === 'accepted') {
      this.#events.accepted();
      return;
    }
    throw endedBy(answer);
  }

  /** Sends an order; the answer is the caller's to judge. `unlessMet`: telemetry that shows it done serves as acceptance. */
  async ask(order: Omit<Order, 'expiresMs'>, unlessMet: () => boolean = () => false): Promise<Answer> {
    this.check();
    let answer: Answer | null = null;
    const sending = this.#fleet.outbox
      .send(this.vehicle, { ...order, expiresMs: this.expiresMs }, (attempts) => this.#events.sent(attempts))
      .then((came) => {
        answer = came;
        this.#fleet.waits.look();
        return came;
      });
    await this.#fleet.waits.until(() => answer !== null || this.#ended !== null || unlessMet(), 60_000);
    this.check();
    if (answer === null && unlessMet()) return { kind: 'accepted' };
    return answer ?? sending;
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
    if (isIn()) return;
    await this.order({ ...modeOrder(vehicle, mode), repeat: true }, isIn);
    if (await this.until(isIn, MODE_WITHIN_MS)) return;
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

function endedBy(answer: Exclude<Answer, { kind: 'accepted' }>): Ended {
  switch (answer.kind) {
    case 'refused':
      return new Ended(
        'rejected',
        `the vehicle ${answer.text}`.replace('the vehicle refused', 'the vehicle refused it'),
      );
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
