import fc from 'fast-check';
import t from 'tap';
import { shapeFault } from '../../src/geo/shape/fault.ts';
import { edgesOf } from '../../src/geo/shape/rings.ts';
import { foldsBack, meet } from '../../src/geo/shape/segment.ts';
import { sweep } from '../../src/geo/shape/sweep.ts';
import type { Geometry, Position } from '../../src/model/geometry.ts';
import { seedOf } from '../support/basics/seed.ts';
import { crossesItself, starRing } from '../support/basics/shapes.ts';
import { sized } from '../support/basics/size.ts';

const polygon = (...coordinates: Position[][]): Geometry => ({ type: 'Polygon', coordinates });
const box = (west: number, south: number, east: number, north: number): Position[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const sentence = (geometry: Geometry): string => {
  const fault = shapeFault(geometry);
  return fault ? `${fault.path.join('.')} ${fault.sentence}` : '';
};

const anywhere = fc.tuple(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.double({ min: -90, max: 90, noNaN: true }),
);
const distances = fc.array(fc.double({ min: 300, max: 9_000, noNaN: true }), { minLength: 3, maxLength: 60 });

t.test('a star drawn round any middle of the earth is whole, the poles and the antimeridian included', async (t) => {
  const middles = fc.oneof(
    anywhere,
    fc.constantFrom<Position>([180, 10], [-180, -60], [0, 90], [77, -90], [179.99, 89.9]),
  );
  const property = fc.property(
    middles,
    distances,
    fc.double({ min: 0, max: 360, noNaN: true }),
    (middle, far, turn) => {
      const ring = starRing(middle, far, turn);
      return shapeFault(polygon(ring)) === null && shapeFault(polygon([...ring].reverse())) === null;
    },
  );
  t.doesNotThrow(() => fc.assert(property, { seed: seedOf(t), numRuns: sized(400) }));
});

t.test('a ring is refused where two of its edges cross, and only there, as each against each tells', async (t) => {
  const rings = fc.tuple(anywhere, distances, fc.nat(), fc.nat()).map(([middle, far, a, b]) => {
    const ring = starRing(middle, far).slice(0, -1);
    const [i, j] = [a % ring.length, b % ring.length];
    const [one, other] = [ring[i], ring[j]];
    if (one && other) [ring[i], ring[j]] = [other, one];
    return [...ring, ...ring.slice(0, 1)];
  });
  let crossed = 0;
  const property = fc.property(rings, (ring) => {
    const crosses = crossesItself(ring);
    if (crosses) crossed++;
    return (shapeFault(polygon(ring)) !== null) === crosses;
  });
  t.doesNotThrow(() => fc.assert(property, { seed: seedOf(t), numRuns: sized(600) }));
  t.ok(crossed > 100, `${crossed} of them cross`);
});

t.test(
  'the sweep finds a meeting wherever each edge held against each finds one, on a grid full of ties',
  async (t) => {
    const corner = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 }));
    const rings = fc.array(fc.array(corner, { minLength: 3, maxLength: 7 }), { minLength: 1, maxLength: 3 });
    let met = 0;
    const property = fc.property(rings, (drawn) => {
      const flats = drawn.map((ring) => Float64Array.from([...ring, ...ring.slice(0, 1)].flat()));
      const edges = edgesOf(flats.map((flat) => ({ flat, firstEdge: 0, edges: 0 })));
      const wrong = (one: number, other: number): boolean => {
        if (edges.ring[one] !== edges.ring[other]) return meet(edges, one, other);
        const mine = [...edges.ring.subarray(0, edges.count)].flatMap((ring, i) =>
          ring === edges.ring[one] ? [i] : [],
        );
        const [first, second] = [Math.min(one, other), Math.max(one, other)];
        if (second === first + 1) return foldsBack(edges, first, second);
        if (first === mine[0] && second === mine.at(-1)) return foldsBack(edges, second, first);
        return meet(edges, one, other);
      };
      const all = Array.from({ length: edges.count }, (_, i) => i);
      const expected = all.some((one) => all.slice(0, one).some((other) => wrong(one, other)));
      let found = false;
      sweep(edges, (one, other) => {
        found = wrong(one, other);
        return found;
      });
      if (expected) met++;
      return found === expected;
    });
    t.doesNotThrow(() => fc.assert(property, { seed: seedOf(t), numRuns: sized(3_000) }));
    t.ok(met > 300, `${met} of them meet`);
  },
);

t.test('a fault names its ring and its positions', async (t) => {
  const open = box(8, 47, 9, 48).slice(0, -1);
  t.match(sentence(polygon(open)), /^coordinates\.0 is a ring that is not closed: its last position/);
  const bow: Position[] = [
    [8, 47],
    [9, 48],
    [9, 47],
    [8, 48],
    [8, 47],
  ];
  t.match(
    sentence(polygon(bow)),
    /^coordinates\.0 is a ring that crosses or touches itself: the edges from positions 0 and 2 meet/,
  );
  const touching: Position[] = [
    [8, 47],
    [9, 47],
    [8.5, 47.5],
    [9, 48],
    [8, 48],
    [8.5, 47.5],
    [8, 47],
  ];
  t.match(sentence(polygon(touching)), /touches itself/);
  const spike: Position[] = [
    [8, 47],
    [9, 47],
    [9, 48],
    [9, 49],
    [9, 48],
    [8, 48],
    [8, 47],
  ];
  t.match(
    sentence(polygon(spike)),
    /^coordinates\.0\.\d (is a position at which the ring turns straight back|is a ring that crosses or touches)|touches itself/,
  );
  t.match(
    sentence(
      polygon([
        [8, 47],
        [9, 47],
        [8, 47],
        [8, 47],
      ]),
    ),
    /fewer than 3 different positions/,
  );
  t.equal(
    sentence(
      polygon([
        [8, 47],
        [9, 47],
        [10, 47],
        [8, 47],
      ]),
    ),
    '',
    'a thin triangle is one: edges are great circles',
  );
  t.match(
    sentence({
      type: 'LineString',
      coordinates: [
        [8, 47],
        [8, 47],
      ],
      width_m: 10,
    }),
    /has no length/,
  );
});

t.test('holes lie inside, and apart', async (t) => {
  const outer = box(8, 47, 9, 48);
  t.equal(sentence(polygon(outer, box(8.1, 47.1, 8.4, 47.4), box(8.5, 47.5, 8.9, 47.9))), '');
  t.match(sentence(polygon(outer, box(10, 47, 11, 48))), /^coordinates\.1 is a hole that does not lie inside/);
  t.match(sentence(polygon(outer, box(7, 46, 10, 49))), /^coordinates\.1 is a hole that does not lie inside/);
  t.match(
    sentence(polygon(outer, box(8.5, 47.5, 9.5, 47.8))),
    /^coordinates\.1 is a ring that meets another: .* of ring 0$/,
  );
  t.match(sentence(polygon(outer, outer)), /^coordinates\.1 is a ring that meets another/);
  const holes = [box(8.1, 47.1, 8.6, 47.6), box(8.2, 47.2, 8.4, 47.4)];
  t.match(sentence(polygon(outer, ...holes)), /^coordinates\.2 is a hole that overlaps another hole, ring 1/);
  t.match(sentence(polygon(outer, ...holes.reverse())), /^coordinates\.2 is a hole that overlaps another hole, ring 1/);
});

t.test('polygons of one geometry may touch, as where the antimeridian cuts them', async (t) => {
  const cut: Geometry = { type: 'MultiPolygon', coordinates: [[box(170, -5, 180, 5)], [box(-180, -5, -170, 5)]] };
  t.equal(sentence(cut), '');
  const uncut: Position[] = [
    [170, -5],
    [-170, -5],
    [-170, 5],
    [170, 5],
    [170, -5],
  ];
  t.equal(sentence(polygon(uncut)), '', 'the same without the cut');
  const hole: Position[] = [
    [175, -2],
    [-175, -2],
    [-175, 2],
    [175, 2],
    [175, -2],
  ];
  t.equal(sentence(polygon(uncut, hole)), '', 'and with a hole across it');
  const islands: Geometry = { type: 'MultiPolygon', coordinates: [[box(8, 47, 9, 48)], [box(-150, 20, -149, 21)]] };
  t.equal(sentence(islands), '', 'far apart');
  const open: Geometry = { type: 'MultiPolygon', coordinates: [[box(8, 47, 9, 48)], [box(1, 2, 3, 4).slice(1)]] };
  t.match(sentence(open), /^coordinates\.1\.0 is a ring that is not closed/);
});

t.test('round a pole and over it are whole, round the earth is refused', async (t) => {
  const round: Position[] = [
    [0, 80],
    [90, 80],
    [180, 80],
    [-90, 80],
    [0, 80],
  ];
  t.equal(sentence(polygon(round)), '');
  const hole: Position[] = [
    [10, 89],
    [130, 89],
    [-110, 89],
    [10, 89],
  ];
  t.equal(sentence(polygon(round, hole)), '', 'with a hole round the pole in it');
  t.match(
    sentence(
      polygon(round, [
        [10, 70],
        [130, 70],
        [-110, 70],
        [10, 70],
      ]),
    ),
    /does not lie inside/,
  );
  t.match(sentence(polygon(box(-180, -90, 180, 90))), /round the whole earth|degrees from the middle|fewer than 3/);
  t.match(
    sentence(
      polygon([
        [0, 0],
        [90, 0],
        [180, 0],
        [-90, 0],
        [0, 0],
      ]),
    ),
    /more than 60 degrees from the middle of the shape/,
  );
  t.equal(
    sentence(
      polygon([
        [0, -40],
        [120, -40],
        [-120, -40],
        [0, -40],
      ]),
    ),
    '',
    'a cap round the south pole',
  );
});

t.test('ten thousand positions are judged in well under a second, however they lie', async (t) => {
  const star = (n: number, near: number, far: number) =>
    starRing(
      [8, 47],
      Array.from({ length: n }, (_, i) => (i % 2 ? near : far)),
    );
  const comb = (n: number): Position[] => {
    const teeth = Array.from({ length: n }, (_, i): Position => [8 + i * 1e-5, i % 2 ? 47.5 : 47.01]);
    return [[8, 47], ...teeth, [8 + n * 1e-5, 47], [8, 47]];
  };
  const shapes: Record<string, Position[]> = {
    circle: star(9_998, 5_000, 5_000),
    spikes: star(9_998, 3_000, 9_000),
    'spikes to the middle': star(9_998, 1, 9_000),
    comb: comb(9_990),
  };
  for (const [name, ring] of Object.entries(shapes)) {
    const began = performance.now();
    const fault = shapeFault(polygon(ring));
    const tookMs = performance.now() - began;
    t.equal(fault, null, `${name}: ${JSON.stringify(fault)}`);
    t.ok(tookMs < 1_000, `${name}: ${tookMs.toFixed(0)} ms`);
    t.comment(`${name}: ${tookMs.toFixed(0)} ms`);
  }
  t.match(sentence(polygon(star(10_001, 5_000, 5_000))), /has 10002 positions: at most 10000 are allowed/);
});
