import { addon } from './addon.ts';

/** Mirrors native/filter.h. */
const STRIDE = 32;
const TIME_MS = 0;
const STATE = 1;
const ACTIVE = 28;
const FRAME = 30;
export const OBSERVATION_STRIDE = 11;
export const REPORT_BASE = 10;
export const REPORT_PER_LEAD = 4;

/**
 * What one cooperative or plotted position says, in SI and degrees. NaN where a value is not known; velocities stand in
 * the local axes at the aircraft; standard deviations belong to the values beside them.
 */
export type PositionObservation = {
  timeMs: number;
  latDeg: number;
  lonDeg: number;
  altHaeM: number;
  sdHM: number;
  sdVM: number;
  eastMps: number;
  northMps: number;
  upMps: number;
  sdSpeedMps: number;
  sdClimbMps: number;
};

const FRAME_STRIDE = 12;
const MAX_FRAMES = 64;
/** A track is filtered in a tangent plane whose origin is at most so far away; beyond it moves to another plane. */
const FRAME_REACH_M = 50_000;
const FRAME_LIMIT_M = 80_000;

/**
 * The constant-velocity filters of a world's tracks, in flat memory that the native addon works on. Slots are given out
 * and taken back; tangent planes are made where aircraft are first seen, so that sites far apart, the antimeridian and
 * the poles need no special care.
 */
export class FilterBank {
  readonly capacity: number;
  readonly #records: Float64Array;
  readonly #frames = new Float64Array(MAX_FRAMES * FRAME_STRIDE);
  readonly #free: number[] = [];
  readonly #distances: Float64Array;
  readonly #observation = new Float64Array(OBSERVATION_STRIDE);
  readonly #scratchIn = new Float64Array(3);
  readonly #scratchOut = new Float64Array(3);
  #frameCount = 0;
  #used = 0;
  readonly #q: number;

  /** `q` is the white-noise acceleration density of the horizontal axes, m²/s³. */
  constructor(capacity: number, q: number) {
    this.capacity = capacity;
    this.#q = q;
    this.#records = new Float64Array(capacity * STRIDE);
    this.#distances = new Float64Array(capacity);
  }

  /** A free slot, or null where every slot holds a track. */
  acquire(): number | null {
    return this.#free.pop() ?? (this.#used < this.capacity ? this.#used++ : null);
  }

  release(slot: number): void {
    this.#records[slot * STRIDE + ACTIVE] = 0;
    this.#free.push(slot);
  }

  begin(slot: number, observation: PositionObservation): void {
    const frame = this.#frameFor(observation.latDeg, observation.lonDeg);
    addon.begin(this.#records, slot, this.#frames, frame, this.#pack(observation));
  }

  /** Updates a track; returns the squared normalised innovation of the position. */
  observe(slot: number, observation: PositionObservation): number {
    this.#keepNear(slot, observation);
    return addon.observe(this.#records, slot, this.#frames, this.#pack(observation), this.#q);
  }

  /** Squared Mahalanobis distance of an observation to every slot: infinity where it is free or beyond `limit`. */
  gate(observation: PositionObservation, limit: number): Float64Array {
    const frame = this.#frameFor(observation.latDeg, observation.lonDeg);
    addon.gate(
      this.#records,
      this.#used,
      this.#frames,
      frame,
      this.#pack(observation),
      this.#q,
      limit,
      this.#distances,
    );
    return this.#distances.subarray(0, this.#used);
  }

  /** Horizontal metres between an observation and where the slot's track was last, and the seconds between them. */
  separation(slot: number, observation: PositionObservation): { metres: number; seconds: number } {
    const at = slot * STRIDE;
    this.#scratchIn.set([observation.latDeg, observation.lonDeg, 0]);
    addon.toEnu(this.#frames, this.#number(at + FRAME), this.#scratchIn, this.#scratchOut);
    const [east = 0, north = 0] = this.#scratchOut;
    return {
      metres: Math.hypot(east - this.#number(at + STATE), north - this.#number(at + STATE + 1)),
      seconds: Math.abs(observation.timeMs - this.#number(at + TIME_MS)) / 1000,
    };
  }

  timeMs(slot: number): number {
    return this.#number(slot * STRIDE + TIME_MS);
  }

  /** One row for each slot as of `nowMs`: see native/filter.h for its columns. */
  report(slots: Float64Array, nowMs: number, leadsS: Float64Array): Float64Array {
    const rows = new Float64Array(slots.length * (REPORT_BASE + leadsS.length * REPORT_PER_LEAD));
    addon.report(this.#records, slots, this.#frames, nowMs, this.#q, leadsS, rows);
    return rows;
  }

  #number(at: number): number {
    return this.#records[at] ?? Number.NaN;
  }

  #pack(o: PositionObservation): Float64Array {
    const packed = this.#observation;
    packed[0] = o.timeMs;
    packed[1] = o.latDeg;
    packed[2] = o.lonDeg;
    packed[3] = o.altHaeM;
    packed[4] = o.sdHM;
    packed[5] = o.sdVM;
    packed[6] = o.eastMps;
    packed[7] = o.northMps;
    packed[8] = o.upMps;
    packed[9] = o.sdSpeedMps;
    packed[10] = o.sdClimbMps;
    return packed;
  }

  #frameFor(latDeg: number, lonDeg: number): number {
    let best = 0;
    let bestMetres = Number.POSITIVE_INFINITY;
    for (let frame = 0; frame < this.#frameCount; frame++) {
      const metres = this.#distanceFromOrigin(frame, latDeg, lonDeg);
      if (metres <= FRAME_REACH_M) return frame;
      if (metres < bestMetres) [best, bestMetres] = [frame, metres];
    }
    if (this.#frameCount === MAX_FRAMES) return best;
    addon.makeFrame(this.#frames, this.#frameCount, latDeg, lonDeg, 0);
    return this.#frameCount++;
  }

  #distanceFromOrigin(frame: number, latDeg: number, lonDeg: number): number {
    this.#scratchIn.set([latDeg, lonDeg, 0]);
    addon.toEnu(this.#frames, frame, this.#scratchIn, this.#scratchOut);
    const [east = 0, north = 0, up = 0] = this.#scratchOut;
    return Math.hypot(east, north, up);
  }

  #keepNear(slot: number, observation: PositionObservation): void {
    const at = slot * STRIDE;
    if (Math.hypot(this.#number(at + STATE), this.#number(at + STATE + 1)) <= FRAME_LIMIT_M) return;
    const frame = this.#frameFor(observation.latDeg, observation.lonDeg);
    if (frame !== this.#number(at + FRAME)) addon.rebase(this.#records, slot, this.#frames, frame);
  }
}
