import type { ChartPosition } from '../../geo/position.ts';
import type { FlightLimits } from '../aircraft/flight/limits.ts';
import type { Wind } from '../aircraft/flight/wind.ts';
import { apartM, type Body, downTo, type Flown, groundMps, levelTo, lift, type Manoeuvre } from './body.ts';

/** Deceleration of an ordered stop, m/s². */
const BRAKES_MPS2 = 5;
const STANDS_MPS = 0.3;
const HOME_M = 1.5;
/** Share of a gust that moves the aircraft before the autopilot reacts. */
const BLOWN = 0.3;

type Wanted = Wind & { upMps: number };

/** Advances a hovering aircraft by one step. */
export function stepRotors(
  body: Body,
  now: Manoeuvre,
  flown: Flown,
  { wind, gust }: { wind: Wind; gust: Wind },
  dtS: number,
): void {
  body.eastMps += BLOWN * gust.eastMps;
  body.northMps += BLOWN * gust.northMps;
  const { limits } = flown;
  const wanted = wantedBy(body, now, flown, dtS);
  const accel = now.kind === 'hold' && now.at === null ? BRAKES_MPS2 : limits.accelMps2;
  steer(body, withinAir(wanted, wind, limits.maxMps), accel * dtS);
  lift(body, wanted.upMps, dtS);
  if (groundMps(body) > 1) body.headingRad = Math.atan2(body.eastMps, body.northMps);
}

function wantedBy(body: Body, now: Manoeuvre, flown: Flown, dtS: number): Wanted {
  const { limits, speedMps } = flown;
  switch (now.kind) {
    case 'hold':
      if (now.at === null && groundMps(body) < STANDS_MPS) now.at = { ...body, heightM: now.heightM };
      return { upMps: levelTo(body, now.heightM, limits), ...stay(body, now.at, limits) };
    case 'goto':
      return { upMps: levelTo(body, now.to.heightM, limits), ...towards(body, now.to, speedMps, limits) };
    case 'circle':
      return { upMps: levelTo(body, now.middle.heightM, limits), ...round(body, now, speedMps, limits) };
    case 'takeoff':
      now.waitS -= dtS;
      return { eastMps: 0, northMps: 0, upMps: now.waitS > 0 ? 0 : levelTo(body, now.heightM, limits) };
    case 'land':
      if (now.at === null && groundMps(body) < STANDS_MPS) now.at = { ...body };
      return { upMps: downTo(body, limits.descentMps), ...stay(body, now.at, limits) };
    case 'return':
      return homewards(body, now, flown);
  }
}

/** Returns the wanted velocity of a return: climb, fly home, descend. */
function homewards(body: Body, now: Manoeuvre & { kind: 'return' }, { limits, home, speedMps }: Flown): Wanted {
  const away = apartM(body, home);
  if (away < HOME_M && groundMps(body) < 1) now.arrived = true;
  const mayLeave = now.arrived || away < HOME_M || body.heightM > now.overM - 1;
  const over = mayLeave ? towards(body, home, speedMps, limits) : { eastMps: 0, northMps: 0 };
  return { upMps: now.arrived ? downTo(body, limits.descentMps) : levelTo(body, now.overM, limits), ...over };
}

/** Returns the wanted velocity towards a place, slow enough to stop there. */
function towards(body: Body, to: ChartPosition, speedMps: number, { accelMps2, maxMps }: FlightLimits): Wind {
  const away = apartM(body, to);
  if (away < 0.01) return { eastMps: 0, northMps: 0 };
  const mps = Math.min(speedMps, maxMps, Math.sqrt(1.4 * accelMps2 * away), 0.8 * away);
  return { eastMps: ((to.eastM - body.eastM) / away) * mps, northMps: ((to.northM - body.northM) / away) * mps };
}

function stay(body: Body, at: ChartPosition | null, limits: FlightLimits): Wind {
  return at === null ? { eastMps: 0, northMps: 0 } : towards(body, at, 2, limits);
}

/**
 * Returns the wanted velocity along a circle, with a component towards the circle. It is slow enough for the aircraft
 * to turn.
 */
function round(
  body: Body,
  { middle, radiusM, clockwise }: Manoeuvre & { kind: 'circle' },
  speedMps: number,
  { accelMps2, maxMps }: FlightLimits,
): Wind {
  const mps = Math.min(speedMps, maxMps, Math.sqrt(0.7 * accelMps2 * radiusM));
  const [east, north] = [body.eastM - middle.eastM, body.northM - middle.northM];
  const inwards = Math.PI / 2 + Math.atan((Math.hypot(east, north) - radiusM) / 10);
  const course = Math.atan2(east, north) + (clockwise ? inwards : -inwards);
  return { eastMps: Math.sin(course) * mps, northMps: Math.cos(course) * mps };
}

/**
 * Limits a velocity over the ground to one that the aircraft can reach through the air. In stronger wind the aircraft
 * drifts.
 */
function withinAir({ eastMps, northMps }: Wind, wind: Wind, maxMps: number): Wind {
  const [east, north] = [eastMps - wind.eastMps, northMps - wind.northMps];
  const airMps = Math.hypot(east, north);
  if (airMps <= maxMps) return { eastMps, northMps };
  const share = maxMps / airMps;
  return { eastMps: wind.eastMps + east * share, northMps: wind.northMps + north * share };
}

function steer(body: Body, wanted: Wind, mostMps: number): void {
  const [east, north] = [wanted.eastMps - body.eastMps, wanted.northMps - body.northMps];
  const share = Math.min(1, mostMps / Math.max(Math.hypot(east, north), 1e-9));
  body.eastMps += east * share;
  body.northMps += north * share;
}
