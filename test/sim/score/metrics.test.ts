import fc from 'fast-check';
import t from 'tap';
import { seedOf } from '../../support/basics/seed.ts';
import { beginMs, keeperOf, lookAt, placeAt, scenarioOf, trackAt } from '../../support/sim/scored.ts';

const id = (i: number): string => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
const spot = fc.tuple(
  fc.double({ min: -3_000, max: 3_000, noNaN: true }),
  fc.double({ min: -3_000, max: 3_000, noNaN: true }),
  fc.double({ min: 5, max: 300, noNaN: true }),
);
const spots = fc.array(spot, { minLength: 1, maxLength: 12 });
const atMs = (atS: number): number => beginMs + atS * 1000;

t.test('tracks that are where everything is cost nothing', (t) => {
  fc.assert(
    fc.property(spots, (all) => {
      const keeper = keeperOf(scenarioOf({}));
      for (const atS of [1, 2, 3])
        lookAt(
          keeper,
          atS,
          all.map((at, i) => placeAt(`a${i}`, at)),
          all.map((at, i) => trackAt(id(i), atMs(atS), at)),
        );
      const { metrics } = keeper.result();
      const small = [metrics.gospa_m, metrics.ospa_m, metrics.position_rmse_m].every((m) => m !== null && m < 1e-3);
      return small && metrics.completeness === 1 && metrics.false_tracks === 0 && metrics.first_detect_s === 0;
    }),
    { seed: seedOf(t) },
  );
  t.end();
});

t.test('in which order things and tracks are told makes no difference', (t) => {
  const noisy = fc.array(fc.tuple(spot, fc.double({ min: -90, max: 90, noNaN: true })), {
    minLength: 1,
    maxLength: 10,
  });
  fc.assert(
    fc.property(noisy, fc.infiniteStream(fc.nat()), (all, order) => {
      const keys = all.map(() => order.next().value ?? 0);
      const shuffled = <T>(list: readonly T[]): T[] =>
        list
          .map((item, i) => ({ item, key: keys[i] ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ item }) => item);
      const [one, other] = [keeperOf(scenarioOf({})), keeperOf(scenarioOf({}))];
      for (const atS of [1, 2]) {
        const truth = all.map(([at], i) => placeAt(`a${i}`, at));
        const tracks = all.map(([[e, n, u], off], i) => trackAt(id(i), atMs(atS), [e + off, n - off * atS, u]));
        lookAt(one, atS, truth, tracks);
        lookAt(other, atS, shuffled(truth), shuffled(tracks));
      }
      const [a, b] = [one.result().metrics, other.result().metrics];
      const near = (x: number | null, y: number | null): boolean => Math.abs((x ?? 0) - (y ?? 0)) < 1e-9;
      return near(a.gospa_m, b.gospa_m) && near(a.ospa_m, b.ospa_m) && a.completeness === b.completeness;
    }),
    { seed: seedOf(t) },
  );
  t.end();
});

t.test('two tracks that change places are two switches, and one that goes on near enough is none', (t) => {
  const keeper = keeperOf(scenarioOf({}));
  const truth = [placeAt('a', [0, 0, 50]), placeAt('b', [500, 0, 50])];
  const at = (atS: number, first: number, second: number): void =>
    lookAt(keeper, atS, truth, [trackAt(id(1), atMs(atS), [first, 0, 50]), trackAt(id(2), atMs(atS), [second, 0, 50])]);
  at(1, 0, 500);
  at(2, 60, 520);
  t.equal(keeper.result().metrics.id_switches, 0);
  at(3, 500, 0);
  t.equal(keeper.result().metrics.id_switches, 2);
  t.end();
});

t.test('a thing that nobody follows is half of c² and a track of nothing the other half', (t) => {
  const keeper = keeperOf(scenarioOf({}));
  lookAt(keeper, 1, [placeAt('a', [0, 0, 50])], [trackAt(id(1), atMs(1), [1_000, 0, 50])]);
  const { metrics } = keeper.result();
  t.match(metrics, { ospa_m: 100, completeness: 0, false_tracks: 1, first_detect_s: null, position_rmse_m: null });
  t.ok(Math.abs((metrics.gospa_m ?? 0) - 100) < 1e-9);
  t.end();
});

t.test('what is hidden, a bird or on the ground need not be followed, and may be', (t) => {
  const keeper = keeperOf(scenarioOf({}));
  const truth = [
    placeAt('hidden', [0, 0, 50], { visible: false }),
    placeAt('bird', [500, 0, 50], { kind: 'bird' }),
    placeAt('landed', [1_000, 0, 0], { kind: 'asset', airborne: false }),
  ];
  lookAt(keeper, 1, truth, []);
  lookAt(
    keeper,
    2,
    truth,
    [0, 500, 1_000].map((east, i) => trackAt(id(i), atMs(2), [east, 0, 20])),
  );
  t.match(keeper.result().metrics, { gospa_m: 0, ospa_m: 0, completeness: null, false_tracks: 0 });
  // One bird excuses one track.
  lookAt(keeper, 3, truth, [trackAt(id(7), atMs(3), [500, 0, 50]), trackAt(id(8), atMs(3), [510, 0, 50])]);
  t.equal(keeper.result().metrics.false_tracks, 1);
  t.end();
});

t.test('a track of what is not there is false unless it is held to be a fake', (t) => {
  const suspect = { verdict: 'suspect', score: 0.1, reasons: [] } as const;
  const score = (changes: object): number => {
    const keeper = keeperOf(
      scenarioOf({ actors: [{ id: 'liar', kind: 'spoofer', start: { east_m: 0, north_m: 0 } }] }),
    );
    const ghost = placeAt('liar-1', [200, 0, 50], { kind: 'spoofer', airborne: false });
    lookAt(keeper, 1, [ghost], [trackAt(id(1), atMs(1), [200, 0, 50])]);
    lookAt(keeper, 2, [ghost], [trackAt(id(1), atMs(2), [200, 0, 50], changes)]);
    return keeper.result().metrics.false_tracks;
  };
  t.equal(score({}), 1);
  t.equal(score({ integrity: suspect }), 0);
  t.end();
});

t.test('a track whose height nobody knows is measured over ground; one told earlier is moved on', (t) => {
  const keeper = keeperOf(scenarioOf({}));
  const flat = trackAt(id(1), atMs(1), [30, 0, 0]);
  lookAt(
    keeper,
    1,
    [placeAt('a', [0, 0, 300])],
    [{ ...flat, position: flat.position && { ...flat.position, alt_hae_m: null } }],
  );
  t.ok(Math.abs((keeper.result().metrics.position_rmse_m ?? 0) - 30) < 0.1);
  const moved = keeperOf(scenarioOf({}));
  const velocity = { speed_mps: 20, course_deg: 90, climb_mps: 2 };
  lookAt(moved, 2, [placeAt('a', [20, 0, 52])], [trackAt(id(1), atMs(1), [0, 0, 50], { velocity })]);
  t.ok((moved.result().metrics.position_rmse_m ?? 1) < 0.01);
  t.end();
});

t.test('only confirmed tracks count', (t) => {
  const keeper = keeperOf(scenarioOf({}));
  const truth = [placeAt('a', [0, 0, 50])];
  lookAt(keeper, 1, truth, [trackAt(id(1), atMs(1), [0, 0, 50], { state: 'tentative' })]);
  lookAt(keeper, 4, truth, [trackAt(id(1), atMs(4), [0, 0, 50])]);
  t.match(keeper.result().metrics, { first_detect_s: 3, completeness: 0.5 });
  t.end();
});
