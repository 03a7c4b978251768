import { Chart } from '../../geo/flat/chart.ts';
import { CMD } from '../fleet/mav.ts';
import { takesOffByMode } from '../fleet/verbs.ts';
import { Ended, type Flight } from './flight.ts';

/** What a command ends with when all went well. */
export type Done = string;

const STANDS_MPS = 1;
const STOPS_WITHIN_MS = 30_000;
const ARMS_WITHIN_MS = 8_000;
const COMES_HOME_WITHIN_MS = 1_800_000;
const LANDS_WITHIN_MS = 600_000;
/** A plane has come home where it circles there (ArduPlane's RTL has 100 m of radius by default, and never lands). */
const CIRCLES_HOME_M = 250;
/** As hard as a multicopter brakes for a place (MPC_ACC_HOR of PX4 is 3, and 5 at most). */
const BRAKES_MPS2 = 4;

/**
 * Stops where it is, in the mode that its stack holds in. On ArduCopter that is BRAKE: LOITER obeys the throttle stick, and
 * one that lies low flies the vehicle into the ground.
 */
export async function hold(flight: Flight): Promise<Done> {
  const { vehicle } = flight;
  const mode = vehicle.modeFor('hold');
  if (!mode) throw new Ended('rejected', 'it has no mode that holds');
  const isInIt = vehicle.heartbeat.value.customMode === mode.customMode;
  await flight.enter(mode);
  // PX4 flies to places in the mode that it holds in: being in it stops nothing.
  if (isInIt && vehicle.autopilot === 'px4') await stopOnTheSpot(flight);
  if (vehicle.type === 'fixed_wing') return `it circles in ${mode.name}`;
  const stands = await flight.until(() => vehicle.speedMps < STANDS_MPS, STOPS_WITHIN_MS);
  if (!stands) throw new Ended('failed', `it is in ${mode.name} and still moves at ${vehicle.speedMps.toFixed(0)} m/s`);
  return `it holds in ${mode.name}`;
}

/** The place at which it can stand soonest: one right below it would have it overshoot and come back. */
async function stopOnTheSpot(flight: Flight): Promise<void> {
  const { vehicle } = flight;
  const { latDeg = null, lonDeg = null, altMslM = 0, vNorthMps = 0, vEastMps = 0 } = vehicle.position?.value ?? {};
  if (latDeg === null || lonDeg === null) {
    throw new Ended('failed', 'it has said of no place where it is, and can be told none to stand at');
  }
  const agedS = Math.min(1, (flight.nowMs() - (vehicle.position?.atMs ?? 0)) / 1000);
  const onS = agedS + Math.hypot(vNorthMps, vEastMps) / (2 * BRAKES_MPS2);
  const { lat, lon } = new Chart(latDeg, lonDeg).placeOf([vEastMps * onS, vNorthMps * onS]);
  const place = { latDeg: lat, lonDeg: lon, altM: altMslM, frame: 0 as const };
  await flight.order({ command: CMD.doReposition, params: [-1, 1, 0, 0], place, repeat: true });
}

export async function returnHome(flight: Flight): Promise<Done> {
  const { vehicle } = flight;
  const mode = vehicle.modeFor('return');
  const isReturning = (): boolean => mode !== null && vehicle.heartbeat.value.customMode === mode.customMode;
  if (mode) vehicle.expectMode(mode.customMode, flight.nowMs() + ARMS_WITHIN_MS);
  const order = { command: CMD.navReturnToLaunch, params: [], repeat: true };
  const answer = await flight.ask(order, isReturning);
  if (answer.kind !== 'accepted') {
    // Said in the other way before it is given up: nothing is more wanted than that it comes home.
    if (!mode) throw new Ended('failed', 'the vehicle did not take it, and has no mode that returns');
    await flight.enter(mode);
  } else flight.accepted();
  flight.goOn();
  if (mode && !(await flight.until(isReturning, ARMS_WITHIN_MS / 2))) await flight.enter(mode);
  const isDown = (): boolean => !vehicle.armed || vehicle.landedState === 'on_ground';
  const isHome = (): boolean => isDown() || circlesHome(flight);
  const came = await flight.until(() => isHome() || !isReturning(), COMES_HOME_WITHIN_MS);
  if (came && isHome()) return isDown() ? 'it is home and on the ground' : 'it circles at home';
  throw new Ended('failed', `it did not come home: it is in ${vehicle.mode.name}`);
}

function circlesHome({ vehicle }: Flight): boolean {
  const { home, position } = vehicle;
  if (vehicle.type !== 'fixed_wing' || !home || !position) return false;
  const { latDeg, lonDeg } = position.value;
  if (latDeg === null || lonDeg === null) return false;
  const chart = new Chart(home.latDeg, home.lonDeg);
  return Math.hypot(...chart.spotOf({ lat: latDeg, lon: lonDeg })) < CIRCLES_HOME_M;
}

/** Lands where it is. */
export async function land(flight: Flight): Promise<Done> {
  const { vehicle } = flight;
  const mode = vehicle.modeFor('land');
  if (!mode) throw new Ended('rejected', 'it has no mode that lands');
  const isLanding = (): boolean => vehicle.heartbeat.value.customMode === mode.customMode;
  const isDown = (): boolean => !vehicle.armed || vehicle.landedState === 'on_ground';
  if (vehicle.type === 'vtol' && vehicle.autopilot === 'ardupilot') await flight.enter(mode);
  else {
    vehicle.expectMode(mode.customMode, flight.nowMs() + ARMS_WITHIN_MS);
    const order = { command: CMD.navLand, params: [], repeat: true };
    if (!(await flight.orderUntil(order, () => isLanding() || isDown()))) {
      throw new Ended('failed', `it said yes, and does not land: it is in ${vehicle.mode.name}`);
    }
  }
  await flight.until(() => isDown() || !isLanding(), LANDS_WITHIN_MS);
  if (isDown()) return 'it is on the ground';
  throw new Ended('failed', `it did not land: it is in ${vehicle.mode.name}`);
}

/**
 * Arms and lifts off to a height above where it stands. Neither is said twice: a repeat that comes late would arm a vehicle
 * that has landed since.
 */
export async function takeoff(flight: Flight, heightM: number): Promise<Done> {
  const { vehicle } = flight;
  vehicle.toldUpMs = flight.nowMs();
  if (takesOffByMode(vehicle)) return takeoffOfPlane(flight, heightM);
  if (vehicle.autopilot === 'px4') await takeoffOfPx4(flight, heightM);
  else await takeoffOfCopter(flight, heightM);
  const isUp = (): boolean => heightOf(flight) >= heightM - Math.max(1, heightM * 0.05);
  const withinMs = 20_000 + heightM * 2_000;
  if (await flight.until(() => isUp() || !vehicle.armed, withinMs)) {
    if (isUp()) return `it is ${heightOf(flight).toFixed(0)} m up`;
    throw new Ended('failed', 'it disarmed again: it did not lift off');
  }
  throw new Ended('failed', `it is ${heightOf(flight).toFixed(0)} m up and climbs no further`);
}

async function takeoffOfCopter(flight: Flight, heightM: number): Promise<void> {
  const guided = flight.vehicle.modeFor('guided');
  if (!guided) throw new Ended('rejected', 'it has no GUIDED mode');
  await flight.enter(guided);
  await arm(flight);
  await liftOff(flight, heightM);
}

/** Its take-off mode first, then arming: it disarms again where it is armed and not told to go. */
async function takeoffOfPx4(flight: Flight, heightM: number): Promise<void> {
  const { vehicle } = flight;
  const altM = (vehicle.position?.value.altMslM ?? 0) + heightM;
  const mode = vehicle.modeFor('takeoff');
  if (mode) vehicle.expectMode(mode.customMode, flight.nowMs() + ARMS_WITHIN_MS);
  const { latDeg, lonDeg } = vehicle.position?.value ?? { latDeg: 0, lonDeg: 0 };
  await flight.order(
    {
      command: CMD.navTakeoff,
      params: [0, 0, 0, 0],
      place: { latDeg: latDeg ?? 0, lonDeg: lonDeg ?? 0, altM, frame: 0 },
      repeat: false,
    },
    () => mode !== null && vehicle.heartbeat.value.customMode === mode.customMode,
  );
  await arm(flight);
}

/** The height that its mode climbs to is a setting of the plane; it is told the wished one once it is up. */
async function takeoffOfPlane(flight: Flight, heightM: number): Promise<Done> {
  const { vehicle } = flight;
  const mode = vehicle.modeFor('takeoff');
  if (!mode) throw new Ended('rejected', 'it has no mode that takes off');
  await flight.enter(mode);
  await arm(flight);
  const isFlying = (): boolean => vehicle.landedState === 'in_air' && heightOf(flight) >= Math.min(heightM, 25);
  if (!(await flight.until(() => isFlying() || !vehicle.armed, 60_000)) || !vehicle.armed) {
    throw new Ended('failed', vehicle.armed ? 'it did not lift off' : 'it disarmed again: it did not lift off');
  }
  flight.goOn();
  const position = vehicle.position?.value;
  const guided = vehicle.modeFor('guided');
  if (!guided || !position || position.latDeg === null || position.lonDeg === null) {
    return `it is ${heightOf(flight).toFixed(0)} m up, at the height that its own settings say`;
  }
  vehicle.expectMode(guided.customMode, flight.nowMs() + ARMS_WITHIN_MS);
  const place = {
    latDeg: position.latDeg,
    lonDeg: position.lonDeg,
    altM: position.altMslM - position.relativeAltM + heightM,
    frame: 0 as const,
  };
  await flight.order({ command: CMD.doReposition, params: [-1, 1, 0, 0], place, repeat: true });
  const isThere = (): boolean => Math.abs(heightOf(flight) - heightM) <= Math.max(5, heightM * 0.1);
  if (await flight.until(isThere, 30_000 + heightM * 1_000)) return `it circles ${heightOf(flight).toFixed(0)} m up`;
  throw new Ended('failed', `it is ${heightOf(flight).toFixed(0)} m up and not at ${heightM} m`);
}

async function arm(flight: Flight): Promise<void> {
  const { vehicle } = flight;
  if (vehicle.armed) return;
  await flight.order({ command: CMD.componentArmDisarm, params: [1], repeat: false }, () => vehicle.armed);
  if (await flight.until(() => vehicle.armed, ARMS_WITHIN_MS)) return;
  throw new Ended('failed', 'it said yes, and is not armed');
}

async function liftOff(flight: Flight, heightM: number): Promise<void> {
  const { vehicle } = flight;
  const isRising = (): boolean => ['takeoff', 'in_air'].includes(vehicle.landedState) && heightOf(flight) > 1;
  await flight.order({ command: CMD.navTakeoff, params: [0, 0, 0, 0, 0, 0, heightM], repeat: false }, isRising);
}

/** Height above where it took off. */
function heightOf({ vehicle }: Flight): number {
  return vehicle.position?.value.relativeAltM ?? 0;
}

/** Ground speed; planes are told the airspeed, which is what they fly by. */
export async function setSpeed(flight: Flight, speedMps: number): Promise<Done> {
  const kind = flight.vehicle.type === 'fixed_wing' ? 0 : 1;
  await flight.order({ command: CMD.doChangeSpeed, params: [kind, speedMps, -1], repeat: true });
  flight.vehicle.wished = { value: speedMps, atMs: flight.nowMs() };
  return `it was told to fly ${speedMps} m/s`;
}
