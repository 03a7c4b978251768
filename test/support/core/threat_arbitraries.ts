import fc from 'fast-check';
import type { Situation } from '../../../src/core/threat/situation.ts';
import type { DecisionPolicy } from '../../../src/model/decision_config.ts';
import { defaultPolicy } from '../../../src/model/decision_defaults.ts';
import { trackStates } from '../../../src/model/track.ts';
import { type Flyer, restOf, type Thing, type Vector } from './threat_world.ts';

const real = (min: number, max: number): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true });
/** From far away to where the last metres count, as often one as the other. */
const placeM = fc.oneof(real(-6_000, 6_000), real(-600, 600), real(-60, 60));
const share = real(0, 1);

const disc = fc.record({
  middle: fc.tuple(real(-300, 300), real(-300, 300)),
  radiusM: fc.oneof(fc.constant(0), real(5, 1_500)),
});
const polygon = fc
  .tuple(
    fc.integer({ min: 3, max: 9 }),
    real(20, 1_500),
    real(0, 6.3),
    fc.array(real(-0.3, 0.3), { minLength: 9, maxLength: 9 }),
  )
  .map(([count, radius, turn, jitter]) => ({
    corners: Array.from({ length: count }, (_, i) => {
      const angle = turn + ((i + (jitter[i] ?? 0)) * 2 * Math.PI) / count;
      return [radius * Math.cos(angle), radius * Math.sin(angle)] as const;
    }),
  }));

export const thing = (id = 'a'): fc.Arbitrary<Thing> =>
  fc.record({
    id: fc.constant(id),
    kind: fc.constantFrom<Thing['kind'][]>('zone', 'asset'),
    importance: fc.constantFrom(1, 0.6, 0.3),
    ceilingM: fc.constantFrom(120, 300, Number.POSITIVE_INFINITY),
    shape: fc.oneof(disc, polygon),
  });

export const things: fc.Arbitrary<Thing[]> = fc.tuple(thing('a'), thing('b'), thing('c')).map((all) => [...all]);

const rest: fc.Arbitrary<Flyer['rest']> = fc
  .record({
    state: fc.constantFrom(...trackStates),
    existence: fc.oneof(fc.constant(1), share),
    positionSigmaM: fc.oneof(fc.constant(Number.NaN), real(1, 60)),
    affiliation: fc.constantFrom<Situation['affiliation'][]>('unknown', 'unknown', 'friend', 'hostile', 'neutral'),
    affiliationBasis: fc.constantFrom<Situation['affiliationBasis'][]>('remote_id', 'telemetry', 'assignment'),
    named: fc.boolean(),
    nameRequired: fc.boolean(),
    verdict: fc.constantFrom<Situation['verdict'][]>('unchecked', 'consistent', 'suspect'),
    integrityScore: share,
    crewed: fc.oneof(fc.constant(0), share),
    bird: fc.oneof(fc.constant(0), share),
    emergency: fc.boolean(),
    groupSize: fc.integer({ min: 1, max: 12 }),
    visits: fc.integer({ min: 0, max: 6 }),
    loiterS: real(0, 300),
  })
  .map(restOf);

const velocity: fc.Arbitrary<Vector> = fc.tuple(real(-30, 30), real(-30, 30), real(-6, 6));
export const flyer: fc.Arbitrary<Flyer> = fc.record({
  place: fc.tuple(placeM, placeM, fc.oneof(real(0, 150), real(0, 1_500))),
  velocity: fc.oneof(velocity, fc.constant([0, 0, 0] as const)),
  rest,
});

/** Any policy's weights that may be saved, with the curves of the default. */
export const policies: fc.Arbitrary<DecisionPolicy> = fc.oneof(
  fc.constant(defaultPolicy),
  fc
    .record(
      Object.fromEntries(
        Object.entries(defaultPolicy.weights).map(([name, points]) => [
          name,
          points < 0 ? real(name === 'remote_id_friend' || name === 'emergency' ? -20 : -100, 0) : real(0, 100),
        ]),
      ),
    )
    .map((weights) => ({ ...defaultPolicy, weights: weights as DecisionPolicy['weights'] })),
);
