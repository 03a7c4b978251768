import type { FlightStatus } from '../../model/observation.ts';

/**
 * An emergency stays in force for this time after its last report, ms, even if other reports of the same identity
 * contradict it.
 */
const HELD_MS = 5_000;

/**
 * Whether a status is an emergency or a failure of the Remote ID. One honest transmitter does not alternate between
 * such a status and others.
 */
export function isAlarm(status: FlightStatus | null): boolean {
  return status === 'emergency' || status === 'rid_failure';
}

/** The reported status of one aircraft. An emergency outlasts reports that contradict it. */
export class HeldStatus {
  /** The last reported status, even while an earlier emergency stays in force; null if none was reported. */
  last: FlightStatus | null;
  #emergencyMs = Number.NEGATIVE_INFINITY;

  constructor(last: FlightStatus | null = null) {
    this.last = last;
  }

  receive(status: FlightStatus, receivedMs: number): void {
    this.last = status;
    if (status === 'emergency') this.#emergencyMs = Math.max(this.#emergencyMs, receivedMs);
  }

  /**
   * Merges another record of the same aircraft. Takes over its emergency if that is later, and its last status if this
   * record has none.
   */
  absorb(other: HeldStatus): void {
    this.last ??= other.last;
    this.#emergencyMs = Math.max(this.#emergencyMs, other.#emergencyMs);
  }

  /**
   * Returns the status as of `nowMs`: `emergency` until `HELD_MS` after its last report, then the last reported status.
   */
  at(nowMs: number): FlightStatus | null {
    return nowMs - this.#emergencyMs < HELD_MS ? 'emergency' : this.last;
  }
}
