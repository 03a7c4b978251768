import { serial } from '../core/observation.ts';
import { circling, type Flight, straight } from './flight.ts';
import { type SiteAxes, scaled, type Vector } from './site_axes.ts';
import { Sky, type Voice } from './sky.ts';
import type { Eye } from './sky_sensor.ts';

const RADAR_AT: Vector = [400, -300, 12];
const EARS_AT: readonly Vector[] = [
  [-1_500, -1_200, 5],
  [1_600, -900, 8],
  [100, 1_800, 20],
];

export type BusySky = { sky: Sky; flights: readonly Flight[]; seconds: number };

/** How much there is besides a radar and Remote ID. */
export type Beside = { seconds?: number; allKinds?: boolean };

/**
 * Ten aircraft under a radar that reports plots and the heads of its scans, amid clutter. All but the last report their
 * position once a second, up to 1.5 s late. `allKinds` adds a radar without elevation, a camera and three direction
 * finders, each of which knows its emitters. It also adds a transmitter that no other sensor sees.
 */
export function busySky(site: SiteAxes, seed: number, { seconds = 60, allKinds = false }: Beside = {}): BusySky {
  const sky = new Sky(site, seed);
  const flights = Array.from({ length: 10 }, (_, i) => flightOf(sky, i));
  const radar = sky.eye(RADAR_AT);
  const ear = sky.ear();
  const voices = flights.slice(0, -1).map((_, i) => sky.voice(ear, [serial(`S-${i}`)]));
  const others = allKinds ? otherEyes(sky) : null;
  const heard = sky.voice(ear, [serial('S-only-heard')]);
  for (let s = 0; s < seconds; s++) {
    sky.look(radar, s, flights);
    for (const [i, voice] of voices.entries()) say(sky, voice, flights[i], s + i / 10);
    if (others) lookWith(sky, others, flights, s);
    if (others && s % 3 === 0) sky.word(heard, s + 0.5);
  }
  return { sky, flights, seconds };
}

function flightOf(sky: Sky, i: number): Flight {
  const centre: Vector = [sky.between(-2_500, 2_500), sky.between(-2_500, 2_500), sky.between(60, 300)];
  if (i % 2 === 0) return circling(centre, sky.between(200, 600), sky.between(8, 20), sky.between(0, 6));
  const course = sky.between(0, 2 * Math.PI);
  return straight(centre, scaled([Math.sin(course), Math.cos(course), 0.05], sky.between(5, 18)));
}

function say(sky: Sky, voice: Voice, flight: Flight | undefined, atS: number): void {
  if (flight) sky.claim(voice, atS, flight, sky.between(0.1, 1.5));
}

type Others = { flat: Eye; camera: Eye; finders: Eye[] };

function otherEyes(sky: Sky): Others {
  const flat = sky.eye([-600, 500, 4], { measures: 'plane', sdDeg: 0.8, sdRangeM: 10 });
  const seeing = {
    ranges: false,
    clutterPerScan: 1,
    rangeM: [20, 3_000],
    azimuthDeg: 40,
    azimuthWidthDeg: 120,
  } as const;
  const camera = sky.eye([0, 0, 15], { measures: 'angles', sdDeg: 0.1, seeing });
  const deaf = { ranges: false, covers: false, clutterPerScan: 0 };
  const finders = EARS_AT.map((at) => sky.eye(at, { measures: 'bearing', sdDeg: 2, seeing: deaf }));
  return { flat, camera, finders };
}

function lookWith(sky: Sky, { flat, camera, finders }: Others, flights: readonly Flight[], s: number): void {
  sky.look(flat, s + 0.3, flights, 0.2);
  sky.look(camera, s + 0.6, flights.slice(0, 4), 0.05);
  for (const finder of finders)
    for (const [i, flight] of flights.entries())
      if (i >= 6 && sky.random() < 0.8) sky.bearing(finder, s + 0.2, flight(s + 0.2).place, i);
}
