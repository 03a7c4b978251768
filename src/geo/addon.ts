import { createRequire } from 'node:module';
import { unavailable } from '../model/fault.ts';
import { LAYOUTS_FINGERPRINT } from '../model/rows/layouts.ts';

/** One tracker in native memory. The memory is freed with the last reference to the handle. */
export type TrackerHandle = { readonly tracker: unique symbol };

/** Zones and assets in native memory. */
export type AreasHandle = { readonly areas: unique symbol };

/**
 * Types of the native addon. Arrays are views of memory that TypeScript owns, in the columns of native/layouts.json. A
 * frame index beyond its array throws a TypeError. Negative results of the tracker and of areas are codes;
 * core/tracking/tracker.ts and core/tracking/areas.ts have a sentence for each.
 */
export type Addon = {
  /** Fingerprint of native/layouts.json as of the addon's build. */
  readonly layouts: string;
  /** Sends `state` to systemd's notification socket; false if it could not be sent. */
  notify(socketPath: string, state: string): boolean;
  releaseProgramPages(): void;
  returnFreeMemory(): void;
  compactHeap(): void;
  /** Writes the local tangent plane at a position into row `index` of `frames`. */
  makeFrame(frames: Float64Array, index: number, latDeg: number, lonDeg: number, heightM: number): void;
  /**
   * Converts n triples of latitude (deg), longitude (deg) and height above the ellipsoid (m) into triples of east,
   * north and up (m).
   */
  toEnu(frames: Float64Array, index: number, geodetic: Float64Array, enu: Float64Array): void;
  toGeodetic(frames: Float64Array, index: number, enu: Float64Array, geodetic: Float64Array): void;
  /** Names and defaults of the tracker's settings, in the order in which `makeTracker` takes them. */
  trackerSettings(): Record<string, number>;
  makeTracker(
    settings: Float64Array,
    limits: Float64Array,
    latDeg: number,
    lonDeg: number,
    heightM: number,
    lastNumber: number,
  ): TrackerHandle | number;
  setTrackerLife(tracker: TrackerHandle, life: Float64Array): number;
  setSite(tracker: TrackerHandle, latDeg: number, lonDeg: number, heightM: number): number;
  setTrackerSensor(tracker: TrackerHandle, index: number, columns: Float64Array): number;
  /** Processes a batch of observations and advances the tracker's time to `nowS`. */
  stepTracker(
    tracker: TrackerHandle,
    observations: Float64Array,
    nowS: number,
    answers: Float64Array,
    ends: Float64Array,
    partings: Float64Array,
    counts: Float64Array,
  ): number;
  /**
   * Writes rows of the tracks that changed since their last report, and returns the number of rows. If more than `most`
   * changed, some wait for a later report, but none of `urgent` (track numbers, ascending).
   */
  reportTracks(
    tracker: TrackerHandle,
    nowS: number,
    leadsS: Float64Array,
    urgent: Float64Array,
    most: number,
    rows: Float64Array,
  ): number;
  restoreTrack(tracker: TrackerHandle, number: number, claim: number, receivedS: number): number;
  joinClaims(tracker: TrackerHandle, from: number, into: number): number;
  forgetClaim(tracker: TrackerHandle, claim: number): number;
  dropTrack(tracker: TrackerHandle, number: number): number;
  mergeTracks(tracker: TrackerHandle, number: number, into: number): number;
  trackerSensor(tracker: TrackerHandle, index: number, out: Float64Array): number;
  makeAreas(): AreasHandle;
  /**
   * Replaces all areas. If one of them is invalid, replaces none and writes the index of the invalid area to `faulty`.
   */
  setAreas(
    areas: AreasHandle,
    protectedAreas: Float64Array,
    rings: Float64Array,
    positions: Float64Array,
    faulty: Float64Array,
  ): number;
  measureTracks(
    areas: AreasHandle,
    tracker: TrackerHandle,
    chosen: Float64Array | null,
    nowS: number,
    horizonS: number,
    heads: Float64Array,
    rows: Float64Array,
    counts: Float64Array,
    brief: boolean,
  ): number;
  measureStates(
    areas: AreasHandle,
    states: Float64Array,
    horizonS: number,
    heads: Float64Array,
    rows: Float64Array,
    counts: Float64Array,
  ): number;
  /** Matches vehicles to targets over all pairs; returns 0, or −1 if the arguments do not fit together. */
  assignVehicles(
    vehicles: Float64Array,
    targets: Float64Array,
    allowed: Uint8Array,
    settings: Float64Array,
    pairs: Float64Array,
    chosen: Float64Array,
  ): number;
};

/** Names of all functions of `Addon`. Without this list a missing function would be noticed only at its first call. */
const functions: Record<Exclude<keyof Addon, 'layouts'>, true> = {
  notify: true,
  releaseProgramPages: true,
  returnFreeMemory: true,
  compactHeap: true,
  makeFrame: true,
  toEnu: true,
  toGeodetic: true,
  trackerSettings: true,
  makeTracker: true,
  setTrackerLife: true,
  setSite: true,
  setTrackerSensor: true,
  stepTracker: true,
  reportTracks: true,
  restoreTrack: true,
  joinClaims: true,
  forgetClaim: true,
  dropTrack: true,
  mergeTracks: true,
  trackerSensor: true,
  makeAreas: true,
  setAreas: true,
  measureTracks: true,
  measureStates: true,
  assignVehicles: true,
};

/**
 * Returns an addon if it has all functions, and the row layouts of this program; throws otherwise. Without this check,
 * a foreign addon would load and fail later in operation.
 */
function whole(loaded: Partial<Addon>): Addon {
  const missing = Object.keys(functions).find((name) => typeof loaded[name as keyof Addon] !== 'function');
  const wrong = missing
    ? `the function ${missing} is missing`
    : loaded.layouts === LAYOUTS_FINGERPRINT
      ? null
      : 'the row layouts differ';
  if (wrong === null) return loaded as Addon;
  throw unavailable(
    `the native addon was built from other sources than this program (${wrong}): run 'npm run install && npm run build'`,
  );
}

export const addon = whole(createRequire(import.meta.url)('#native'));
