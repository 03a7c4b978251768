import type { CommandAck } from '../edge/wire/mavlink/read_vehicle.ts';
import type { Payload } from '../edge/wire/mavlink/write.ts';
import { type CommandPlace, writeCommandInt, writeCommandLong } from '../edge/wire/mavlink/write_vehicle.ts';
import { sentenceOf } from '../model/fault.ts';
import { RESULT, resultText } from './mav.ts';
import type { Vehicle } from './vehicle.ts';

/** An order: one MAV_CMD for one vehicle. */
export type Order = {
  command: number;
  params: readonly number[];
  /** Target position. If given, the order is sent as COMMAND_INT, else as COMMAND_LONG. */
  place?: CommandPlace;
  /** Component that receives the order; the autopilot if absent. */
  compid?: number;
  /** Whether the order may be sent again if no answer arrives. False for orders that arm or lift off. */
  repeat: boolean;
  /** World time after which the order must not be sent, ms. */
  expiresMs: number;
  /** Returns whether the order is still wanted. An unwanted order is not repeated, and gives way to the next one. */
  isWanted?: () => boolean;
  /**
   * Returns whether an order that was last sent at `sentMs` may be repeated now. Another station may have taken control
   * since then.
   */
  mayRepeat?: (sentMs: number) => boolean;
};

/** Outcome of an order. `accepted` means that the vehicle will try, not that it succeeded. */
export type Answer =
  | { kind: 'accepted' }
  | { kind: 'refused'; result: number; text: string }
  | { kind: 'silent' }
  | { kind: 'not_sent'; text: string }
  | { kind: 'expired' }
  | { kind: 'superseded' };

export type Outgoing = { transmit(vehicle: Vehicle, payload: Payload): Promise<void>; nowMs(): number };

/**
 * Delay of each repetition of an order after the previous transmission, ms. On a link with a delay of 1 s in each
 * direction, an answer arrives before the second repetition.
 */
const REPEATS_AFTER_MS = [700, 1_500, 2_500];
const ANSWERS_WITHIN_MS = 6_000;
/** Greatest time from IN_PROGRESS to the next acknowledgement, ms. */
const PROGRESS_WITHIN_MS = 10_000;

type Entry = {
  vehicle: Vehicle;
  order: Order;
  attempts: number;
  /** Whether the vehicle reported progress. The order is then not repeated. */
  inProgress: boolean;
  /** Whether the order was already sent in its other form: with a height above home, or as COMMAND_LONG. */
  reformed: boolean;
  firstMs: number;
  lastMs: number;
  deadlineMs: number;
  resolve: (answer: Answer) => void;
  onSent: (attempts: number) => void;
};

/**
 * Sends orders by the command protocol of the MAVLink guide. Acknowledgements have no number, so only one order of each
 * MAV_CMD is pending per component. Of the orders that wait behind it, only the newest is sent.
 */
export class Outbox {
  readonly #outgoing: Outgoing;
  readonly #sent = new Map<string, Entry>();
  readonly #waiting = new Map<string, Entry>();
  /** Time until which the acknowledgement of a replaced order may still come, ms, by slot. */
  readonly #lateUntilMs = new Map<string, number>();

  constructor(outgoing: Outgoing) {
    this.#outgoing = outgoing;
  }

  send(vehicle: Vehicle, order: Order, onSent: (attempts: number) => void = () => {}): Promise<Answer> {
    return new Promise((resolve) => {
      const entry: Entry = {
        ...{ vehicle, order, resolve, onSent, attempts: 0, reformed: false, inProgress: false },
        ...{ firstMs: 0, lastMs: 0, deadlineMs: 0 },
      };
      const slot = slotOf(vehicle, order);
      const before = this.#sent.get(slot);
      if (before && !isWanted(before)) this.#end(slot, before, { kind: 'superseded' });
      if (!this.#sent.has(slot)) {
        this.#begin(slot, entry);
        return;
      }
      this.#waiting.get(slot)?.resolve({ kind: 'superseded' });
      this.#waiting.set(slot, entry);
    });
  }

  receiveAck(vehicle: Vehicle, compid: number, ack: CommandAck): void {
    const slot = slotKey(vehicle, ack.command, compid);
    const entry = this.#sent.get(slot);
    // Without a pending order, the acknowledgement answers an order of another station, or a repeated order of ours.
    if (!entry || this.#isLate(slot, entry)) return;
    const { result } = ack;
    // After several attempts, it is unknown which one the answer belongs to.
    if (entry.attempts === 1) vehicle.noteAnswer(this.#outgoing.nowMs() - entry.lastMs);
    if (result === RESULT.inProgress) {
      entry.inProgress = true;
      entry.deadlineMs = this.#outgoing.nowMs() + PROGRESS_WITHIN_MS;
      return;
    }
    if (result === RESULT.unsupported) vehicle.unsupported.add(ack.command);
    const again = isWanted(entry) ? this.#reformed(entry, result) : null;
    if (again) {
      entry.order = again;
      entry.reformed = true;
      void this.#transmit(slot, entry);
      return;
    }
    const isAccepted = result === RESULT.accepted;
    this.#end(slot, entry, isAccepted ? { kind: 'accepted' } : { kind: 'refused', result, text: resultText(result) });
  }

  /**
   * True for an acknowledgement that may belong to the order which this one replaced. It is ignored once: an order that
   * the vehicle did receive is then repeated and acknowledged again.
   */
  #isLate(slot: string, { order, attempts }: Entry): boolean {
    const untilMs = this.#lateUntilMs.get(slot) ?? Number.NEGATIVE_INFINITY;
    this.#lateUntilMs.delete(slot);
    return order.repeat && attempts === 1 && this.#outgoing.nowMs() <= untilMs;
  }

  /** Repeats orders without an answer, and ends orders past their deadline. */
  tick(): void {
    const nowMs = this.#outgoing.nowMs();
    for (const [slot, entry] of this.#sent) {
      if (nowMs >= entry.deadlineMs || !isWanted(entry)) {
        this.#end(slot, entry, { kind: nowMs >= entry.deadlineMs ? 'silent' : 'superseded' });
        continue;
      }
      const afterMs = REPEATS_AFTER_MS[entry.attempts - 1];
      const isDue = entry.order.repeat && !entry.inProgress && afterMs !== undefined && nowMs < entry.order.expiresMs;
      if (!isDue || nowMs - entry.lastMs < afterMs) continue;
      // If a newer order waits, it is sent instead of a repetition.
      if (this.#waiting.has(slot)) this.#end(slot, entry, { kind: 'superseded' });
      else if (entry.order.mayRepeat?.(entry.lastMs) ?? true) void this.#transmit(slot, entry);
    }
  }

  /** Drops all orders to a vehicle that rebooted or was removed from the roster. */
  drop(vehicle: Vehicle): void {
    for (const entries of [this.#waiting, this.#sent]) {
      for (const [slot, entry] of entries) {
        if (entry.vehicle !== vehicle) continue;
        entries.delete(slot);
        entry.resolve({ kind: 'superseded' });
      }
    }
    const prefix = `${numberOf(vehicle)} `;
    for (const slot of this.#lateUntilMs.keys()) if (slot.startsWith(prefix)) this.#lateUntilMs.delete(slot);
  }

  #begin(slot: string, entry: Entry): void {
    const nowMs = this.#outgoing.nowMs();
    if (!isWanted(entry) || nowMs >= entry.order.expiresMs) {
      entry.resolve({ kind: isWanted(entry) ? 'expired' : 'superseded' });
      return;
    }
    entry.firstMs = nowMs;
    entry.deadlineMs = nowMs + ANSWERS_WITHIN_MS;
    this.#sent.set(slot, entry);
    void this.#transmit(slot, entry);
  }

  async #transmit(slot: string, entry: Entry): Promise<void> {
    const { vehicle, order } = entry;
    entry.lastMs = this.#outgoing.nowMs();
    const confirmation = entry.attempts;
    entry.attempts++;
    try {
      await this.#outgoing.transmit(vehicle, payloadOf(vehicle, order, confirmation));
      entry.onSent(entry.attempts);
    } catch (thrown) {
      if (confirmation === 0 && this.#sent.get(slot) === entry) {
        this.#end(slot, entry, { kind: 'not_sent', text: sentenceOf(thrown) });
      }
    }
  }

  #end(slot: string, entry: Entry, answer: Answer): void {
    this.#sent.delete(slot);
    const { answersWithinMs } = entry.vehicle;
    if (answer.kind === 'superseded') this.#lateUntilMs.set(slot, entry.lastMs + answersWithinMs);
    else this.#lateUntilMs.delete(slot);
    entry.resolve(answer);
    const next = this.#waiting.get(slot);
    if (!next) return;
    this.#waiting.delete(slot);
    this.#begin(slot, next);
  }

  /**
   * Returns the other form of an order if the acknowledgement demands it: a height above home, or COMMAND_LONG. Null if
   * there is none.
   */
  #reformed(entry: Entry, result: number): Order | null {
    const { order, vehicle, reformed } = entry;
    const { place, ...rest } = order;
    if (reformed || place === undefined) return null;
    if (result === RESULT.unsupportedFrame && place.frame === 0 && vehicle.home) {
      return { ...order, place: { ...place, frame: 3, altM: place.altM - vehicle.home.altMslM } };
    }
    if (result !== RESULT.longOnly) return null;
    const [a = 0, b = 0, c = 0, d = 0] = order.params;
    return { ...rest, params: [a, b, c, d, place.latDeg, place.lonDeg, place.altM] };
  }
}

function isWanted({ order }: Entry): boolean {
  return order.isWanted?.() ?? true;
}

function payloadOf(vehicle: Vehicle, { command, params, place, compid }: Order, confirmation: number): Payload {
  const target = { sysid: vehicle.sysid, compid: compid ?? vehicle.compid };
  return place
    ? writeCommandInt(target, command, params, place)
    : writeCommandLong(target, command, params, confirmation);
}

const slotOf = (vehicle: Vehicle, { command, compid }: Order): string =>
  slotKey(vehicle, command, compid ?? vehicle.compid);

let nextNumber = 1;
const numbers = new WeakMap<Vehicle, number>();

/**
 * Key of all orders of one MAV_CMD to one component. Vehicles are numbered, because two vehicles on two links may have
 * the same system id.
 */
function slotKey(vehicle: Vehicle, command: number, compid: number): string {
  return `${numberOf(vehicle)} ${compid} ${command}`;
}

function numberOf(vehicle: Vehicle): number {
  const number = numbers.get(vehicle) ?? nextNumber++;
  numbers.set(vehicle, number);
  return number;
}
