import { Situation } from '../../../src/core/threat/situation.ts';
import { restOf, situationOf, type Thing } from '../../support/core/threat_world.ts';

/** A plant of 200 m radius, protected up to 300 m, and what flies about it. */
export const plant: Thing = {
  id: 'plant',
  kind: 'zone',
  importance: 1,
  ceilingM: 300,
  shape: { middle: [0, 0], radiusM: 200 },
};

type Flight = {
  /** From the edge; negative inside. */
  fromM?: number;
  upM?: number;
  mps?: number;
  climbMps?: number;
  /** Between its course and the way straight to the middle. */
  offDeg?: number;
  dwellS?: number;
  operatorM?: number;
  importance?: number;
};

/** A drone 1 km from the plant's edge, 80 m up, straight at it at 12 m/s, without a name where one is required. */
export function drone(flight: Flight = {}, change: Partial<Situation> = {}): Situation {
  const { fromM = 1_000, upM = 80, mps = 12, climbMps = 0, offDeg = 0 } = flight;
  const off = (offDeg * Math.PI) / 180;
  const situation = situationOf(
    {
      place: [200 + fromM, 0, upM],
      velocity: [-mps * Math.cos(off), mps * Math.sin(off), climbMps],
      rest: restOf({ nameRequired: true, ...change }),
    },
    [{ ...plant, importance: flight.importance ?? 1 }],
  );
  const { dwellS = 0, operatorM = Number.NaN } = flight;
  const standings = situation.relations.map((standing) => ({ ...standing, dwellS, operatorDistanceM: operatorM }));
  return { ...situation, relations: standings };
}

const honest: Partial<Situation> = { named: true, verdict: 'consistent', integrityScore: 1 };
const unchecked: Partial<Situation> = { named: true, verdict: 'unchecked' };
const liar: Partial<Situation> = {
  named: true,
  verdict: 'suspect',
  integrityScore: 0,
  doubts: ['its clock stands still'],
};
const claimed: Partial<Situation> = { ...honest, affiliation: 'friend', affiliationBasis: 'remote_id' };
const ours: Partial<Situation> = { ...honest, affiliation: 'friend', affiliationBasis: 'telemetry' };
const hostile: Partial<Situation> = { affiliation: 'hostile', affiliationBasis: 'assignment' };
const neutral: Partial<Situation> = { affiliation: 'neutral', affiliationBasis: 'assignment' };
const airliner: Partial<Situation> = { ...honest, crewed: 1 };

export type Ordering = { worse: Situation; than: Situation; why: string };
const order = (worse: Situation, than: Situation, why: string): Ordering => ({ worse, than, why });

/** Each pair is what an officer of the watch would look at first, and why. */
export const orderings: readonly Ordering[] = [
  // Proximity: range, time to reach, closest approach.
  order(drone({ fromM: 600 }), drone({ fromM: 1_200 }), 'of two that come at one speed the nearer is there sooner'),
  order(drone({ mps: 20 }), drone({ mps: 8 }), 'of two at one distance the faster is there sooner'),
  order(drone(), drone({ offDeg: 180 }), 'what comes matters more than what goes'),
  order(drone(), drone({ offDeg: 90 }), 'what comes matters more than what passes across'),
  order(drone({ offDeg: 10 }), drone({ offDeg: 40 }), 'what will pass near matters more than what will pass far off'),
  order(drone({ mps: 0 }), drone({ offDeg: 180 }), 'what stands may come yet; what goes is going, and is soon farther'),
  order(
    drone({ fromM: 1_500, mps: 25 }),
    drone({ fromM: 1_000, mps: 6 }),
    'a fast one farther off is there first: time counts, not distance',
  ),
  order(drone({ fromM: 1_000, mps: 15 }), drone({ fromM: 3_000, mps: 15 }), 'three minutes away there is time to look'),
  order(drone({ fromM: 3_000 }), drone({ fromM: 8_000 }), 'beyond the far bound it is traffic'),
  order(
    drone({ fromM: 300, mps: 0 }),
    drone({ fromM: 3_000, mps: 0 }),
    'of two that stand the nearer could be there sooner',
  ),
  order(
    drone({ fromM: 200, offDeg: 90 }),
    drone({ fromM: 2_000, offDeg: 90 }),
    'of two that pass across the nearer passes nearer',
  ),
  order(
    drone({ fromM: 400, offDeg: 20 }),
    drone({ fromM: 400, offDeg: 120 }),
    'a slanting approach is an approach, flying off is none',
  ),
  // In, over and at the thing.
  order(drone({ fromM: -50, mps: 0 }), drone({ fromM: 100, mps: 0 }), 'in the zone is worse than beside it'),
  order(drone({ fromM: -50, mps: 0 }), drone({ fromM: 400, mps: 20 }), 'one that is there outranks one that is coming'),
  order(drone({ fromM: -50, upM: 100 }), drone({ fromM: -50, upM: 450 }), 'over the ceiling is not yet in the zone'),
  order(
    drone({ fromM: -50, upM: 450 }),
    drone({ fromM: -50, upM: 3_000 }),
    'far over the zone it passes, just over it it may come down',
  ),
  order(
    drone({ fromM: -50, upM: 450, climbMps: -6 }),
    drone({ fromM: -50, upM: 450, climbMps: 3 }),
    'over the zone, what comes down is worse than what climbs away',
  ),
  order(
    drone({ fromM: -50, mps: 2, dwellS: 180 }),
    drone({ fromM: -50, mps: 2, dwellS: 5 }),
    'what stays in the zone has business there',
  ),
  order(drone({ fromM: 20, mps: 0 }), drone({ fromM: 300, mps: 0 }), 'at the fence is almost in'),
  order(
    drone({ fromM: -50, upM: Number.NaN }),
    drone({ fromM: 300, upM: 80 }),
    'a height that nobody knows counts as inside',
  ),
  order(
    drone({ fromM: 500, importance: 1 }),
    drone({ fromM: 500, importance: 0.3 }),
    'a protected zone counts more than one that only warns',
  ),
  order(drone({ fromM: -50 }), new Situation('T'), 'where nothing is protected nothing is threatened'),
  // Height and stay.
  order(drone({ fromM: 500, upM: 30 }), drone({ fromM: 500, upM: 280 }), 'low it is seen late and hides behind roofs'),
  order(
    drone({ fromM: 700, mps: 1 }, { loiterS: 170 }),
    drone({ fromM: 700, mps: 1 }, { loiterS: 20 }),
    'what circles near the fence watches it',
  ),
  order(
    drone({ fromM: 700, mps: 1 }, { loiterS: 170 }),
    drone({ fromM: 4_500, mps: 1 }, { loiterS: 170 }),
    'circling far off concerns others',
  ),
  // Identity.
  order(drone(), drone({}, honest), 'without a name, where one is required, it hides'),
  order(drone({}, unchecked), drone({}, honest), 'a name that sensors bear out is worth more than a name alone'),
  order(drone(), drone({}, unchecked), 'silence is worse than an unproven word'),
  order(drone({}, liar), drone({}, unchecked), 'who is found to lie has a reason to'),
  order(drone({}, liar), drone(), 'a lie is made on purpose, silence may be a broken radio'),
  order(drone(), drone({}, { nameRequired: false }), 'silence says more where speaking is required'),
  order(
    drone({ operatorM: 150 }, unchecked),
    drone({ operatorM: 4_000 }, unchecked),
    'a pilot at the fence has come for what is behind it',
  ),
  order(drone({ fromM: -50 }, honest), drone({ fromM: 2_500 }), 'a name does not excuse being in a protected zone'),
  order(drone({}, { visits: 3 }), drone(), 'who was here on three days comes for something'),
  // Affiliation.
  order(drone({}, hostile), drone(), 'a person holds it for hostile'),
  order(
    drone({ fromM: 3_000 }, hostile),
    drone({ fromM: 3_000 }, liar),
    'what a person knows outranks what a machine suspects',
  ),
  order(drone(), drone({}, neutral), 'a person has looked at it and found it harmless'),
  order(drone({}, honest), drone({}, claimed), 'a registered serial is likely ours'),
  order(drone({}, claimed), drone({}, ours), 'a serial can be copied; a link of our own cannot'),
  order(
    drone({ fromM: -50 }, claimed),
    drone({ fromM: 1_500 }, honest),
    'who only says to be ours does not go unseen in a protected zone',
  ),
  order(drone({}, { ...ours, ...liar }), drone({}, ours), 'of ours that contradicts itself, something is wrong'),
  order(
    drone({ fromM: 4_000, offDeg: 180 }),
    drone({ fromM: -50 }, ours),
    'our own vehicle at home is no threat at all',
  ),
  // What it is, and how sure.
  order(
    drone({ mps: 60, upM: 250 }, honest),
    drone({ mps: 60, upM: 250 }, airliner),
    'with people on board it is traffic, to be kept away from',
  ),
  order(
    drone({ fromM: -50, upM: 200 }, { ...airliner, ...liar }),
    drone({ fromM: -50, upM: 200 }, airliner),
    'who lies is not believed to have people on board either',
  ),
  order(
    drone({ fromM: -50, upM: 80 }, honest),
    drone({ fromM: -50, upM: 10_000 }, airliner),
    'an airliner at its level is not in the plant, however wide its zone',
  ),
  order(drone(), drone({}, { bird: 0.95 }), 'a bird is a bird'),
  order(drone(), drone({}, { bird: 0.3 }), 'what may be a bird counts a little less, and only a little'),
  order(drone({}, { bird: 0.3 }), drone({}, { bird: 0.95 }), 'the surer it is a bird the less it matters'),
  order(
    drone({ fromM: 300 }),
    drone({ fromM: 300 }, { existence: 0.4 }),
    'what is surely there outranks what may be clutter',
  ),
  order(
    drone({ fromM: -50 }),
    drone({ fromM: -50 }, { state: 'tentative' }),
    'one plot in the zone is not yet an aircraft in the zone',
  ),
  order(
    drone({ fromM: 800, offDeg: 25 }, { positionSigmaM: 150 }),
    drone({ fromM: 800, offDeg: 25 }, { positionSigmaM: 5 }),
    'where its place is hardly known, a near miss may be a hit',
  ),
  // Company.
  order(drone({}, { groupSize: 8 }), drone(), 'eight together are planned'),
  order(drone({}, { groupSize: 8 }), drone({}, { groupSize: 3 }), 'eight are harder to follow than three'),
  order(
    drone({ fromM: 500 }),
    drone({ fromM: 4_000 }, { groupSize: 8 }),
    'one at the fence comes before eight on the horizon',
  ),
  order(
    drone(),
    drone({}, { ...unchecked, emergency: true }),
    'an aircraft in need comes down, and does not come for us',
  ),
];
