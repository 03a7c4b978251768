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

const FINE_S = 0.05;

/** As a multirotor flies by hand: sprints, stops, hovers and turns, each for some seconds, with what its motors can do. */
export function byHand(random: () => number, untilS: number, fastMps = 18): Flight {
  let [heading, speed, goal, turn, left] = [random() * 6.3, 0, 0, 0, 0];
  const at: [number, number, number] = [400 * (random() - 0.5), 400 * (random() - 0.5), 60];
  const points: ReturnType<Flight>[] = [];
  for (let s = 0; s <= untilS + 1; s += FINE_S) {
    left -= FINE_S;
    if (left <= 0) {
      left = 2 + 8 * random();
      goal = random() < 0.3 ? 0 : fastMps * random();
      turn = random() < 0.5 ? 0 : 1.4 * (random() - 0.5);
    }
    speed += Math.max(-5 * FINE_S, Math.min(5 * FINE_S, goal - speed));
    heading += turn * FINE_S;
    const velocity: Vector = [speed * Math.sin(heading), speed * Math.cos(heading), 0];
    points.push({ place: [...at], velocity });
    at[0] += velocity[0] * FINE_S;
    at[1] += velocity[1] * FINE_S;
  }
  const last = { place: at, velocity: [0, 0, 0] as const };
  return (s) => points[Math.round(s / FINE_S)] ?? last;
}
