import { FRESH_MS, SILENT_AFTER_MS } from './available.ts';
import type { Conflict } from './roster.ts';
import type { Vehicle } from './vehicle.ts';

/**
 * Silence after which a vehicle loses its hardware id or serial to another vehicle that reports it, ms. Applies only
 * between two proven or two unproven vehicles (`isProven`).
 */
const HELD_MS = 60_000;
const MOST_DISPUTES = 64;

type Dispute = { claimant: Vehicle; holder: Vehicle; name: string; atMs: number };

/**
 * One of two vehicles that report the same hardware id or serial. `isProven` is true if only permitted senders can
 * transmit as this vehicle (valid signature, or a link that proves its senders).
 */
export type Party = { vehicle: Vehicle; isProven: boolean };

/**
 * Verdict on a name that another vehicle holds. `one`: both are one vehicle. `passes`: the claimant gets the name.
 * `disputed`: the holder keeps the name. `open`: the holder keeps the name for now, but both may still turn out to be
 * one vehicle.
 */
type NameVerdict = 'one' | 'passes' | 'disputed' | 'open';

/**
 * Judges a name that two vehicles report. A proven vehicle takes the name from an unproven one. If both are proven or
 * both unproven, the holder keeps the name until it has been silent for `HELD_MS`. A claimant with equal proof may be
 * the same vehicle on another link. System id and start time must then agree, and the flight between both positions
 * must be possible. A name alone proves nothing, because anybody can receive and copy it. Without both positions,
 * holder and claimant therefore stay two vehicles.
 */
export function judgeName(holder: Party, claimant: Party, nowMs: number): NameVerdict {
  const goesOn =
    holder.vehicle.sysid === claimant.vehicle.sysid ? follows(holder.vehicle, claimant.vehicle, nowMs) : false;
  const areEqual = holder.isProven === claimant.isProven;
  if (areEqual && goesOn && !sharesLink(holder.vehicle, claimant.vehicle)) return 'one';
  if (!areEqual && claimant.isProven) return 'passes';
  if (areEqual && nowMs - holder.vehicle.lastMs > HELD_MS) return 'passes';
  return goesOn === false ? 'disputed' : 'open';
}

/**
 * Whether a claimant may be the holder: it can have flown on from the holder's last position, and both started at the
 * same time. Null if the holder has no accepted position, the claimant has no fresh one, or a start time is unknown.
 */
function follows({ trail, starts }: Vehicle, { position, starts: own }: Vehicle, nowMs: number): boolean | null {
  if (trail.isBlank || position === null || nowMs - position.atMs > FRESH_MS) return null;
  const { latDeg, lonDeg, altMslM, timeBootMs: bootMs } = position.value;
  if (latDeg === null || lonDeg === null) return null;
  return trail.goesOn({ latDeg, lonDeg, altMslM, atMs: position.atMs, bootMs }) && starts.agreesWith(own);
}

function sharesLink(one: Vehicle, other: Vehicle): boolean {
  return other.endpoints.all().some(({ linkId }) => one.endpoints.on(linkId) !== undefined);
}

/**
 * Disputes about hardware ids and serials. In each dispute, one vehicle (`claimant`) reports a name that another
 * vehicle (`holder`) keeps.
 */
export class Disputes {
  readonly #isProven: (vehicle: Vehicle) => boolean;
  #now: readonly Dispute[] = [];

  constructor(isProven: (vehicle: Vehicle) => boolean) {
    this.#isProven = isProven;
  }

  /**
   * Records a dispute. Call it with each message of the claimant. If the list is full, the oldest dispute is dropped.
   */
  note(claimant: Vehicle, holder: Vehicle, name: string, atMs: number): void {
    const known = this.#now.find((one) => one.claimant === claimant && one.holder === holder && one.name === name);
    if (known) {
      known.atMs = atMs;
      return;
    }
    const others = this.#now.filter((one) => atMs - one.atMs <= SILENT_AFTER_MS);
    this.#now = [...others, { claimant, holder, name, atMs }].slice(-MOST_DISPUTES);
  }

  /**
   * Returns why a vehicle cannot be told apart from another one with the same hardware id or serial; null if it can.
   */
  conflict(vehicle: Vehicle, nowMs: number): Conflict | null {
    if (this.#now.length === 0) return null;
    const now = this.#now.filter((one) => nowMs - one.atMs <= SILENT_AFTER_MS);
    const claimed = now.find(({ claimant }) => claimant === vehicle);
    if (claimed) return { text: claimText(claimed), isSure: true, stops: true, believesOne: true };
    const held = now.filter(({ holder }) => holder === vehicle);
    const gravest = held.find(({ claimant }) => this.#stops(vehicle, claimant)) ?? held[0];
    if (!gravest) return null;
    const stops = this.#stops(vehicle, gravest.claimant);
    return { text: holderText(gravest), isSure: true, stops, believesOne: true };
  }

  /** Whether a dispute stops movements of the holder. An unproven claimant does not stop a proven holder. */
  #stops(holder: Vehicle, claimant: Vehicle): boolean {
    return !this.#isProven(holder) || this.#isProven(claimant);
  }
}

function holderText({ claimant, name }: Dispute): string {
  const from = claimant.endpoints.all()[0]?.from;
  const at = from ? ` at ${from}` : '';
  return `another sender with the system id ${claimant.sysid}${at} reports the ${kindOf(claimant, name)} of this vehicle, and is not accepted as this vehicle`;
}

function claimText({ claimant, holder, name }: Dispute): string {
  return `the vehicle reports the ${kindOf(claimant, name)} of the vehicle with the system id ${holder.sysid}, and is not accepted as that vehicle`;
}

function kindOf({ serial }: Vehicle, name: string): string {
  return name === serial ? 'Remote ID serial' : 'hardware id';
}
