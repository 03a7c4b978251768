import type { Step, Vehicle } from '../../../src/command/guidance/paths/vehicle.ts';
import type { Path } from '../../../src/command/safety/path.ts';
import { pathOf } from '../../../src/command/safety/path.ts';
import { Chart } from '../../../src/geo/flat/chart.ts';
import type { LatLon, Spot } from '../../../src/geo/position.ts';
import { AT_MS, track } from './airspace.ts';

/** A world in metres east and north of a place, turned by an angle: what flies there does not know where on earth it is. */
export type Ground = LatLon & { turnDeg: number };
export const VIENNA: Ground = { latDeg: 48.2, lonDeg: 16.37, turnDeg: 0 };

const spin = ([x, y]: Spot, deg: number): Spot => {
  const [cos, sin] = [Math.cos((deg * Math.PI) / 180), Math.sin((deg * Math.PI) / 180)];
  return [x * cos - y * sin, x * sin + y * cos];
};

export function placeOn(ground: Ground, spot: Spot): LatLon {
  return new Chart(ground, 100).placeOf(spin(spot, ground.turnDeg));
}

export function spotOn(ground: Ground, place: LatLon): Spot {
  return spin(new Chart(ground, 100).spotOf(place), -ground.turnDeg);
}

/** Something that flies: place and velocity in metres. */
export type Mass = { at: Spot; velocity: Spot };

export function courseFor(ground: Ground, { at, velocity }: Mass, altHaeM: number | null = 100): Path {
  const place = placeOn(ground, at);
  const predicted = [5, 10, 20, 30].map((inS) => {
    const { latDeg: lat, lonDeg: lon } = placeOn(ground, [at[0] + velocity[0] * inS, at[1] + velocity[1] * inS]);
    return { in_s: inS, lat, lon, alt_hae_m: altHaeM, radius_m: inS };
  });
  const course = pathOf(track({ ...place, altHaeM }, { predicted }), AT_MS);
  if (!course) throw new Error('there is no course');
  return course;
}

/**
 * The velocity in the axes at the vehicle's own place. Over a few kilometres they are the ground's, but near a pole they are
 * not: two places a second apart tell.
 */
export function vehicleFor(
  ground: Ground,
  { at, velocity }: Mass,
  speeds: Pick<Vehicle, 'cruiseMps' | 'maxMps' | 'minMps'>,
): Vehicle {
  const place = placeOn(ground, at);
  const next = placeOn(ground, [at[0] + velocity[0], at[1] + velocity[1]]);
  const [eastMps, northMps] = new Chart(place, 100).spotOf(next);
  return { position: { ...place, altHaeM: 100 }, velocity: { eastMps, northMps }, ...speeds };
}

/** As ArduCopter flies in GUIDED: it brakes less than it gathers speed. */
const ACCELERATION_MPS2 = 3;
const BRAKING_MPS2 = 2;

/** A copter flies toward its point as fast as it may, and brakes before it. */
export function fly(
  mass: Mass,
  step: Pick<Step, 'speedMps'>,
  to: Spot,
  speeds: { cruiseMps: number; maxMps: number; minMps?: number },
  dtS: number,
): void {
  const gap: Spot = [to[0] - mass.at[0], to[1] - mass.at[1]];
  const far = Math.hypot(...gap);
  const asked = Math.min(speeds.maxMps, step.speedMps ?? speeds.cruiseMps);
  const speed = Math.max(speeds.minMps ?? 0, Math.min(asked, Math.sqrt(2 * BRAKING_MPS2 * far)));
  const wanted: Spot = far > 0 ? [(gap[0] / far) * speed, (gap[1] / far) * speed] : [0, 0];
  const change: Spot = [wanted[0] - mass.velocity[0], wanted[1] - mass.velocity[1]];
  const against = change[0] * mass.velocity[0] + change[1] * mass.velocity[1] < 0;
  const most = (against ? BRAKING_MPS2 : ACCELERATION_MPS2) * dtS;
  const share = Math.min(1, most / Math.max(1e-9, Math.hypot(...change)));
  mass.velocity = [mass.velocity[0] + change[0] * share, mass.velocity[1] + change[1] * share];
  mass.at = [mass.at[0] + mass.velocity[0] * dtS, mass.at[1] + mass.velocity[1] * dtS];
}
