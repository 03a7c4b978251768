import type { CommandAck } from '../edge/wire/mavlink/read_vehicle.ts';
import type { Payload } from '../edge/wire/mavlink/write.ts';
import { type CommandPlace, writeCommandInt, writeCommandLong } from '../edge/wire/mavlink/write_vehicle.ts';
import { sentenceOf } from '../model/fault.ts';
import { RESULT, resultText } from './mav.ts';
import type { Vehicle } from './vehicle.ts';

/** One MAV_CMD for one vehicle. */
export type Order = {
  command: number;
  params: readonly number[];
  /** With a place the order is sent as COMMAND_INT, else as COMMAND_LONG. */
  place?: CommandPlace;
  /** The component that it is for; the autopilot where absent. */
  compid?: number;
  /** True where it may be repeated without an answer: orders that arm or lift off may not. */
  repeat: boolean;
  /** World time after which the order is not sent any more, ms. */
  expiresMs: number;
  /**
   * True while its sender still wants it: an order that is not wanted any more is not repeated, and gives way to the
   * next one.
   */
  isWanted?: () => boolean;
  /** True where the order, last sent at `sentMs`, may be repeated now: another station may have taken control since. */
  mayRepeat?: (sentMs: number) => boolean;
};

/** Outcome of an order. `accepted` means that the vehicle will try, and nothing about whether it did. */
export type Answer =
  | { kind: 'accepted' }
  | { kind: 'refused'; result: number; text: string }
  | { kind: 'silent' }
  | { kind: 'not_sent'; text: string }
  | { kind: 'expired' }
  | { kind: 'superseded' };

export type Outgoing = { transmit(vehicle: Vehicle, payload: Payload): Promise<void>; nowMs(): number };

/** Delays of the repeats; answers over links with a second of delay each way come in time. */
const REPEATS_AFTER_MS = [700, 1_500, 2_500];
const ANSWERS_WITHIN_MS = 6_000;
/** Time from IN_PROGRESS to the next acknowledgement, at most, ms. */
const PROGRESS_WITHIN_MS = 10_000;

type Entry = {
  vehicle: Vehicle;
  order: Order;
  attempts: number;
  /** The vehicle reported progress: the order is not repeated. */
  inProgress: boolean;
  /** True once the order was sent in its other form (see `#reformed`). */
  reformed: boolean;
  firstMs: number;
  lastMs: number;
  deadlineMs: number;
  resolve: (answer: Answer) => void;
  onSent: (attempts: number) => void;
};

/**
 * The command protocol (MAVLink guide, command protocol). Acknowledgements carry no number, so one order of a MAV_CMD
 * is on its way to a component at a time. Of the orders waiting behind it only the newest is sent.
 */
export class Outbox {
  readonly #outgoing: Outgoing;
  readonly #sent = new Map<string, Entry>();
  readonly #waiting = new Map<string, Entry>();

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
    // No order is pending: the acknowledgement belongs to another station or to a repeat.
    if (!entry) return;
    const { result } = ack;
    // An answer after several attempts cannot be assigned to one of them.
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

  /** Repeats orders without an answer, and ends those past their deadline. */
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
      // The newest order is sent instead of a repeat of the old one.
      if (this.#waiting.has(slot)) this.#end(slot, entry, { kind: 'superseded' });
      else if (entry.order.mayRepeat?.(entry.lastMs) ?? true) void this.#transmit(slot, entry);
    }
  }

  /** Drops the orders to a vehicle: it rebooted, or the service stops. */
  drop(vehicle: Vehicle): void {
    for (const entries of [this.#waiting, this.#sent]) {
      for (const [slot, entry] of entries) {
        if (entry.vehicle !== vehicle) continue;
        entries.delete(slot);
        entry.resolve({ kind: 'superseded' });
      }
    }
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
    entry.resolve(answer);
    const next = this.#waiting.get(slot);
    if (!next) return;
    this.#waiting.delete(slot);
    this.#begin(slot, next);
  }

  /** The other form of an order, where the acknowledgement requests it: a height above home, or COMMAND_LONG. */
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
 * Key of the orders of one MAV_CMD to one component. Vehicles are numbered, as two vehicles on two links may have one
 * system id.
 */
function slotKey(vehicle: Vehicle, command: number, compid: number): string {
  let number = numbers.get(vehicle);
  if (number === undefined) {
    number = nextNumber++;
    numbers.set(vehicle, number);
  }
  return `${number} ${compid} ${command}`;
}
