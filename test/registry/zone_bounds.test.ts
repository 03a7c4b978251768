import fc from 'fast-check';
import t from 'tap';
import { Site } from '../../src/core/site/site.ts';
import { Areas } from '../../src/core/tracking/areas.ts';
import { systemActor } from '../../src/model/actor.ts';
import { Fault } from '../../src/model/fault.ts';
import type { Position } from '../../src/model/geometry.ts';
import { type Zone, zoneSpecSchema } from '../../src/model/zone.ts';
import { zoneValue } from '../../src/world/site_plan.ts';
import { randomFrom } from '../support/basics/random.ts';
import { seedOf } from '../support/basics/seed.ts';
import { starRing } from '../support/basics/shapes.ts';
import { sized } from '../support/basics/size.ts';
import { anywhere } from '../support/references/areas/inputs.ts';
import { Inputs } from '../support/references/inputs.ts';
import { openRegistry } from '../support/registry/registry.ts';

const heights = { groundAltHaeM: () => 100, haeOfMsl: (msl: number) => msl + 40 };

/** All of them as the core would hold them; throws where the native side refuses one. */
function held(zones: readonly Zone[]): void {
  const site = new Site();
  site.set({ zones: zones.map((zone) => zoneValue({ ...zone, enabled: true, schedule: null }, heights)), assets: [] });
  site.update(0, 5_000);
  new Areas(1).set(site.protectedAreas.map(({ value }) => value));
}

const metresPerDegree = 111_320;

/** Shapes at the border of what is one: hair-thin, as wide as the earth allows, repeated, touching, all round, over each other. */
function hostile(make: Inputs): unknown {
  const middle = anywhere(make);
  const about: Position = [middle.lon, middle.lat];
  const size = make.spread(1e-6, 7e6);
  const ring = (metres: number, at = about): Position[] => {
    const drawn = starRing(
      at,
      make.list(make.whole(3, 12), () => metres * make.between(0.2, 1)),
      make.between(0, 360),
    );
    return spoilt(make, drawn);
  };
  const moved = (metres: number): Position => [
    wrapped(about[0] + make.between(-metres, metres) / metresPerDegree),
    Math.max(-90, Math.min(90, about[1] + make.between(-metres, metres) / metresPerDegree)),
  ];
  switch (make.whole(0, 5)) {
    case 0:
      return { type: 'Point', coordinates: about, radius_m: make.spread(1e-9, 2e5) };
    case 1:
      return {
        type: 'LineString',
        coordinates: make.list(make.whole(2, 6), () => moved(size)),
        width_m: make.spread(1e-9, 2e5),
      };
    case 2:
      return { type: 'Polygon', coordinates: [ring(size)] };
    case 3:
      return {
        type: 'Polygon',
        coordinates: [ring(size), ring(make.spread(1e-5, size), make.between(0, 1) < 0.5 ? about : moved(size))],
      };
    case 4:
      return {
        type: 'MultiPolygon',
        coordinates: make.list(make.whole(1, 8), () => [ring(make.spread(1e-4, size), moved(size))]),
      };
    default: {
      const polygon = [ring(size)];
      return { type: 'MultiPolygon', coordinates: make.list(make.whole(1, 4), () => polygon) };
    }
  }
}

const wrapped = (lon: number): number => ((((lon + 180) % 360) + 360) % 360) - 180;

/** Repeats a corner, moves one by a hair, or tells a longitude the other way round. */
function spoilt(make: Inputs, ring: Position[]): Position[] {
  const at = make.whole(0, ring.length - 2);
  const [lon, lat] = ring[at] ?? [0, 0];
  const hair = make.spread(1e-13, 1e-8);
  switch (make.whole(0, 4)) {
    case 0:
      return [...ring.slice(0, at), [lon, lat], ...ring.slice(at)];
    case 1:
      return [...ring.slice(0, at + 1), [Math.min(180, lon + hair), Math.min(90, lat + hair)], ...ring.slice(at + 1)];
    case 2:
      return ring.map(([lon, lat]) => [lon === 180 ? -180 : lon, Math.max(-90, Math.min(90, lat))]);
    default:
      return ring;
  }
}

t.test('every zone that is accepted is taken by the core, alone and with all others', async (t) => {
  const { registry } = openRegistry(t);
  const accepted: Zone[] = [];
  let refused = 0;
  const property = fc.property(fc.nat(), (seed) => {
    const make = new Inputs(randomFrom(seed));
    const floor = make.between(-1_000, 1_000);
    const spec = {
      name: `zone ${accepted.length} of ${seed}`,
      kind: 'protected',
      geometry: hostile(make),
      ...(make.between(0, 1) < 0.5
        ? {}
        : { floor_m: floor, ceiling_m: floor + make.spread(1e-9, 1_000), datum: 'msl' }),
    };
    const read = zoneSpecSchema.safeParse(spec);
    if (!read.success) return true;
    try {
      accepted.push(registry.zones.create(read.data, systemActor));
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'invalid_input') throw error;
      refused++;
      return true;
    }
    held(accepted.slice(-1));
    return true;
  });
  fc.assert(property, { seed: seedOf(t), numRuns: sized(700), endOnFailure: true });
  t.ok(accepted.length > 60 && refused > 30, `${accepted.length} accepted, ${refused} refused`);
  t.doesNotThrow(() => held(accepted));
});

t.test('polygons that cross each other without end are no zone', async (t) => {
  const { registry } = openRegistry(t);
  const far = Array.from({ length: 8 }, () => 5_000);
  const coordinates = Array.from({ length: 500 }, (_, i) => [starRing([24.94, 60.17], far, i / 12)]);
  const spec = zoneSpecSchema.parse({ name: 'knot', kind: 'alert', geometry: { type: 'MultiPolygon', coordinates } });
  t.throws(() => registry.zones.create(spec, systemActor), { message: /cross each other too often/ });
});

t.test('as many zones as are accepted leave room for assets', async (t) => {
  const { registry } = openRegistry(t);
  const spec = (i: number) =>
    zoneSpecSchema.parse({
      name: `zone ${i}`,
      kind: 'protected',
      geometry: { type: 'Point', coordinates: [i / 10, 1], radius_m: 10 },
    });
  for (let i = 0; i < 800; i++) registry.zones.create(spec(i), systemActor);
  t.throws(() => registry.zones.create(spec(800), systemActor), { message: /already has 800 zones/ });
  const site = new Site();
  const assets = Array.from({ length: 250 }, (_, i) => ({
    ...{ id: `asset ${String(i).padStart(3, '0')}`, name: '', latDeg: 2, lonDeg: i / 10 },
    ...{ priority: i < 50 ? 1 : 5, groundAltHaeM: Number.NaN },
  }));
  site.set({ zones: registry.zones.list().map((zone) => zoneValue(zone, heights)), assets });
  site.update(0, 5_000);
  new Areas(1).set(site.protectedAreas.map(({ value }) => value));
  t.equal(site.protectedAreas.length, 1_000);
  t.equal(site.leftOut, 50);
  t.notOk(
    site.protectedAreas.some(({ id }) => id === 'asset 049'),
    'those of the least priority',
  );
});
