import fc from 'fast-check';
import t from 'tap';
import type { Spot } from '../../src/console/map/camera.ts';
import { edgeMark, mergeMarks } from '../../src/console/map/edge_marks.ts';
import { seedOf } from '../support/basics/seed.ts';
import { sized } from '../support/basics/size.ts';

const map = { widthPx: 600, heightPx: 400 };

t.test('a spot in view has no mark', async (t) => {
  for (const spot of [
    [0, 0],
    [300, 200],
    [600, 400],
  ] as Spot[])
    t.equal(edgeMark(spot, map), null);
});

t.test('a spot under a button has a mark beside the button that points at it', async (t) => {
  const button = { left: 500, top: 150, right: 590, bottom: 180 };
  const mark = edgeMark([550, 170], map, [button]);
  t.ok(mark !== null && mark.spot[0] < button.left && mark.spot[0] > 450, JSON.stringify(mark));
  t.ok(Math.abs(mark?.angle ?? 9) < 0.5, 'to the right');
  t.equal(edgeMark([495, 170], map, [button]), null, 'a spot beside the button is in view');
});

t.test('a mark is in view, at the edge, and points at its spot', async (t) => {
  const far = fc.integer({ min: -5_000, max: 5_000 });
  fc.assert(
    fc.property(far, far, (x, y) => {
      const mark = edgeMark([x, y], map);
      if (mark === null) return x >= 0 && x <= 600 && y >= 0 && y <= 400;
      const [markX, markY] = mark.spot;
      const atEdge = Math.min(markX, 600 - markX, markY, 400 - markY);
      const turn = Math.atan2(y - markY, x - markX) - mark.angle;
      return Math.abs(atEdge - 14) < 1e-6 && Math.cos(turn) > 0.999;
    }),
    { seed: seedOf(t), numRuns: sized(500) },
  );
});

t.test('a mark below a button moves towards the middle, on the same line', async (t) => {
  const button = { left: 500, top: 150, right: 600, bottom: 250 };
  const mark = edgeMark([2_000, 200], map, [button]);
  t.ok(mark && mark.spot[0] <= button.left - 12 && mark.spot[0] > button.left - 22, String(mark?.spot));
  t.equal(mark?.spot[1], 200);
  t.equal(edgeMark([2_000, 200], map, [{ left: 0, top: 0, right: 600, bottom: 400 }]), null, 'no room');
});

t.test('marks whose texts would cover each other are one mark, the first, which counts the others', async (t) => {
  const mark = (of: string, x: number, y: number) => ({ of, spot: [x, y] as Spot, angle: 0 });
  const merged = mergeMarks([mark('a', 100, 14), mark('b', 130, 20), mark('c', 300, 14), mark('d', 90, 10)]);
  t.same(
    merged.map(({ of, more }) => `${of}+${more}`),
    ['a+2', 'c+0'],
  );
});
