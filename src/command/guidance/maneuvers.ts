import type { FlightMode, ModeRole } from '../../fleet/modes.ts';
import type { Vehicle } from '../../fleet/vehicle.ts';
import { CMD, takesOffByMode } from '../../fleet/verbs.ts';
import { Chart } from '../../geo/flat/chart.ts';
import { Circling } from './circling.ts';
import { Ended, type Flight, MODE_WITHIN_MS } from './flight.ts';
import { moveTo, repositionOf } from './reposition.ts';

/** Sentence with which a successful command ends. */
export type Done = string;

const STANDS_MPS = 1;
/** Time for which positions must show a vehicle at rest, ms: one that has just been sent to a place is still slow. */
const STANDS_FOR_MS = 1_500;
const STOPS_WITHIN_MS = 30_000;
/** Time after which the stop is ordered again if the vehicle still moves, ms. */
const STOPS_AGAIN_MS = 12_000;
const ARMS_WITHIN_MS = 8_000;
const SHOWS_WITHIN_MS = 8_000;
const COMES_HOME_WITHIN_MS = 1_800_000;
const LANDS_WITHIN_MS = 600_000;
/** Time in which a vehicle at 7 m/s flies half of the widest circle (`WIDEST_M` of circling.ts), ms. */
const CIRCLES_WITHIN_MS = 120_000;
/** Greatest distance from its home position at which a landed vehicle counts as home, m. */
const HOME_M = 30;
/**
 * Assumed deceleration of a multicopter that approaches a place, m/s². It is between the defaults of the parameters
 * MPC_ACC_HOR (3) and MPC_ACC_HOR_MAX (5) of PX4.
 */
const BRAKES_MPS2 = 4;

/**
 * Stops the vehicle where it is, in the mode in which its autopilot holds. On ArduCopter that is BRAKE. LOITER obeys
 * the throttle stick: with the stick in its low position the vehicle would fly into the ground.
 */
export async function hold(flight: Flight): Promise<Done> {
  const { vehicle } = flight;
  const mode = modeThat('hold', 'holds', vehicle);
  await stop(flight, mode);
  if (vehicle.type === 'fixed_wing') return circle(flight, mode.name);
  const untilMs = flight.nowMs() + STOPS_WITHIN_MS;
  while (!(await flight.until(standing(flight), Math.min(STOPS_AGAIN_MS, untilMs - flight.nowMs())))) {
    if (flight.nowMs() >= untilMs)
      throw new Ended(
        'failed',
        `the vehicle is in ${mode.name} and still moves at ${vehicle.speedMps.toFixed(0)} m/s after ${STOPS_WITHIN_MS / 1_000} s`,
      );
    // The first order may be lost, and its acknowledgement that of an order which it replaced.
    if (fliesToPlacesIn(mode, vehicle)) await stop(flight, mode);
  }
  return `the vehicle holds in ${mode.name}`;
}

function stop(flight: Flight, mode: FlightMode): Promise<void> {
  return fliesToPlacesIn(mode, flight.vehicle) ? stopOnTheSpot(flight) : flight.enter(mode);
}

/**
 * True if the vehicle may fly to a place in its hold mode, as PX4 does: ordering that mode again does not stop it, but a
 * place to stop at does. The order of the last place may not show in a heartbeat yet.
 */
function fliesToPlacesIn(mode: FlightMode, vehicle: Vehicle): boolean {
  if (vehicle.autopilot !== 'px4') return false;
  return vehicle.isIn(mode) || (vehicle.custody.left === mode.customMode && vehicle.place !== null);
}

/** Returns a check that is true once the vehicle has been at rest for `STANDS_FOR_MS`, or reports no positions. */
function standing(flight: Flight): () => boolean {
  const { vehicle } = flight;
  let sinceMs: number | null = null;
  return () => {
    if (vehicle.speedMps >= STANDS_MPS) sinceMs = null;
    else sinceMs ??= flight.nowMs();
    return sinceMs !== null && (vehicle.position === null || vehicle.position.atMs - sinceMs >= STANDS_FOR_MS);
  };
}

function modeThat(role: ModeRole, does: string, vehicle: Vehicle): FlightMode {
  const mode = vehicle.modeFor(role);
  if (!mode) throw new Ended('rejected', `the vehicle has no mode that ${does}`);
  return mode;
}

/** Waits until an aircraft that cannot hover flies in a circle, which is its way to hold. */
async function circle(flight: Flight, modeName: string): Promise<Done> {
  const { vehicle } = flight;
  if (!vehicle.place)
    throw new Ended(
      'failed',
      `the vehicle is in ${modeName} and reports no position, so it is unknown whether it circles`,
    );
  const circling = new Circling(vehicle.place);
  if (await flight.until(() => circling.seeVehicle(vehicle), CIRCLES_WITHIN_MS))
    return `the vehicle circles in ${modeName}`;
  throw new Ended('failed', `the vehicle is in ${modeName}, and did not circle within ${CIRCLES_WITHIN_MS / 1000} s`);
}

/**
 * Orders the nearest place at which the vehicle can stop. An order of its present place would make it overshoot and
 * come back.
 */
async function stopOnTheSpot(flight: Flight): Promise<void> {
  const { vehicle } = flight;
  const { place, position } = vehicle;
  if (!place || !position) {
    throw new Ended('failed', 'the vehicle has reported no position, so no hold position can be set');
  }
  const { vNorthMps, vEastMps } = position.value;
  const agedS = Math.min(1, (flight.nowMs() - position.atMs) / 1000);
  const onS = agedS + Math.hypot(vNorthMps, vEastMps) / (2 * BRAKES_MPS2);
  const stop = new Chart(place).placeOf([vEastMps * onS, vNorthMps * onS]);
  await flight.order(repositionOf(vehicle, { ...place, ...stop }));
}

export async function returnHome(flight: Flight): Promise<Done> {
  const { vehicle } = flight;
  const mode = modeThat('return', 'returns', vehicle);
  const isReturning = (): boolean => vehicle.isIn(mode);
  const order = { command: CMD.navReturnToLaunch, params: [], repeat: true, enters: mode.customMode };
  const answer = await flight.ask(order, isReturning);
  if (answer.kind === 'accepted') {
    flight.accepted();
    flight.goOn();
    if (!(await flight.until(isReturning, SHOWS_WITHIN_MS))) {
      throw new Ended(
        'failed',
        `the vehicle acknowledged the return but did not begin it within ${SHOWS_WITHIN_MS / 1_000} s: it is in ${vehicle.mode.name}`,
      );
    }
  } else {
    // If the command to return is not accepted, the return mode is ordered: no order is more important than the return
    // home.
    await flight.enter(mode);
    flight.goOn();
  }
  const circles = circlesHome(vehicle);
  const came = await flight.until(() => isDown(vehicle) || circles() || !isReturning(), COMES_HOME_WITHIN_MS);
  if (isDown(vehicle)) return landedHome(flight);
  if (came && isReturning()) return 'the vehicle circles at home';
  throw new Ended('failed', `the vehicle did not come home: it is in ${vehicle.mode.name}`);
}

/**
 * Returns a check that is true once a fixed-wing vehicle circles its home. Each call takes the vehicle's latest report.
 */
function circlesHome(vehicle: Vehicle): () => boolean {
  let circling: Circling | null = null;
  return () => {
    if (vehicle.type !== 'fixed_wing' || !vehicle.home) return false;
    circling ??= new Circling(vehicle.home);
    return circling.seeVehicle(vehicle);
  };
}

/**
 * Returns the result of a return that ended on the ground. Throws `Ended` if the vehicle is farther than `HOME_M` from
 * its home position, or if this distance is unknown.
 */
function landedHome({ vehicle }: Flight): Done {
  const { home, place } = vehicle;
  if (!home || !place) {
    throw new Ended(
      'failed',
      'the return ended on the ground, at an unknown distance from home: find out where the vehicle is',
    );
  }
  const awayM = Math.hypot(...new Chart(home).spotOf(place));
  if (awayM <= HOME_M) return 'the vehicle is home and on the ground';
  throw new Ended('failed', `the return ended on the ground, ${awayM.toFixed(0)} m from home`);
}

function isDown({ armed, landedState }: Vehicle): boolean {
  return !armed || landedState === 'on_ground';
}

export async function land(flight: Flight): Promise<Done> {
  const { vehicle } = flight;
  const mode = modeThat('land', 'lands', vehicle);
  const isLanding = (): boolean => vehicle.isIn(mode);
  if (vehicle.type === 'vtol' && vehicle.autopilot === 'ardupilot') await flight.enter(mode);
  else {
    const order = { command: CMD.navLand, params: [], repeat: true, enters: mode.customMode };
    if (!(await flight.orderUntil(order, () => isLanding() || isDown(vehicle)))) {
      throw new Ended(
        'failed',
        `the vehicle acknowledged the landing but did not begin it within ${MODE_WITHIN_MS / 1_000} s: it is in ${vehicle.mode.name}`,
      );
    }
  }
  await flight.until(() => isDown(vehicle) || !isLanding(), LANDS_WITHIN_MS);
  if (isDown(vehicle)) return 'the vehicle is on the ground';
  throw new Ended('failed', `the vehicle did not land: it is in ${vehicle.mode.name}`);
}

/**
 * Arms the vehicle and lifts it to `heightM` above its present position. The orders to arm and NAV_TAKEOFF are not
 * repeated: a late repeat would arm or lift a vehicle that has landed since.
 */
export async function takeoff(flight: Flight, heightM: number): Promise<Done> {
  const { vehicle } = flight;
  vehicle.liftOrderedMs = flight.nowMs();
  if (takesOffByMode(vehicle)) return takeoffOfPlane(flight, heightM);
  if (vehicle.autopilot === 'px4') await takeoffOfPx4(flight, heightM);
  else await takeoffOfCopter(flight, heightM);
  const isUp = (): boolean => heightOf(flight) >= heightM - Math.max(1, heightM * 0.05);
  const withinMs = 20_000 + heightM * 2_000;
  if (await flight.until(() => isUp() || !vehicle.armed, withinMs)) {
    if (isUp()) return `the vehicle is ${heightOf(flight).toFixed(0)} m up`;
    throw new Ended('failed', `the vehicle disarmed before it reached ${heightM} m`);
  }
  const within = `${(withinMs / 1_000).toFixed(0)} s`;
  throw new Ended(
    'failed',
    `the vehicle is ${heightOf(flight).toFixed(0)} m up, and did not reach ${heightM} m within ${within}`,
  );
}

async function takeoffOfCopter(flight: Flight, heightM: number): Promise<void> {
  const guided = flight.vehicle.modeFor('guided');
  if (!guided) throw new Ended('rejected', 'the vehicle has no GUIDED mode');
  await flight.enter(guided);
  await arm(flight);
  const { place, targets } = flight.vehicle;
  if (place) targets.order({ ...place, altMslM: place.altMslM + heightM }, flight.nowMs());
  await liftOff(flight, heightM);
}

/**
 * Takes off on PX4: orders its take-off mode first, then arms. A PX4 vehicle that is armed without an order to fly
 * disarms again.
 */
async function takeoffOfPx4(flight: Flight, heightM: number): Promise<void> {
  const { vehicle } = flight;
  const altM = (vehicle.position?.value.altMslM ?? 0) + heightM;
  const mode = vehicle.modeFor('takeoff');
  const { latDeg, lonDeg } = vehicle.position?.value ?? { latDeg: 0, lonDeg: 0 };
  await flight.order(
    {
      command: CMD.navTakeoff,
      params: [0, 0, 0, 0],
      place: { latDeg: latDeg ?? 0, lonDeg: lonDeg ?? 0, altM, frame: 0 },
      repeat: false,
      ...(mode ? { enters: mode.customMode } : {}),
    },
    () => vehicle.isIn(mode),
  );
  await arm(flight);
}

/**
 * Takes off with an ArduPilot plane. A parameter of the plane sets the height of this climb. The requested height is
 * ordered once the plane is up.
 */
async function takeoffOfPlane(flight: Flight, heightM: number): Promise<Done> {
  const { vehicle } = flight;
  const mode = modeThat('takeoff', 'takes off', vehicle);
  await flight.enter(mode);
  await arm(flight);
  const isFlying = (): boolean => vehicle.landedState === 'in_air' && heightOf(flight) >= Math.min(heightM, 25);
  if (!(await flight.until(() => isFlying() || !vehicle.armed, 60_000)) || !vehicle.armed) {
    throw new Ended(
      'failed',
      vehicle.armed
        ? `the vehicle did not reach ${Math.min(heightM, 25)} m within 60 s`
        : `the vehicle disarmed before it reached ${Math.min(heightM, 25)} m`,
    );
  }
  flight.goOn();
  const { place, position } = vehicle;
  if (!vehicle.modeFor('guided') || !place || !position) {
    return `the vehicle is ${heightOf(flight).toFixed(0)} m up, at the height of its own settings`;
  }
  const altMslM = place.altMslM - position.value.relativeAltM + heightM;
  await moveTo(flight, { ...place, altMslM });
  const circling = new Circling(place);
  const isHigh = (): boolean => Math.abs(heightOf(flight) - heightM) <= Math.max(5, heightM * 0.1);
  const isThere = (): boolean => circling.seeVehicle(vehicle) && isHigh();
  const withinMs = 30_000 + heightM * 1_000 + CIRCLES_WITHIN_MS;
  if (await flight.until(isThere, withinMs)) {
    return `the vehicle circles ${heightOf(flight).toFixed(0)} m up`;
  }
  const within = `${(withinMs / 1_000).toFixed(0)} s`;
  throw new Ended(
    'failed',
    `the vehicle is ${heightOf(flight).toFixed(0)} m up, and did not circle at ${heightM} m within ${within}`,
  );
}

async function arm(flight: Flight): Promise<void> {
  const { vehicle } = flight;
  if (vehicle.armed) return;
  await flight.order({ command: CMD.componentArmDisarm, params: [1], repeat: false }, () => vehicle.armed);
  if (await flight.until(() => vehicle.armed, ARMS_WITHIN_MS)) return;
  throw new Ended(
    'failed',
    `the vehicle acknowledged the order to arm but did not arm within ${ARMS_WITHIN_MS / 1_000} s`,
  );
}

async function liftOff(flight: Flight, heightM: number): Promise<void> {
  const { vehicle } = flight;
  const isRising = (): boolean => ['takeoff', 'in_air'].includes(vehicle.landedState) && heightOf(flight) > 1;
  await flight.order({ command: CMD.navTakeoff, params: [0, 0, 0, 0, 0, 0, heightM], repeat: false }, isRising);
}

/** Returns the height above the take-off position, m; 0 if it is not reported. */
function heightOf({ vehicle }: Flight): number {
  return vehicle.position?.value.relativeAltM ?? 0;
}

/** Orders a ground speed, m/s. A plane gets the value as its airspeed, because it flies by airspeed. */
export async function setSpeed(flight: Flight, speedMps: number): Promise<Done> {
  const kind = flight.vehicle.type === 'fixed_wing' ? 0 : 1;
  const within = flight.vehicle.customMode;
  await flight.order({ command: CMD.doChangeSpeed, params: [kind, speedMps, -1], repeat: true, within });
  flight.vehicle.wished = { value: speedMps, atMs: flight.nowMs() };
  return `the vehicle was ordered to fly ${speedMps} m/s`;
}
