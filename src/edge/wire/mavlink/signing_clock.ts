/** 2015-01-01T00:00:00Z, where signing time starts (MAVLink guide, message signing), in Unix milliseconds. */
const SIGNING_EPOCH_MS = 1_420_070_400_000;

/** Signing time counts 10 µs. */
export const SIGNING_UNITS_PER_S = 100_000;

/** The largest timestamp that 48 bits hold. */
const MAX_SIGNING_TIMESTAMP = 2 ** 48 - 1;

/** Units of 10 µs since 2015-01-01 UTC. */
export function signingTimestamp(utcMs: number): number {
  const units = Math.floor((utcMs - SIGNING_EPOCH_MS) * (SIGNING_UNITS_PER_S / 1000));
  return Math.min(MAX_SIGNING_TIMESTAMP, Math.max(0, units));
}

/**
 * Gives timestamps for signed frames: each timestamp is later than all before, in a burst and when the wall clock steps
 * back. A receiver takes a repeated timestamp for a replay. The signing clock follows the wall clock where the wall
 * clock is ahead.
 */
export class SigningClock {
  readonly #utcNowMs: () => number;
  #last: number;
  #floor: number;

  /**
   * `persisted` is the last timestamp of a former run, so that a box without a clock battery does not start in the past.
   * `floor` is the latest time that its wall clock has shown; by default the same.
   */
  constructor(utcNowMs: () => number, persisted = 0, floor = persisted) {
    this.#utcNowMs = utcNowMs;
    this.#last = persisted;
    this.#floor = floor;
  }

  /**
   * A time that has certainly passed, whatever the wall clock shows now. Timestamps received do not raise it: one
   * vehicle with a wrong clock must not shut out the others.
   */
  get floor(): number {
    return this.#floor;
  }

  /** Forgets the floor, so that the wall clock alone gives the present time. */
  forgetFloor(): void {
    this.#floor = 0;
  }

  /** The newest timestamp given or received; to be persisted at least once a minute. */
  get last(): number {
    return this.#last;
  }

  /** Timestamp of the wall clock now, whatever was received. */
  wall(): number {
    return signingTimestamp(this.#utcNowMs());
  }

  next(): number {
    this.#last = Math.min(MAX_SIGNING_TIMESTAMP, Math.max(this.#last + 1, this.wall()));
    return this.#last;
  }

  /** Follows a peer with the key that is ahead of us: it would refuse frames with an earlier timestamp. */
  received(timestamp: number): void {
    this.#last = Math.max(this.#last, timestamp);
  }
}
