import fc from 'fast-check';
import t from 'tap';
import { AreaNames, candidatesAround, isCovered } from '../../src/console/map/area_names.ts';
import type { Camera, Spot } from '../../src/console/map/camera.ts';
import { areOver, type Box } from '../../src/console/map/labels.ts';
import { seedOf } from '../support/basics/seed.ts';
import { sized } from '../support/basics/size.ts';

const camera: Camera = { lat: 47, lon: 8, zoom: 14, widthPx: 600, heightPx: 400 };
const circle = ([x, y]: Spot, radiusPx: number): Spot[] =>
  Array.from({ length: 32 }, (_, index) => {
    const angle = (2 * Math.PI * index) / 32;
    return [x + radiusPx * Math.sin(angle), y - radiusPx * Math.cos(angle)] as const;
  });
const depot = { id: 'depot', widthPx: 35, candidates: candidatesAround(circle([300, 200], 100), 35) };

function written(symbols: readonly Spot[], over: readonly Box[] = [], last = new Map<string, number>()): Box[] {
  const names = new AreaNames(camera, symbols, over, last);
  names.place(depot);
  names.end();
  return names.placed;
}

t.test('an optional name is left out where it would cover something, and others are not', async (t) => {
  const over = [{ left: 0, top: 0, right: 600, bottom: 400 }];
  const names = new AreaNames({ widthPx: 600, heightPx: 400 }, [], over, new Map());
  t.equal(names.place({ ...depot, isOptional: true }), null);
  t.not(names.place(depot), null);
});

t.test('a name stands above its area, and leaves that place to a track and to a button', async (t) => {
  const [above] = written([]);
  t.ok(above && above.bottom < 100, 'above the outline');
  for (const [at] of [written([[300, 92]]), written([], [{ left: 260, top: 80, right: 340, bottom: 100 }])])
    t.ok(at && above && !areOver(at, above), 'elsewhere');
});

t.test('a name stays where it moved to, until something comes there', async (t) => {
  const last = new Map<string, number>();
  const [moved] = written([[300, 92]], [], last);
  t.same(written([], [], last), [moved], 'the track has gone, the name stays');
  if (!moved) return;
  const there: Spot = [(moved.left + moved.right) / 2, (moved.top + moved.bottom) / 2];
  t.ok(isCovered([moved], [there]));
  t.not(written([there], [], last)[0]?.top, moved.top);
});

t.test('a name without a free place is written all the same, and none outside of the map is', async (t) => {
  const wall = [{ left: 0, top: 0, right: 600, bottom: 400 }];
  t.equal(written([], wall).length, 1, 'a covered name is better than none');
  const names = new AreaNames(camera, [], [], new Map());
  names.place({ ...depot, candidates: candidatesAround(circle([900, 200], 100), 35) });
  t.same(names.placed, []);
});

t.test('names cover neither each other nor symbols nor a box kept out, wherever a place is free', async (t) => {
  const spot = fc.tuple(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 0, max: 400 }));
  fc.assert(
    fc.property(
      fc.array(fc.record({ spot, radiusPx: fc.integer({ min: 5, max: 150 }) }), { maxLength: 6 }),
      spot,
      (areas, at) => {
        const names = new AreaNames(camera, [at], [], new Map());
        const kept = { left: 0, top: 330, right: 120, bottom: 400 };
        const symbol = { left: at[0] - 11, top: at[1] - 11, right: at[0] + 11, bottom: at[1] + 11 };
        names.keepOut(kept);
        for (const [index, { spot, radiusPx }] of areas.entries()) {
          const before = [...names.placed];
          // Each has one candidate more, which is free unless another name is there: a row of its own at the right.
          const free = { spot: [500, 20 + 20 * index] as const, align: 'left' as const };
          const candidates = [...candidatesAround(circle(spot, radiusPx), 42), free];
          names.place({ id: `${index}`, widthPx: 42, candidates });
          const [box] = names.placed.slice(before.length);
          if (box === undefined) return false;
          const freeBox = { left: 500, top: free.spot[1] - 12, right: 542, bottom: free.spot[1] + 3 };
          const others = [...before, kept, symbol];
          if (others.some((other) => areOver(freeBox, other))) continue;
          if (others.some((other) => areOver(box, other))) return false;
        }
        return true;
      },
    ),
    { seed: seedOf(t), numRuns: sized(500) },
  );
});

t.test('a name inside a circle does not cross its line', async (t) => {
  for (const radiusPx of [20, 60, 100, 250])
    for (const widthPx of [20, 60, 120, 240]) {
      const inside = candidatesAround(circle([300, 300], radiusPx), widthPx).slice(2, -2);
      for (const { spot } of inside)
        for (const dx of [-widthPx / 2, widthPx / 2])
          for (const y of [spot[1] - 12, spot[1] + 3])
            t.ok(Math.hypot(spot[0] + dx - 300, y - 300) < radiusPx, `${widthPx} px in a circle of ${radiusPx} px`);
    }
});
