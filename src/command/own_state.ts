import { FRESH_MS } from '../fleet/available.ts';
import { geodeticOf } from '../fleet/msl_position.ts';
import type { Vehicle } from '../fleet/vehicle.ts';
import { Chart } from '../geo/flat/chart.ts';
import type { Geodetic } from '../geo/position.ts';

/** Position and velocity of one of our own vehicles at `nowMs`. */
export type OwnState = {
  position: Geodetic;
  eastMps: number;
  northMps: number;
  upMps: number;
  nowMs: number;
};

/** Time for which a vehicle that fell silent in the air is kept clear of, ms: its failsafe ends the flight meanwhile. */
const SILENT_MS = 120_000;

/** Returns the last reported place of a vehicle that fell silent in the air, as if it stood there; else null. */
export function silentState({ place, position, isFlying }: Vehicle, nowMs: number): OwnState | null {
  if (!isFlying || !place || !position || nowMs - position.atMs > SILENT_MS) return null;
  return { position: geodeticOf(place), eastMps: 0, northMps: 0, upMps: 0, nowMs };
}

/**
 * Returns position and velocity now, extrapolated from the last position report. Null if that report is older than 3 s
 * or contains no position.
 */
export function ownState(vehicle: Vehicle, nowMs: number): OwnState | null {
  const { place, position } = vehicle;
  if (!place || !position || nowMs - position.atMs > FRESH_MS) return null;
  const { vEastMps, vNorthMps, vDownMps } = position.value;
  const seconds = (nowMs - position.atMs) / 1000;
  const moved = new Chart(place).placeOf([vEastMps * seconds, vNorthMps * seconds]);
  const altHaeM = geodeticOf(place).altHaeM - vDownMps * seconds;
  return { position: { ...moved, altHaeM }, eastMps: vEastMps, northMps: vNorthMps, upMps: -vDownMps, nowMs };
}
