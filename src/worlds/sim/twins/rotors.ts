import type { FlightLimits } from '../flight/limits.ts';
import { apartM, type Body, downTo, groundMps, levelTo, lift, type Manoeuvre, type Place } from './body.ts';
import type { Wind } from './facts.ts';

/** As hard as it brakes where it is told to stop. */
const BRAKES_MPS2 = 5;
const STANDS_MPS = 0.3;
const HOME_M = 1.5;
/** Of a gust, what moves it before its autopilot has noticed. */
const BLOWN = 0.3;

type Wanted = { eastMps: number; northMps: number; upMps: number };

/** One step of an aircraft that can stand. */
export function stepRotors(
  body: Body,
  now: Manoeuvre,
  { limits, home, speedMps }: { limits: FlightLimits; home: Place; speedMps: number },
  { wind, gust }: { wind: Wind; gust: Wind },
  dtS: number,
): void {
  body.eastMps += BLOWN * gust.eastMps;
  body.northMps += BLOWN * gust.northMps;
  const wanted = wantedBy(body, now, { limits, home, speedMps }, dtS);
  const accel = now.kind === 'hold' && now.at === null ? BRAKES_MPS2 : limits.accelMps2;
  steer(body, withinAir(wanted, wind, limits.maxMps), accel * dtS);
  lift(body, wanted.upMps, dtS);
  if (groundMps(body) > 1) body.headingRad = Math.atan2(body.eastMps, body.northMps);
}

function wantedBy(
  body: Body,
  now: Manoeuvre,
  { limits, home, speedMps }: { limits: FlightLimits; home: Place; speedMps: number },
  dtS: number,
): Wanted {
  switch (now.kind) {
    case 'hold':
      if (now.at === null && groundMps(body) < STANDS_MPS) now.at = { ...body, upM: now.upM };
      return { upMps: levelTo(body, now.upM, limits), ...stay(body, now.at, limits) };
    case 'goto':
      return { upMps: levelTo(body, now.to.upM, limits), ...towards(body, now.to, speedMps, limits) };
    case 'circle':
      return { upMps: levelTo(body, now.middle.upM, limits), ...round(body, now, speedMps, limits) };
    case 'takeoff':
      now.waitS -= dtS;
      return { eastMps: 0, northMps: 0, upMps: now.waitS > 0 ? 0 : levelTo(body, now.upM, limits) };
    case 'land':
      if (now.at === null && groundMps(body) < STANDS_MPS) now.at = { ...body };
      return { upMps: downTo(body, limits.descentMps), ...stay(body, now.at, limits) };
    case 'return':
      return homewards(body, now, { limits, home, speedMps });
  }
}

/** Up first, then over, then down. */
function homewards(
  body: Body,
  now: Manoeuvre & { kind: 'return' },
  { limits, home, speedMps }: { limits: FlightLimits; home: Place; speedMps: number },
): Wanted {
  const away = apartM(body, home);
  if (away < HOME_M && groundMps(body) < 1) now.arrived = true;
  const mayLeave = now.arrived || away < HOME_M || body.upM > now.overM - 1;
  const over = mayLeave ? towards(body, home, speedMps, limits) : { eastMps: 0, northMps: 0 };
  return { upMps: now.arrived ? downTo(body, limits.descentMps) : levelTo(body, now.overM, limits), ...over };
}

/** As fast as it can still stop for it. */
function towards(body: Body, to: Place, speedMps: number, { accelMps2, maxMps }: FlightLimits): Omit<Wanted, 'upMps'> {
  const away = apartM(body, to);
  if (away < 0.01) return { eastMps: 0, northMps: 0 };
  const mps = Math.min(speedMps, maxMps, Math.sqrt(1.4 * accelMps2 * away), 0.8 * away);
  return { eastMps: ((to.eastM - body.eastM) / away) * mps, northMps: ((to.northM - body.northM) / away) * mps };
}

function stay(body: Body, at: Place | null, limits: FlightLimits): Omit<Wanted, 'upMps'> {
  return at === null ? { eastMps: 0, northMps: 0 } : towards(body, at, 2, limits);
}

/** Along a circle with a pull to its radius, no faster than it can turn. */
function round(
  body: Body,
  { middle, radiusM, clockwise }: Manoeuvre & { kind: 'circle' },
  speedMps: number,
  { accelMps2, maxMps }: FlightLimits,
): Omit<Wanted, 'upMps'> {
  const mps = Math.min(speedMps, maxMps, Math.sqrt(0.7 * accelMps2 * radiusM));
  const [east, north] = [body.eastM - middle.eastM, body.northM - middle.northM];
  const inwards = Math.PI / 2 + Math.atan((Math.hypot(east, north) - radiusM) / 10);
  const course = Math.atan2(east, north) + (clockwise ? inwards : -inwards);
  return { eastMps: Math.sin(course) * mps, northMps: Math.cos(course) * mps };
}

/** What it can hold against the wind: more it drifts. */
function withinAir({ eastMps, northMps }: Wanted, wind: Wind, maxMps: number): Omit<Wanted, 'upMps'> {
  const [east, north] = [eastMps - wind.eastMps, northMps - wind.northMps];
  const airMps = Math.hypot(east, north);
  if (airMps <= maxMps) return { eastMps, northMps };
  const share = maxMps / airMps;
  return { eastMps: wind.eastMps + east * share, northMps: wind.northMps + north * share };
}

function steer(body: Body, wanted: Omit<Wanted, 'upMps'>, mostMps: number): void {
  const [east, north] = [wanted.eastMps - body.eastMps, wanted.northMps - body.northMps];
  const share = Math.min(1, mostMps / Math.max(Math.hypot(east, north), 1e-9));
  body.eastMps += east * share;
  body.northMps += north * share;
}
