import { createRequire } from 'node:module';

/**
 * The native addon, typed. Arrays are views on memory that TypeScript owns; a slot or frame beyond an array is a
 * TypeError. See native/filter.h for the layout of records, observations and report rows.
 */
export type Addon = {
  /** Sends `state` to systemd's notification socket; false where it could not be sent. */
  notify(socketPath: string, state: string): boolean;
  /** Writes the local tangent plane at a place into cell `index` of `frames` (12 doubles a frame). */
  makeFrame(frames: Float64Array, index: number, latDeg: number, lonDeg: number, heightM: number): void;
  /** n triples of lat, lon, height above the ellipsoid → n triples of east, north, up. */
  toEnu(frames: Float64Array, index: number, geodetic: Float64Array, enu: Float64Array): void;
  toGeodetic(frames: Float64Array, index: number, enu: Float64Array, geodetic: Float64Array): void;
  begin(bank: Float64Array, slot: number, frames: Float64Array, frameIndex: number, observation: Float64Array): void;
  observe(bank: Float64Array, slot: number, frames: Float64Array, observation: Float64Array, q: number): number;
  gate(
    bank: Float64Array,
    count: number,
    frames: Float64Array,
    observation: Float64Array,
    q: number,
    limit: number,
    distances: Float64Array,
  ): void;
  report(
    bank: Float64Array,
    slots: Float64Array,
    frames: Float64Array,
    nowMs: number,
    q: number,
    leads: Float64Array,
    rows: Float64Array,
  ): void;
  rebase(bank: Float64Array, slot: number, frames: Float64Array, frameIndex: number): void;
};

export const addon = createRequire(import.meta.url)('#native') as Addon;
