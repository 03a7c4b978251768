import type { MslPosition } from '../../edge/wire/mavlink/read_vehicle.ts';
import type { FlightMode } from '../../fleet/modes.ts';
import type { Vehicle } from '../../fleet/vehicle.ts';
import { CMD } from '../../fleet/verbs.ts';
import { Ended, type Flight, type FlightOrder } from './flight.ts';

/** MAV_DO_REPOSITION_FLAGS_CHANGE_MODE. */
const CHANGE_MODE = 1;
/**
 * A vehicle that enters the mode for ordered places reports a target near its own position until its first place
 * arrives. This target counts as ours within `WAITS_WITHIN_M`, m, plus the distance flown in `WAITS_WITHIN_S`, s.
 */
const WAITS_WITHIN_S = 5;
const WAITS_WITHIN_M = 30;

/** Returns the mode in which a vehicle flies to ordered places; null if it has none. */
export function placeMode(vehicle: Vehicle): FlightMode | null {
  return vehicle.modeFor(vehicle.autopilot === 'px4' ? 'hold' : 'guided');
}

/**
 * Returns the order DO_REPOSITION. PX4 accepts it only with the flag that changes the mode, so on PX4 it also orders a
 * mode. On other autopilots the flag is not set: it would override a mode that another controller has chosen since.
 */
export function repositionOf(
  vehicle: Vehicle,
  { latDeg, lonDeg, altMslM }: MslPosition,
  { speedMps, radiusM = 0, clockwise = true }: { speedMps?: number | null; radiusM?: number; clockwise?: boolean } = {},
): FlightOrder {
  const isPx4 = vehicle.autopilot === 'px4';
  const mode = placeMode(vehicle)?.customMode;
  const led = mode === undefined ? {} : isPx4 ? { enters: mode } : { within: mode };
  // The fourth parameter is the direction: zero is clockwise (MAV_CMD_DO_REPOSITION).
  const params = [speedMps ?? -1, isPx4 ? CHANGE_MODE : 0, radiusM, clockwise ? 0 : 1];
  const place = { latDeg, lonDeg, altM: altMslM, frame: 0 as const };
  return { command: CMD.doReposition, params, place, repeat: true, ...led };
}

/**
 * Orders a vehicle into the mode that flies to places. Not needed on PX4, or if the vehicle is in that mode and no
 * order of ours for another mode is pending.
 */
export async function claimPlaceMode(flight: Flight): Promise<void> {
  const { vehicle } = flight;
  const mode = placeMode(vehicle);
  if (!mode || vehicle.autopilot === 'px4') return;
  if (!vehicle.isIn(mode) || (vehicle.custody.left ?? mode.customMode) !== mode.customMode) {
    await flight.claim(mode);
  } else vehicle.orderMode(mode.customMode, flight.nowMs());
  if (vehicle.place === null) return;
  const withinM = WAITS_WITHIN_M + WAITS_WITHIN_S * vehicle.speedMps;
  vehicle.targets.order(vehicle.place, flight.nowMs(), withinM);
}

/** Orders a vehicle to a place, from any mode, and waits until the vehicle has accepted the place. */
export async function moveTo(flight: Flight, place: MslPosition): Promise<void> {
  const { vehicle } = flight;
  if (placeMode(vehicle) === null) throw new Ended('rejected', 'the vehicle has no mode that flies to places');
  await claimPlaceMode(flight);
  const taken = vehicle.targets.order(place, flight.nowMs());
  await flight.order(repositionOf(vehicle, place));
  taken();
}
