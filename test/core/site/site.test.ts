import t from 'tap';
import { Site } from '../../../src/core/site/site.ts';
import { zoneSentence } from '../../../src/core/site/zone_sentence.ts';
import type { Asset } from '../../../src/model/asset.ts';
import type { ZoneEvent } from '../../../src/model/firing.ts';
import { assetValue } from '../../../src/world/site_plan.ts';
import { zoneOf } from '../../support/core/zone_site.ts';

const NEAR_M = 5_000;

const at = '2026-01-01T00:00:00Z';
const asset = (more: object = {}): Asset => ({
  ...{ id: 'mast', workspace_id: 'w', environment: 'live', name: 'Mast', kind: 'station', domain: null },
  ...{ provenance: 'live', affiliation: 'friend', paired: false, connection: 'never', spec: {}, performance: null },
  ...{ placement: { lat: 60, lon: 25 }, payloads: null, version: 1, created_at: at, updated_at: at },
  ...more,
});

t.test('floors and ceilings are told above the ellipsoid, as they are in the middle of the zone', async (t) => {
  const level = { floor_m: 20, ceiling_m: null };
  const asked: number[][] = [];
  const heights = {
    groundAltHaeM: (...place: number[]) => asked.push(place) && 400,
    haeOfMsl: (msl: number, ...place: number[]) => asked.push(place) && msl + 48,
  };
  const ring = [
    [179, -10],
    [-179, -10],
    [-179, -8],
    [179, -8],
    [179, -10],
  ];
  const geometry = { type: 'Polygon', coordinates: [ring] };
  t.match(zoneOf({ geometry, datum: 'hae', ...level }, heights), {
    floorM: 20,
    ceilingM: Infinity,
    above: 'ellipsoid',
  });
  t.match(zoneOf({ geometry, datum: 'msl', ...level }, heights), { floorM: 68, ceilingM: Infinity, overGround: false });
  const agl = zoneOf({ geometry, ...level, ceiling_m: 120 }, heights);
  t.match(agl, { floorM: 420, ceilingM: 520, overGround: true, above: 'ellipsoid', groundAltHaeM: 400 });
  for (const [lat = 0, lon = 0] of asked) t.ok(Math.abs(lat + 9.2) < 0.5 && Math.abs(lon) > 179.5, `${lat} ${lon}`);
  const unknown = zoneOf({ geometry, ...level }, { groundAltHaeM: () => null });
  t.match(unknown, { floorM: 20, ceilingM: Infinity, overGround: true, above: 'ground', groundAltHaeM: Number.NaN });
  const endless = zoneOf({ geometry }, { groundAltHaeM: () => null });
  t.match(endless, { floorM: -Infinity, ceilingM: Infinity, above: 'ellipsoid' }, 'no height is asked for');
});

t.test('a zone from the ground on is open downwards: the ground is not the same everywhere under it', async (t) => {
  const agl = { floor_m: 0, ceiling_m: 120 };
  t.match(zoneOf(agl, { groundAltHaeM: () => 400 }), { floorM: -Infinity, ceilingM: 520 });
  t.match(zoneOf(agl, { groundAltHaeM: () => null }), { floorM: -Infinity, ceilingM: 120, above: 'ground' });
  t.match(zoneOf({ ...agl, datum: 'hae' }), { floorM: 0 });
});

t.test('protected is what is ours, stands by its own placement and stays there', async (t) => {
  const heights = { groundAltHaeM: () => 12, haeOfMsl: (msl: number) => msl };
  const isOne = (more: object): boolean => assetValue(asset(more), heights) !== null;
  t.same(assetValue(asset(), heights), {
    id: 'mast',
    name: 'Mast',
    latDeg: 60,
    lonDeg: 25,
    priority: 5,
    groundAltHaeM: 12,
  });
  for (const kind of ['sensor', 'station', 'dock', 'relay', 'other']) t.ok(isOne({ kind }), kind);
  for (const kind of ['platform', 'team', 'emitter']) t.notOk(isOne({ kind }), kind);
  t.ok(isOne({ placement: { lat: 60, lon: 25, mount: 'fixed' } }));
  t.notOk(isOne({ placement: null }));
  t.notOk(isOne({ placement: { lat: 60, lon: 25, mount: 'mobile' } }));
  t.notOk(isOne({ placement: { mount: 'carried', carried_by: 'van' } }));
  t.notOk(isOne({ domain: 'air' }));
  t.notOk(isOne({ affiliation: 'hostile' }));
});

t.test('things are another list when what holds is another, and else the same one', async (t) => {
  const site = new Site();
  t.notOk(site.update(0, NEAR_M), 'nothing is nothing');
  const night = zoneOf({ id: 'night', schedule: { from: '22:00', to: '06:00', days: ['mon'], tz: 'UTC' } });
  const zones = [night, zoneOf({ id: 'off', enabled: false }), zoneOf({ id: 'always', alarm: { eta_s: 90 } })];
  const mast = { id: 'mast', name: 'Mast', latDeg: 60, lonDeg: 25, priority: 5, groundAltHaeM: Number.NaN };
  site.set({ zones, assets: [mast] });
  const monday = Date.parse('2026-06-01T21:59:59Z');
  const ids = (): string[] => site.protectedAreas.map(({ id }) => id);
  t.ok(site.update(monday, NEAR_M));
  t.same(ids(), ['always', 'mast']);
  t.equal(site.longestEtaS, 90);
  const { protectedAreas: things } = site;
  t.notOk(site.update(monday + 500, NEAR_M));
  t.equal(site.protectedAreas, things);
  t.ok(site.update(monday + 1_000, NEAR_M), 'the hour takes effect with its minute');
  t.same(ids(), ['night', 'always', 'mast']);
  t.notOk(site.update(monday + 60_000, NEAR_M));
  t.ok(site.update(Date.parse('2026-06-02T06:00:00Z'), NEAR_M));
  t.same(ids(), ['always', 'mast']);
  t.ok(site.update(Date.parse('2026-06-02T06:00:00Z'), 9_000), 'who is told of is another matter');
  site.set({ zones, assets: [] });
  t.ok(site.update(Date.parse('2026-06-02T06:00:01Z'), 9_000));
  t.same(ids(), ['always']);
});

t.test('things are scored and measured by their kind, and told of until they have been left', async (t) => {
  const site = new Site();
  const kinds = ['protected', 'alert', 'warning', 'keep_out', 'keep_in', 'ignore'] as const;
  const alarm = { hysteresis_m: 7_000 };
  site.set({ zones: kinds.map((kind) => zoneOf({ id: kind, kind, alarm })), assets: [] });
  site.update(0, NEAR_M);
  t.same(
    site.protectedAreas.map(({ importance, value }) => [importance, value.measured]),
    [
      [1, true],
      [0.6, true],
      [0.3, true],
      [0, false],
      [0, false],
      [0, false],
    ],
  );
  for (const { value } of site.protectedAreas) t.ok(value.nearM > 7_000);
});

t.test('what happened is told so that nobody takes one thing for another', async (t) => {
  const event = {
    zoneId: 'z',
    trackId: 't',
    transition: 'exit',
    atMs: 0,
    etaS: null,
    because: 'flown',
    height: 'altitude',
  } as const;
  const say = (more: Partial<ZoneEvent>): string => zoneSentence({ ...event, ...more }, 'T-0042', 'Fence');
  t.equal(say({}), 'T-0042 left Fence.');
  t.equal(say({ because: 'closed' }), 'T-0042 was last seen in Fence and is no longer tracked.');
  t.equal(say({ transition: 'approach', etaS: 41.7 }), 'T-0042 will enter Fence in 42 s on its present course.');
  t.equal(
    say({ transition: 'enter', height: 'takeoff' }),
    'T-0042 entered Fence, judged by its height above its take-off point.',
  );
  const all = (['flown', 'zone', 'track', 'closed', 'dropped', 'merged'] as const).map((because) => say({ because }));
  t.equal(new Set(all).size, all.length);
});

t.test('what weighs most has the least number, so that it is told of before what lies round it', async (t) => {
  const site = new Site();
  const zones = [
    zoneOf({ id: 'clutter', kind: 'ignore' }),
    zoneOf({ id: 'county', kind: 'warning', priority: 10 }),
    zoneOf({ id: 'yard', kind: 'protected', priority: 2 }),
    zoneOf({ id: 'vault', kind: 'protected', priority: 5 }),
  ];
  site.set({ zones, assets: [] });
  site.update(0, NEAR_M);
  t.same(
    site.protectedAreas.map(({ id }) => id),
    ['vault', 'yard', 'county', 'clutter'],
  );
});
