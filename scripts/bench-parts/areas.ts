import { Areas } from '../../src/core/tracking/areas.ts';
import { Tracker } from '../../src/core/tracking/tracker.ts';
import type { AreaValue } from '../../src/geo/area_columns.ts';
import { AREA, AREA_HEAD } from '../../src/model/rows/layouts.ts';
import { placeAt } from '../../test/support/basics/place.ts';
import { randomFrom } from '../../test/support/basics/random.ts';
import { starRing } from '../../test/support/basics/shapes.ts';
import { RowWriter } from '../../test/support/sky/row_writer.ts';
import { microsecondsEach } from './cpu_time.ts';
import type { Row } from './row.ts';
import { trackingSettings } from './tracker_setup.ts';

const TRACKS = 1_000;
const ZONES = 200;
const CORNERS = 50;
const ASSETS = 50;
const HORIZON_S = 120;
const NEAR_M = 2_000;
const TARGET_MS = 5;
const MIDDLE = { lat: 60.17, lon: 24.94 };

/** What a step costs: all tracks against all zones and assets, over a country of that size. */
export function benchAreas(): Row[] {
  return [
    ...measured(20_000, { target: { atMost: TARGET_MS } }),
    // Where everything is near to everything.
    ...measured(5_000, {}),
  ];
}

function measured(widthM: number, target: Pick<Row, 'target'>): Row[] {
  const random = randomFrom(widthM);
  const { tracker, nowS } = skyOver(widthM, random);
  const areas = new Areas(TRACKS);
  const things = [...list(ZONES, () => zone(widthM, random)), ...list(ASSETS, () => asset(widthM, random))];
  const setMs = microsecondsEach(1, () => areas.set(things)) / 1_000;
  const steps = 20;
  const us = microsecondsEach(steps, () => {
    for (let i = 0; i < steps; i++) areas.measure(tracker, nowS, HORIZON_S);
  });
  const { heads, rows } = areas.measure(tracker, nowS, HORIZON_S);
  const name = `${heads.length / AREA_HEAD.width} tracks, ${ZONES} zones of ${CORNERS} points and ${ASSETS} assets on ${widthM / 1_000} km`;
  return [
    { name, value: us / 1_000, unit: 'ms a step', ...target },
    { name: `${name}, told of each`, value: rows.length / AREA.width / TRACKS, unit: 'things' },
    { name: `${name}, set anew`, value: setMs, unit: 'ms' },
  ];
}

const list = <T>(count: number, one: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => one(i));

function somewhere(widthM: number, random: () => number): { lat: number; lon: number } {
  const east = placeAt(MIDDLE, 90, (random() - 0.5) * widthM);
  return placeAt(east, 0, (random() - 0.5) * widthM);
}

/** Round or not, of some hundred metres to more than a kilometre. */
function zone(widthM: number, random: () => number): AreaValue {
  const { lat, lon } = somewhere(widthM, random);
  const radius = 200 + 1_300 * random() ** 2;
  const distances = list(CORNERS, () => radius * (0.7 + 0.3 * random()));
  const shape = { type: 'Polygon' as const, coordinates: [starRing([lon, lat], distances)] };
  return { shape, floorM: 0, ceilingM: 150, measured: true, nearM: NEAR_M };
}

function asset(widthM: number, random: () => number): AreaValue {
  const { lat, lon } = somewhere(widthM, random);
  const shape = { type: 'Point' as const, coordinates: [lon, lat] as [number, number], radius_m: 0 };
  return { shape, floorM: -Infinity, ceilingM: Infinity, measured: true, nearM: NEAR_M };
}

/** Aircraft that tell their places, flying at 5 to 30 m/s any way. */
function skyOver(widthM: number, random: () => number): { tracker: Tracker; nowS: number } {
  const tracker = new Tracker(trackingSettings(TRACKS), { latDeg: MIDDLE.lat, lonDeg: MIDDLE.lon, altHaeM: 0 }, 0);
  const writer = new RowWriter(TRACKS, 0);
  for (let i = 0; i < TRACKS; i++) {
    const { lat, lon } = somewhere(widthM, random);
    const [speed, way] = [5 + 25 * random(), 2 * Math.PI * random()];
    const velocity = [speed * Math.sin(way), speed * Math.cos(way), 4 * random() - 2] as const;
    writer.fix({ timeS: 1, receivedS: 1 }, i, { latDeg: lat, lonDeg: lon, altHaeM: 30 + 200 * random() }, velocity);
  }
  tracker.step(writer.rows, 1);
  return { tracker, nowS: 1.1 };
}
