import fc from 'fast-check';
import t from 'tap';
import { AreaRelations } from '../../../src/core/assess/area_relations.ts';
import { situate } from '../../../src/core/assess/situate.ts';
import { Watched } from '../../../src/core/assess/watched.ts';
import { Site } from '../../../src/core/site/site.ts';
import { Situation } from '../../../src/core/threat/situation.ts';
import { ThreatScorer } from '../../../src/core/threat/threat_scorer.ts';
import { Areas, areaStates } from '../../../src/core/tracking/areas.ts';
import { TrackRecord } from '../../../src/core/tracks/track_record.ts';
import { defaultPolicy } from '../../../src/model/decision_defaults.ts';
import { AREA_HEAD, AREA_STATE, TRACK } from '../../../src/model/rows/layouts.ts';
import { ROW_WIDTH } from '../../../src/model/track_row.ts';
import { latLonOf, placeAt } from '../../support/basics/place.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { starRing } from '../../support/basics/shapes.ts';
import { sized } from '../../support/basics/size.ts';
import { middle, zoneOf } from '../../support/core/zone_site.ts';

const HORIZON_S = 360;
const MOST_POINTS = 5;

type State = { bearing: number; metres: number; course: number; speed: number; altHaeM: number };

/** A site with a fence of any form and a mast, as the core measures it. */
class Yard {
  readonly #areas = new Areas(1);
  readonly #site = new Site();

  constructor(distances: readonly number[]) {
    const ring = starRing([middle.lon, middle.lat], [...distances]);
    const fence = zoneOf({ geometry: { type: 'Polygon', coordinates: [ring] }, ceiling_m: 120 });
    const mast = { id: 'mast', name: 'mast', ...latLonOf(placeAt(middle, 40, 900)), priority: 5, groundAltHaeM: 0 };
    this.#site.set({ zones: [fence], assets: [mast] });
    this.#site.update(0, defaultPolicy.curves.proximity_far_m, defaultPolicy.curves.open_ceiling_m);
    this.#areas.set(this.#site.protectedAreas.map(({ value }) => value));
  }

  score(state: State): number {
    const { lat, lon } = placeAt(middle, state.bearing, state.metres);
    const way = (state.course * Math.PI) / 180;
    const [east, north] = [state.speed * Math.sin(way), state.speed * Math.cos(way)];
    const states = areaStates(1);
    states.set([1, lat, lon, state.altHaeM, east, north, 0], AREA_STATE.number);
    const { heads, rows } = this.#areas.measureStates(states, HORIZON_S);
    const watched = new Watched(new TrackRecord('track', 1, 0));
    watched.take(rowOf(lat, lon, state.altHaeM, east, north), 0);
    const told = { rows, from: 0, measured: heads[AREA_HEAD.measured] ?? 0 };
    const unmeasured = { zones: undefined, pilot: new Map<number, number>(), nowMs: 0 };
    const scorer = new ThreatScorer();
    const relations = new AreaRelations(scorer.areas);
    relations.take(this.#site.protectedAreas, told, watched, unmeasured);
    const around = { nowMs: 0, policy: defaultPolicy, listens: false };
    const situation = situate(watched, relations.all(defaultPolicy), around, new Situation(''));
    return scorer.score(situation, defaultPolicy).score;
  }
}

function rowOf(lat: number, lon: number, altHaeM: number, east: number, north: number): Float64Array {
  const row = new Float64Array(ROW_WIDTH);
  row[TRACK.state] = 1;
  row.set([lat, lon, altHaeM, east, north, 0], TRACK.latDeg);
  row[TRACK.majorM] = 5;
  row[TRACK.confidence] = 1;
  return row;
}

const real = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const yards = fc.array(real(100, 1_500), { minLength: 3, maxLength: 12 });
const states = fc.record({
  bearing: real(0, 360),
  metres: real(0, 4_000),
  course: real(0, 360),
  speed: real(0, 40),
  altHaeM: real(0, 800),
});

t.test('a metre or a tenth of a metre a second moves no score by more than 5 points', async (t) => {
  const steps = fc.constantFrom<(state: State) => State>(
    (state) => ({ ...state, metres: state.metres + 1 }),
    (state) => ({ ...state, bearing: state.bearing + (57.3 * 1) / Math.max(1, state.metres) }),
    (state) => ({ ...state, altHaeM: state.altHaeM + 1 }),
    (state) => ({ ...state, speed: state.speed + 0.1 }),
    (state) => ({ ...state, course: state.course + (57.3 * 0.1) / Math.max(0.1, state.speed) }),
  );
  const property = fc.property(yards, states, steps, (distances, state, step) => {
    const yard = new Yard(distances);
    const [before, after] = [yard.score(state), yard.score(step(state))];
    if (Math.abs(after - before) <= MOST_POINTS) return true;
    throw new Error(`${before.toFixed(2)} became ${after.toFixed(2)}`);
  });
  t.doesNotThrow(() => fc.assert(property, { seed: seedOf(t), numRuns: sized(3_000) }));
});
