import type { FlightStatus } from '../../model/observation.ts';

/** Time for which an emergency is held after its last report, whatever other reports of the same identity say, ms. */
const HELD_MS = 5_000;

/** Whether a status asks for help or warns. One transmitter does not alternate between such a status and others. */
export function isAlarm(status: FlightStatus | null): boolean {
  return status === 'emergency' || status === 'rid_failure';
}

/** The reported status of one aircraft, in which an emergency outlasts contradicting reports. */
export class HeldStatus {
  /** The last status reported. An emergency stays until another status is reported. */
  last: FlightStatus | null;
  #emergencyMs = Number.NEGATIVE_INFINITY;

  constructor(last: FlightStatus | null = null) {
    this.last = last;
  }

  receive(status: FlightStatus, receivedMs: number): void {
    this.last = status;
    if (status === 'emergency') this.#emergencyMs = Math.max(this.#emergencyMs, receivedMs);
  }

  /** Takes over the emergency of another record of the same aircraft, and its status where none is known. */
  absorb(other: HeldStatus): void {
    this.last ??= other.last;
    this.#emergencyMs = Math.max(this.#emergencyMs, other.#emergencyMs);
  }

  /** The status at a time: an emergency is held for `HELD_MS`. */
  at(nowMs: number): FlightStatus | null {
    return nowMs - this.#emergencyMs < HELD_MS ? 'emergency' : this.last;
  }
}
