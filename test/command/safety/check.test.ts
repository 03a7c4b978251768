import t from 'tap';
import { moveRefusal, type Surroundings } from '../../../src/command/safety/check.ts';
import { energyFor } from '../../../src/command/safety/energy.ts';
import { fencesOf, holding } from '../../../src/command/safety/fence.ts';
import { pathOf } from '../../../src/command/safety/path.ts';
import { defaultPolicy } from '../../../src/model/decision_defaults.ts';
import { positionAt } from '../../support/basics/place.ts';
import { AT_MS, square, track, zone } from '../../support/fleet/airspace.ts';

const home = { latDeg: 48.2, lonDeg: 16.37, altHaeM: 200 };
const at = (azimuthDeg: number, metres: number, altHaeM = 260) => ({
  ...positionAt(home, azimuthDeg, metres),
  altHaeM,
});
const heights = { groundAltHaeM: () => null, haeOfMsl: (msl: number) => msl + 45 };
const clear: Surroundings = {
  ...{ fences: [], paths: [], platforms: [], policy: defaultPolicy, assetId: null },
  reach: { performance: {}, home, box: home, heights },
};
const go = (to: ReturnType<typeof at>, over: Partial<Surroundings> = {}, speedMps = 10) =>
  moveRefusal({ from: at(0, 0), to, speedMps, verb: 'goto' }, { ...clear, ...over });

t.test('what is not known cannot be checked, and is refused', async (t) => {
  t.match(moveRefusal({ from: null, to: at(0, 9), speedMps: 5 }, clear), { reason: 'no_position' });
  t.match(moveRefusal({ from: { ...home, altHaeM: Number.NaN }, to: at(0, 9), speedMps: 5 }, clear), {
    reason: 'no_position',
  });
  t.match(moveRefusal({ from: home, to: { ...home, altHaeM: Number.POSITIVE_INFINITY }, speedMps: 5 }, clear), {
    reason: 'no_position',
  });
  t.match(moveRefusal({ from: home, to: { ...home, altHaeM: Number.NaN }, speedMps: 5 }, clear), {
    reason: 'no_position',
  });
  t.match(go(at(0, 100), { reach: { ...clear.reach, home: null } }), {
    reason: 'no_position',
    text: /ground height is unknown/,
  });
});

t.test('nobody is sent too far, too high, too low or too fast; from beyond it may come back', async (t) => {
  t.equal(go(at(0, 4_900)), null);
  t.match(go(at(0, 5_100)), { reason: 'out_of_range', text: /\d+ m from the take-off point; the limit is 5000 m/ });
  const short = { ...clear.reach, performance: { link_range_m: 800 } };
  t.match(go(at(0, 900), { reach: short }), { reason: 'out_of_range', text: /beyond the range of the link/ });
  t.match(go(at(0, 100, 330)), { reason: 'policy_denied', text: /130 m above ground/ });
  t.match(go(at(0, 100), {}, 30), { reason: 'policy_denied', text: /30.0 m\/s/ });
  t.match(go(at(0, 100, 190)), {
    reason: 'policy_denied',
    text: /ends 10 m below ground; it must end at least 2 m above/,
  });
  t.match(go(at(0, 100, 201)), { reason: 'policy_denied', text: /ends 1 m above ground/ });
  t.equal(go(at(0, 100, 203)), null);
  t.equal(moveRefusal({ from: at(0, 0, 195), to: at(0, 50, 199), speedMps: 10 }, clear), null, 'up out of a valley');
  const region = { ...clear.reach, heights: { ...heights, groundAltHaeM: () => 150 } };
  t.equal(go(at(0, 100, 190), { reach: region }), null, 'a region knows its ground');
  const back = moveRefusal({ from: at(0, 6_000, 400), to: at(0, 5_500, 350), speedMps: 10 }, clear);
  t.equal(back, null);
});

t.test(
  'a vehicle is not sent above its ceiling over sea level, where the air is too thin; from beyond it may come down',
  async (t) => {
    // 45 m is the height of the geoid here: 220 m above sea level are 265 m above the ellipsoid.
    const thin = { ...clear, reach: { ...clear.reach, performance: { ceiling_msl_m: 220 } } };
    t.equal(moveRefusal({ from: at(0, 0), to: at(0, 100, 265), speedMps: 10 }, thin), null);
    t.match(moveRefusal({ from: at(0, 0), to: at(0, 100, 266.5), speedMps: 10 }, thin), {
      reason: 'policy_denied',
      text: 'the path ends 221 m above sea level; the limit of the vehicle is 220 m',
    });
    t.equal(moveRefusal({ from: at(0, 0, 300), to: at(0, 100, 290), speedMps: 10 }, thin), null);
  },
);

t.test('all of it is asked: the first reason is told', async (t) => {
  t.equal(go(at(90, 500)), null);
  const fences = fencesOf(
    [zone({ geometry: { type: 'Polygon', coordinates: [square(positionAt(home, 90, 300), 50)] } })],
    heights,
  );
  t.match(go(at(90, 500), { fences }), { reason: 'keep_out', text: /Tower/ });
  const courses = [track({ ...at(90, 300) })].flatMap((one) => pathOf(one, AT_MS) ?? []);
  t.match(go(at(90, 500), { paths: courses }), { reason: 'keep_out', text: /T-0042/ });
  t.equal(go(at(90, 150), { paths: courses }), null);
  t.match(go(at(90, 150), { paths: courses, standoffM: 200 }), { text: /200 m/ }, 'a command may ask for more');
  const friends = [track({ ...at(90, 300) }, { affiliation: 'friend' })].flatMap((one) => pathOf(one, AT_MS) ?? []);
  t.equal(go(at(90, 500), { paths: friends }), null);
  const own = '00000000-0000-4000-8000-0000000000aa';
  const itself = [track({ ...at(90, 5) }, { asset_id: own })].flatMap((one) => pathOf(one, AT_MS) ?? []);
  t.equal(go(at(90, 500), { paths: itself, assetId: own }), null, 'it keeps no distance from itself');
});

t.test('a zone holds in its hours', async (t) => {
  const hours = { from: '22:00', to: '06:00', days: ['fri' as const], tz: 'UTC' };
  const fences = fencesOf(
    [zone({ geometry: { type: 'Point', coordinates: [0, 0], radius_m: 9 }, schedule: hours })],
    heights,
  );
  t.equal(holding(fences, AT_MS).length, 0);
  t.equal(holding(fences, AT_MS + 11 * 3_600_000).length, 1);
});

t.test('energy is reckoned there and back, from what is known or from a weak vehicle', async (t) => {
  const state = {
    performance: { cruise_speed_mps: 10, endurance_s: 1_200 },
    vehicleType: 'multirotor',
    enduranceS: null,
  } as const;
  const legs = [{ distanceM: 1_000 }, { distanceM: 0, stayS: 240 }, { distanceM: 1_000 }];
  const full = energyFor(legs, { ...state, energyPct: 100, reservePct: 25 });
  t.match(full, { feasible: true, timeS: 480 });
  t.ok(Math.abs((full.afterPct ?? 0) - 60) < 1e-9);
  t.match(energyFor(legs, { ...state, energyPct: 60, reservePct: 25 }), {
    feasible: false,
    text: /return with 20 % of its energy/,
  });
  t.match(energyFor(legs, { ...state, energyPct: 100, enduranceS: 600, reservePct: 25 }), { feasible: false });
  t.match(energyFor(legs, { ...state, energyPct: null, reservePct: 25 }), { afterPct: null, feasible: false });
  const unknown = energyFor(legs, { ...state, performance: {}, energyPct: 100, reservePct: 25 });
  t.match(unknown, { text: /estimated for a/ });
  t.ok((unknown.afterPct ?? 100) < (full.afterPct ?? 0), 'what nobody knows is taken for less');
  const fast = energyFor([{ distanceM: 2_000, speedMps: 20 }], { ...state, energyPct: 100, reservePct: 25 });
  t.ok(
    (fast.afterPct ?? 100) <
      (energyFor([{ distanceM: 2_000 }], { ...state, energyPct: 100, reservePct: 25 }).afterPct ?? 0),
  );
});
