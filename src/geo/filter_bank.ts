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
/** A track is filtered in a tangent plane whose origin is at most so far away; beyond it moves to another plane. */
const FRAME_REACH_M = 50_000;
const FRAME_LIMIT_M = 80_000;
/** What lies so far below a tangent plane is beyond the horizon, where east and north no longer say how far. */
const BEYOND_HORIZON_M = 1_000_000;

/**
 * The constant-velocity filters of a world's tracks, in flat memory that the native addon works on. Slots are given out
 * and taken back; tangent planes are made where aircraft are first seen, so that sites far apart, the antimeridian and
 * the poles need no special care. A plane that no track is in is made anew elsewhere, and there is one more than tracks,
 * so that none is ever wanting.
 */
export class FilterBank {
  readonly capacity: number;
  readonly #records: Float64Array;
  readonly #frames: Float64Array;
  /** How many tracks are in each frame. */
  readonly #tracksIn: Uint32Array;
  /** A frame that is only looked at: its origin is a place in ECEF. */
  readonly #probe = new Float64Array(FRAME_STRIDE);
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
    this.#frames = new Float64Array((capacity + 1) * FRAME_STRIDE);
    this.#tracksIn = new Uint32Array(capacity + 1);
    this.#distances = new Float64Array(capacity);
  }

  /** A free slot, or null where every slot holds a track. */
  acquire(): number | null {
    return this.#free.pop() ?? (this.#used < this.capacity ? this.#used++ : null);
  }

  release(slot: number): void {
    this.#leaveFrame(slot);
    this.#records[slot * STRIDE + ACTIVE] = 0;
    this.#free.push(slot);
  }

  begin(slot: number, observation: PositionObservation): void {
    this.#leaveFrame(slot);
    const frame = this.#frameFor(observation.latDeg, observation.lonDeg);
    addon.begin(this.#records, slot, this.#frames, frame, this.#pack(observation));
    this.#enterFrame(frame);
  }

  /** Updates a track; returns the squared normalised innovation of the position. */
  observe(slot: number, observation: PositionObservation): number {
    this.#keepNear(slot, observation);
    return addon.observe(this.#records, slot, this.#frames, this.#pack(observation), this.#q);
  }

  /** Squared Mahalanobis distance of an observation to every slot: infinity where it is free or beyond `limit`. */
  gate(observation: PositionObservation, limit: number): Float64Array {
    addon.gate(this.#records, this.#used, this.#frames, this.#pack(observation), this.#q, limit, this.#distances);
    return this.#distances.subarray(0, this.#used);
  }

  /** Horizontal metres between an observation and where the slot's track was last, and the seconds between them. */
  separation(slot: number, observation: PositionObservation): { metres: number; seconds: number } {
    const at = slot * STRIDE;
    this.#scratchIn.set([observation.latDeg, observation.lonDeg, 0]);
    addon.toEnu(this.#frames, this.#number(at + FRAME), this.#scratchIn, this.#scratchOut);
    const [east = 0, north = 0, up = 0] = this.#scratchOut;
    const metres = Math.hypot(east - this.#number(at + STATE), north - this.#number(at + STATE + 1));
    return {
      metres: up < -BEYOND_HORIZON_M ? Math.hypot(metres, up) : metres,
      seconds: Math.abs(observation.timeMs - this.#number(at + TIME_MS)) / 1000,
    };
  }

  /** Metres between where two slots' tracks were last, along the ground. */
  apartM(slot: number, other: number): number {
    const [a, b] = [this.#groundEcef(slot), this.#groundEcef(other)];
    return Math.hypot(...a.map((value, i) => value - (b[i] ?? 0)));
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

  /** Where on the ellipsoid a slot's track was last, in ECEF. */
  #groundEcef(slot: number): number[] {
    const at = slot * STRIDE;
    this.#scratchIn.set(this.#records.subarray(at + STATE, at + STATE + 3));
    addon.toGeodetic(this.#frames, this.#number(at + FRAME), this.#scratchIn, this.#scratchOut);
    const [lat = 0, lon = 0] = this.#scratchOut;
    addon.makeFrame(this.#probe, 0, lat, lon, 0);
    return [...this.#probe.subarray(0, 3)];
  }

  /** A frame near a place: one that is there, else one that stands empty or is new. */
  #frameFor(latDeg: number, lonDeg: number): number {
    addon.makeFrame(this.#probe, 0, latDeg, lonDeg, 0);
    const [x = 0, y = 0, z = 0] = this.#probe;
    let empty = this.#frameCount;
    for (let frame = 0; frame < this.#frameCount; frame++) {
      const at = frame * FRAME_STRIDE;
      const dx = this.#frame(at) - x;
      const dy = this.#frame(at + 1) - y;
      const dz = this.#frame(at + 2) - z;
      if (dx * dx + dy * dy + dz * dz <= FRAME_REACH_M * FRAME_REACH_M) return frame;
      if (this.#tracksIn[frame] === 0) empty = frame;
    }
    this.#frames.set(this.#probe, empty * FRAME_STRIDE);
    this.#frameCount = Math.max(this.#frameCount, empty + 1);
    return empty;
  }

  #frame(at: number): number {
    return this.#frames[at] ?? Number.NaN;
  }

  #enterFrame(frame: number): void {
    this.#tracksIn[frame] = (this.#tracksIn[frame] ?? 0) + 1;
  }

  #leaveFrame(slot: number): void {
    if (this.#number(slot * STRIDE + ACTIVE) !== 1) return;
    const frame = this.#number(slot * STRIDE + FRAME);
    this.#tracksIn[frame] = (this.#tracksIn[frame] ?? 1) - 1;
  }

  #keepNear(slot: number, observation: PositionObservation): void {
    const at = slot * STRIDE;
    if (Math.hypot(this.#number(at + STATE), this.#number(at + STATE + 1)) <= FRAME_LIMIT_M) return;
    const frame = this.#frameFor(observation.latDeg, observation.lonDeg);
    if (frame === this.#number(at + FRAME)) return;
    this.#leaveFrame(slot);
    addon.rebase(this.#records, slot, this.#frames, frame);
    this.#enterFrame(frame);
  }
}
