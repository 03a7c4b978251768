import { metresBetween, type Place, placeAt } from '../basics/place.ts';
import { randomFrom } from '../basics/random.ts';
import type { BroadcastMessage } from '../links/odid25.ts';
import { Aircraft, MavlinkReceiver } from './aircraft.ts';
import type { Heard } from './driven_sky.ts';

/** What an aircraft does at a second of its flight. */
export type Moment = { place: Place; courseDeg: number; speedMps: number };
export type FlightPath = (second: number) => Moment;

const STEP_S = 0.1;

/** A flight from a place on, which winds about its course. */
export function winding(from: Place, courseDeg: number, speedMps: number, untilS: number): FlightPath {
  const moments: Moment[] = [];
  let place = from;
  for (let s = 0; s <= untilS + 1; s += STEP_S) {
    const nowDeg = (courseDeg + 25 * Math.sin(s / 8) + 360) % 360;
    moments.push({ place, courseDeg: nowDeg, speedMps });
    place = placeAt(place, nowDeg, speedMps * STEP_S);
  }
  const last = moments.length - 1;
  return (second) => moments[Math.max(0, Math.min(last, Math.round(second / STEP_S)))] as Moment;
}

export const standing =
  (place: Place, courseDeg = 84): FlightPath =>
  () => ({ place, courseDeg, speedMps: 0 });

export type Broadcast = {
  mac: string;
  serial: string;
  beginMs: number;
  path: FlightPath;
  fromS?: number;
  untilS: number;
  everyS?: number;
  /** So often each report is sent. */
  copies?: number;
  /** Seconds after the hour that it tells; null for untold. By default its clock is right. */
  clock?: (second: number, utcMs: number) => number | null;
  /** Time from aircraft to us, s, by the second of the report. */
  delayS?: (second: number) => number;
  /** Other words than the honest ones. */
  change?: (second: number) => Partial<ReturnType<Aircraft['location']>>;
  /** Where its pilot says to be; near where it began where nothing is said. */
  pilot?: Place;
  receiver?: MavlinkReceiver;
  link?: string;
};

export const secondsOf = (utcMs: number): number =>
  Math.floor((((utcMs % 3_600_000) + 3_600_000) % 3_600_000) / 100) / 10;

/** What a Remote ID receiver hands on of a transmitter, as MAVLink frames. */
export function heardOf(of: Broadcast): Heard[] {
  const { mac, serial, beginMs, path, fromS = 0, untilS, everyS = 1, copies = 1, delayS = () => 0.2 } = of;
  const receiver = of.receiver ?? new MavlinkReceiver();
  const pilot = of.pilot ?? placeAt(path(fromS).place, 200, 300);
  const heard: Heard[] = [];
  let i = 0;
  for (let second = fromS; second <= untilS; second += everyS) {
    const utcMs = beginMs + second * 1000;
    const { place, courseDeg, speedMps } = path(second);
    const aircraft = new Aircraft({
      ...{ mac, serial, from: place, courseDeg: Math.round(courseDeg) % 360, speedMps: Math.round(speedMps * 4) / 4 },
      pilot: { ...pilot, kind: 'takeoff', altGeoM: null, operatorId: 'CHE-op-4711' },
      heights: { altBaroM: null, altGeoM: 500, heightM: 60, heightRef: 0 },
    });
    const clock = of.clock ?? ((_, ms) => secondsOf(ms));
    const location = { ...aircraft.location(0), secondsAfterHour: clock(second, utcMs), ...of.change?.(second) };
    const messages: BroadcastMessage[] =
      i++ % 3 === 0 ? [aircraft.basicId(), location, aircraft.system()] : [location as BroadcastMessage];
    for (let copy = 0; copy < copies; copy++) {
      const atMs = Math.round(utcMs + 1000 * (delayS(second) + (copy * Math.min(everyS, 1)) / copies));
      heard.push({ atMs, bytes: receiver.pack(aircraft, messages), ...(of.link ? { link: of.link } : {}) });
    }
  }
  return heard;
}

const FAR_M = 200;

/** Jumps as a recorded spoof of a real flight made them, 268 to 555 m each, told to stand; never near the real one. */
export function jumping(from: Place, seed: number, everyS: number, real: FlightPath): FlightPath {
  const random = randomFrom(seed);
  const places: Place[] = [];
  const isFar = (place: Place, step: number): boolean =>
    [-2, 0, 2].every((s) => metresBetween(place, real(step * everyS + s).place) > FAR_M);
  const next = (step: number): Place => {
    const place = placeAt(places.at(-1) ?? from, 360 * random(), 268 + 287 * random());
    return isFar(place, step) ? place : next(step);
  };
  return (second) => {
    const step = Math.round(second / everyS);
    while (places.length <= step) places.push(next(places.length));
    return { place: places[step] ?? from, courseDeg: 84, speedMps: 0 };
  };
}
