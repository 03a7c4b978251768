import fc from 'fast-check';
import t from 'tap';
import { AreaRelations } from '../../../src/core/assess/area_relations.ts';
import { situate } from '../../../src/core/assess/situate.ts';
import { Watched } from '../../../src/core/assess/watched.ts';
import { type ProtectedArea, Site } from '../../../src/core/site/site.ts';
import { AreaPoints } from '../../../src/core/threat/area_points.ts';
import { Situation } from '../../../src/core/threat/situation.ts';
import { ThreatScorer } from '../../../src/core/threat/threat_scorer.ts';
import { Areas, areaStates } from '../../../src/core/tracking/areas.ts';
import { TrackRecord } from '../../../src/core/tracks/track_record.ts';
import type { DecisionPolicy } from '../../../src/model/decision_config.ts';
import { AREA, AREA_HEAD, AREA_STATE, TRACK } from '../../../src/model/rows/layouts.ts';
import { ROW_WIDTH } from '../../../src/model/track_row.ts';
import { latLonOf, placeAt } from '../../support/basics/place.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { starRing } from '../../support/basics/shapes.ts';
import { sized } from '../../support/basics/size.ts';
import { flyer, policies, things } from '../../support/core/threat_arbitraries.ts';
import { situationOf } from '../../support/core/threat_world.ts';
import { middle, zoneOf } from '../../support/core/zone_site.ts';

const HORIZON_S = 360;
const SIDE_M = 6_000;

t.test('no standing counts more than it may count at most', async (t) => {
  fc.assert(
    fc.property(flyer, things, policies, (flyer, things, policy) => {
      const situation = situationOf(flyer, things);
      const { relations: standings } = situation;
      const points = new AreaPoints();
      points.columns(standings.length).set(standings);
      points.bound(situation, policy);
      for (const [i, { heightGapM, dwellS }] of standings.entries()) {
        const most = points.of(i);
        points.settle(i, heightGapM, dwellS, situation, policy);
        if (points.of(i) > most) throw new Error(`${points.of(i)} of at most ${most}`);
      }
      return true;
    }),
    { seed: seedOf(t), numRuns: sized(4_000) },
  );
  t.pass();
});

const share = fc.double({ min: 0, max: 1, noNaN: true });
const place = fc.record({ east: share, north: share });
const fence = fc.record({
  at: place,
  sizeM: fc.integer({ min: 50, max: 3_000 }),
  // Few kinds, so that some are alike.
  kind: fc.constantFrom<ZoneKind[]>('protected', 'protected', 'protected', 'alert', 'warning', 'keep_out'),
  ceilingM: fc.constantFrom(100, 100, 300),
  floorM: fc.constantFrom(0, 0, 60),
  stayedS: fc.constantFrom(0, 40, 45, 119, 119.5, 500, 600),
});
const flown = fc.record({
  at: place,
  way: share,
  speedMps: fc.integer({ min: 0, max: 60 }),
  altHaeM: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 600 })),
});
const pilot = fc.option(fc.integer({ min: 0, max: 900 }));
const stays = fc.integer({ min: 0, max: 600 });

t.test('the score of those that it may be about is the score of all, about the same thing', async (t) => {
  const sites = fc.record({ fences: fc.array(fence, { maxLength: 12 }), masts: fc.array(place, { maxLength: 6 }) });
  fc.assert(
    fc.property(
      sites,
      fc.array(flown, { minLength: 5, maxLength: 20 }),
      policies,
      pilot,
      stays,
      (site, flights, policy, pilotM, loiterS) => {
        const yard = new Yard(site.fences, site.masts, policy);
        for (const flight of flights) yard.compare(flight, policy, pilotM, loiterS);
        return true;
      },
    ),
    { seed: seedOf(t), numRuns: sized(300) },
  );
  t.pass();
});

type Fence = { at: Spot; sizeM: number; kind: ZoneKind; floorM: number; ceilingM: number; stayedS: number };
type ZoneKind = 'protected' | 'alert' | 'warning' | 'keep_out';
type Spot = { east: number; north: number };
type Flown = { at: Spot; way: number; speedMps: number; altHaeM: number };

const placeOf = ({ east, north }: Spot) =>
  placeAt(placeAt(middle, 90, (east - 0.5) * SIDE_M), 0, (north - 0.5) * SIDE_M);

/** A site as the core measures it, and a track in it. */
class Yard {
  readonly #areas = new Areas(1);
  readonly #site = new Site();
  /** How long whoever is in a fence has been there, by its id. */
  readonly #stayedS: ReadonlyMap<string, number>;

  constructor(fences: readonly Fence[], masts: readonly Spot[], { curves }: DecisionPolicy) {
    this.#stayedS = new Map(fences.map(({ stayedS }, i) => [`fence-${i}`, stayedS]));
    const zones = fences.map(({ at, sizeM, kind, floorM, ceilingM }, i) => {
      const { lat, lon } = placeOf(at);
      const ring = starRing([lon, lat], [sizeM, sizeM / 2, sizeM, sizeM / 3, sizeM]);
      const geometry = { type: 'Polygon', coordinates: [ring] };
      return zoneOf({ id: `fence-${i}`, kind, geometry, floor_m: floorM, ceiling_m: ceilingM });
    });
    const assets = masts.map((at, i) => ({
      id: `mast-${i}`,
      name: `mast ${i}`,
      ...latLonOf(placeOf(at)),
      priority: 5,
      groundAltHaeM: 0,
    }));
    this.#site.set({ zones, assets });
    this.#site.update(0, curves.proximity_far_m, curves.open_ceiling_m);
    this.#areas.set(this.#site.protectedAreas.map(({ value }) => value));
  }

  compare({ at, way, speedMps, altHaeM }: Flown, policy: DecisionPolicy, pilotM: number | null, loiterS: number): void {
    const { lat, lon } = placeOf(at);
    const [east, north] = [speedMps * Math.sin(2 * Math.PI * way), speedMps * Math.cos(2 * Math.PI * way)];
    const states = areaStates(1);
    states.set([1, lat, lon, altHaeM, east, north, 0], AREA_STATE.number);
    const { heads, rows } = this.#areas.measureStates(states, HORIZON_S);
    const row = new Float64Array(ROW_WIDTH);
    row[TRACK.state] = 1;
    row.set([lat, lon, altHaeM, east, north, 0], TRACK.latDeg);
    row[TRACK.majorM] = 5;
    row[TRACK.confidence] = 1;
    const watched = new Watched(new TrackRecord('track', 1, 0));
    watched.take(row, 0);
    watched.loiterS = loiterS;
    const told = { rows, from: 0, measured: heads[AREA_HEAD.measured] ?? 0 };
    const { protectedAreas: things } = this.#site;
    // The pilot stands somewhere, so far from some of the things.
    const distances = new Map(things.map((_, i) => [i, (pilotM ?? 0) + 70 * ((5 * i) % 7)]));
    const zones = { dwellS: ({ id }: ProtectedArea) => this.#stayedS.get(id) ?? 0 };
    const unmeasured = { zones, pilot: pilotM === null ? new Map<number, number>() : distances, nowMs: 0 };
    const scorer = new ThreatScorer();
    const relations = new AreaRelations(scorer.areas);
    relations.take(things, told, watched, unmeasured);
    relations.noteNearest(watched.facts);
    const situation = situate(watched, [], { nowMs: 0, policy, listens: true }, new Situation(''));
    const chosen = relations.choose(situation, policy);
    const points = scorer.total(chosen < 0 ? 0 : scorer.areas.of(chosen), situation, policy);
    const about = chosen < 0 ? undefined : relations.at(chosen).id;
    situation.relations = relations.all(policy);
    const all = scorer.score(situation, policy);
    if (all.score !== points || all.relation?.id !== about)
      throw new Error(`${points} about ${about}, of all ${all.score} about ${all.relation?.id}`);
    const nearest = situation.relations.reduce(
      (least, { distanceM }) => Math.min(least, distanceM),
      Number.POSITIVE_INFINITY,
    );
    const found = watched.facts.nearest?.distanceM ?? Number.POSITIVE_INFINITY;
    if (found !== nearest) throw new Error(`the nearest is at ${nearest}, found at ${found}: ${rows[AREA.distanceM]}`);
  }
}
