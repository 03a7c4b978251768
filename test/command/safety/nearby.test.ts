import t from 'tap';
import { nearbyOf } from '../../../src/command/safety/airspace.ts';
import { fencesOf } from '../../../src/command/safety/fence.ts';
import { localLegOf } from '../../../src/command/safety/move.ts';
import { type Path, pathOf } from '../../../src/command/safety/path.ts';
import type { Geodetic } from '../../../src/geo/position.ts';
import type { Track } from '../../../src/model/track.ts';
import type { Zone } from '../../../src/model/zone.ts';
import { positionAt } from '../../support/basics/place.ts';
import { AT_MS, track, zone } from '../../support/fleet/airspace.ts';

const home = { latDeg: 48.2, lonDeg: 16.37 };
const at = (azimuthDeg: number, metres: number, altHaeM = 260): Geodetic => ({
  ...positionAt(home, azimuthDeg, metres),
  altHaeM,
});
const tower = {
  geometry: { type: 'Point' as const, coordinates: [home.lonDeg, home.latDeg] as [number, number], radius_m: 100 },
};
const heights = { groundAltHaeM: () => 200, haeOfMsl: (msl: number) => msl + 45 };
const courses = (...of: Track[]): Path[] => of.flatMap((one) => pathOf(one, AT_MS) ?? []);
const near = (
  from: Geodetic,
  to: Geodetic,
  { zones = [], tracks = [] }: { zones?: Zone[]; tracks?: Track[] },
): string[] =>
  nearbyOf('Heron', localLegOf({ from, to }), 10, { fences: fencesOf(zones, heights), paths: courses(...tracks) });

t.test('a way within fifty metres of what is kept out of is told of, and no other', async (t) => {
  const zones = [zone(tower)];
  const said = ['The path of Heron comes within 50 m of the keep-out zone Tower.'];
  t.same(near(at(0, 400), at(0, 140), { zones }), said);
  t.same(near(at(0, 400), at(0, 155), { zones }), []);
  t.same(near(at(0, 400), at(0, 140), { zones: [zone({ ...tower, kind: 'keep_in' })] }), []);
  const low = [zone({ ...tower, ceiling_m: 100, datum: 'agl' })];
  t.same(near(at(270, 400, 340), at(90, 400, 340), { zones: low }), said, 'over it as well');
  t.same(near(at(270, 400, 360), at(90, 400, 360), { zones: low }), []);
});

t.test('aircraft with people on board within two kilometres of the way are told of, at any height', async (t) => {
  const crewed = { classification: [{ type: 'helicopter' as const, confidence: 0.9 }] };
  const way = [at(0, 100), at(0, 400)] as const;
  const judge = (place: Geodetic, more: Partial<Track> = crewed): string[] =>
    near(...way, { tracks: [track(place, more)] });
  t.match(judge(at(90, 1_500, 2_000)), [/^The crewed aircraft T-0042 comes within 1\d{3} m of Heron on its path\.$/]);
  t.same(judge(at(90, 2_100)), []);
  t.same(judge(at(90, 1_500), {}), [], 'what carries nobody is none');
  const comes = track({ ...at(90, 3_000), courseDeg: 270, speedMps: 60 }, crewed);
  t.match(near(...way, { tracks: [comes] }), [/comes within 1\d{3} m/], 'where it will be in half a minute');
});
