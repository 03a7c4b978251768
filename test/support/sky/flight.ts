import type { Vector } from './site_axes.ts';

/** Where an aircraft is at a second, and how fast it flies there: metres and m/s in the site's axes. */
export type Flight = (second: number) => { place: Vector; velocity: Vector };

/** Straight on, with a constant velocity. */
export function straight(from: Vector, velocity: Vector): Flight {
  return (s) => ({
    place: [from[0] + velocity[0] * s, from[1] + velocity[1] * s, from[2] + velocity[2] * s],
    velocity,
  });
}

/** Round a centre; a negative speed is anticlockwise. */
export function circling(centre: Vector, radiusM: number, speedMps: number, phase = 0): Flight {
  return (s) => {
    const angle = phase + (speedMps / radiusM) * s;
    const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
    return {
      place: [centre[0] + radiusM * sin, centre[1] + radiusM * cos, centre[2]],
      velocity: [speedMps * cos, -speedMps * sin, 0],
    };
  };
}

/** The same flight in a place of its own: beside, or drifting off with a velocity from a second on. */
export function displaced(flight: Flight, by: Vector, drift: Vector = [0, 0, 0], fromS = 0): Flight {
  return (s) => {
    const { place, velocity } = flight(s);
    const since = Math.max(0, s - fromS);
    const drifting = s > fromS ? drift : [0, 0, 0];
    return {
      place: [
        place[0] + by[0] + drift[0] * since,
        place[1] + by[1] + drift[1] * since,
        place[2] + by[2] + drift[2] * since,
      ],
      velocity: [velocity[0] + (drifting[0] ?? 0), velocity[1] + (drifting[1] ?? 0), velocity[2] + (drifting[2] ?? 0)],
    };
  };
}
