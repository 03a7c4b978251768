import type { Flyer } from '../../src/core/site/flyer.ts';
import { Site } from '../../src/core/site/site.ts';
import { ZoneWatch } from '../../src/core/site/zone_watch.ts';
import { Areas, areaStates } from '../../src/core/tracking/areas.ts';
import { AREA, AREA_HEAD, AREA_STATE } from '../../src/model/rows/layouts.ts';
import { placeAt } from '../../test/support/basics/place.ts';
import { randomFrom } from '../../test/support/basics/random.ts';
import { flyerOf, zoneOf } from '../../test/support/core/zone_site.ts';
import { microsecondsEach } from './cpu_time.ts';
import type { Row } from './row.ts';

const TRACKS = 1_000;
const MIDDLE = { lat: 60.17, lon: 24.94 };
const STEPS = 20;

/** What it costs to follow tracks through zones, where every one is told of as many as can be. */
export function benchZones(): Row[] {
  const random = randomFrom(5);
  const kinds = ['protected', 'warning', 'alert', 'ignore'];
  const zones = Array.from({ length: 40 }, (_, i) => {
    const { lat, lon } = placeAt(MIDDLE, 360 * random(), 300 * random());
    const geometry = { type: 'Point', coordinates: [lon, lat], radius_m: 2_000 * random() + 500 };
    return zoneOf({ id: `zone ${i}`, kind: kinds[i % 2 ? 3 : i % 3] ?? 'ignore', geometry });
  });
  const site = new Site();
  site.set({ zones, assets: [] });
  site.update(0, 5_000);
  const areas = new Areas(TRACKS);
  areas.set(site.protectedAreas.map(({ value }) => value));
  const flyers = Array.from({ length: TRACKS }, (_, i) => flyerOf({ number: i + 1 }));
  const [watch, near, far] = [new ZoneWatch(), statesWithin(800, random), statesWithin(3_000, random)];
  watch.set(site.protectedAreas, 0);
  let nowMs = 0;
  let rowCount = 0;
  const step = (states: Float64Array): void => {
    const { heads, rows } = areas.measureStates(states, 120);
    rowCount = rows.length / AREA.width;
    nowMs += 100;
    for (let i = 0; i < TRACKS; i++) look(watch, flyers[i], heads, rows, i, nowMs);
    watch.tick(nowMs);
    watch.takeEvents();
  };
  const measureUs = microsecondsEach(STEPS, () => {
    for (let i = 0; i < STEPS; i++) areas.measureStates(near, 120);
  });
  const us = microsecondsEach(STEPS, () => {
    for (let i = 0; i < STEPS; i++) step(near);
  });
  const told = rowCount / TRACKS;
  const busyUs = microsecondsEach(STEPS, () => {
    for (let i = 0; i < STEPS; i++) step(i % 2 ? near : far);
  });
  return [
    { name: `${TRACKS} tracks, told of each`, value: told, unit: 'things' },
    {
      name: `${TRACKS} tracks followed through zones`,
      value: (us - measureUs) / 1_000,
      unit: 'ms a step',
      target: { atMost: 5 },
    },
    { name: `${TRACKS} tracks that come and go each step`, value: (busyUs - measureUs) / 1_000, unit: 'ms a step' },
  ];
}

function look(
  watch: ZoneWatch,
  flyer: Flyer | undefined,
  heads: Float64Array,
  rows: Float64Array,
  i: number,
  nowMs: number,
): void {
  const at = i * AREA_HEAD.width;
  const head = (column: number): number => heads[at + column] ?? 0;
  const from = head(AREA_HEAD.first) * AREA.width;
  const [measured, contained, more] = [head(AREA_HEAD.measured), head(AREA_HEAD.contained), head(AREA_HEAD.more)];
  if (flyer) watch.evaluate(flyer, { rows, from, measured, contained, more }, nowMs);
}

function statesWithin(metres: number, random: () => number): Float64Array {
  const states = areaStates(TRACKS);
  for (let i = 0; i < TRACKS; i++) {
    const { lat, lon } = placeAt(MIDDLE, 360 * random(), metres * random());
    states.set([i + 1, lat, lon, 50, 10 * random(), 10 * random(), 0], i * AREA_STATE.width);
    states.fill(0, i * AREA_STATE.width + AREA_STATE.covPlaceM2, (i + 1) * AREA_STATE.width);
  }
  return states;
}
