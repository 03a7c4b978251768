/** Start of signing time, 2015-01-01T00:00:00Z, in Unix ms (MAVLink guide, message signing). */
const SIGNING_EPOCH_MS = 1_420_070_400_000;

/** Number of time units in a second: signing time counts units of 10 µs. */
export const SIGNING_UNITS_PER_S = 100_000;

/** Largest timestamp of 48 bits. */
const MAX_SIGNING_TIMESTAMP = 2 ** 48 - 1;

/** Converts UTC to signing time: units of 10 µs since 2015-01-01 UTC. */
export function signingTimestamp(utcMs: number): number {
  const units = Math.floor((utcMs - SIGNING_EPOCH_MS) * (SIGNING_UNITS_PER_S / 1000));
  return Math.min(MAX_SIGNING_TIMESTAMP, Math.max(0, units));
}

/**
 * Source of timestamps for signed frames. Each timestamp is later than all before, even in a burst or after a backward
 * step of the wall clock. This is necessary because receivers refuse a repeated timestamp as a replay. The signing
 * clock follows a wall clock that is ahead of it.
 */
export class SigningClock {
  readonly #utcNowMs: () => number;
  #last: number;
  #floor: number;

  /**
   * Starts from timestamps of the previous run, so that a box without a clock battery does not start in the past.
   * `persisted` is the last timestamp. `floor` is the latest time that the wall clock showed; by default `persisted`.
   */
  constructor(utcNowMs: () => number, persisted = 0, floor = persisted) {
    this.#utcNowMs = utcNowMs;
    this.#last = persisted;
    this.#floor = floor;
  }

  /**
   * Time that has certainly passed, whatever the wall clock shows now. Received timestamps do not raise it, so that
   * one vehicle with a wrong clock does not exclude the others.
   */
  get floor(): number {
    return this.#floor;
  }

  /** Resets the floor, so that only the wall clock defines the current time. */
  forgetFloor(): void {
    this.#floor = 0;
  }

  /** Newest timestamp that was issued or received. The caller persists it at least once a minute. */
  get last(): number {
    return this.#last;
  }

  /** Returns the timestamp of the wall clock now, whatever was received. */
  wall(): number {
    return signingTimestamp(this.#utcNowMs());
  }

  next(): number {
    this.#last = Math.min(MAX_SIGNING_TIMESTAMP, Math.max(this.#last + 1, this.wall()));
    return this.#last;
  }

  /**
   * Follows a timestamp of a peer with the same key, whose clock may be ahead of ours. That peer would refuse our
   * frames if their timestamps were earlier.
   */
  received(timestamp: number): void {
    this.#last = Math.max(this.#last, timestamp);
  }
}
