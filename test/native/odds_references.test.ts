import t from 'tap';
import { randomFrom } from '../support/basics/random.ts';
import { seedOf } from '../support/basics/seed.ts';
import { sized } from '../support/basics/size.ts';
import { agree, type Case, listsApart } from '../support/references/agree.ts';
import { leastCost } from '../support/references/assignment.ts';
import { LONG_MS } from '../support/references/emulator.ts';
import { aged, type Odds, weighed } from '../support/references/existence.ts';
import { Inputs } from '../support/references/inputs.ts';
import { at, cell } from '../support/references/matrix.ts';
import { nativeProbe } from '../support/references/probe.ts';
import { learnt, type Residual } from '../support/references/registration.ts';
import { trackerSettings } from '../support/references/settings.ts';

t.test('native odds, assignments and neighbours are those of the slow ways', { timeout: LONG_MS }, async (t) => {
  const probe = await nativeProbe();
  const make = new Inputs(randomFrom(seedOf(t)));
  const set = trackerSettings();

  t.test('the cheapest assignment', async (t) => {
    const cases = make.list(sized(1_500), () => assigned(make));
    await agree(t, probe, cases, 1e-9);
  });

  t.test('odds that age', async (t) => {
    const cases = make.list(3000, (): Case => {
      const [odds, dt, claimed] = [someOdds(make), make.spread(1e-3, 1000), make.between(0, 1) < 0.5];
      return {
        request: ['age', dt, claimed ? 1 : 0, odds[0], odds[1]],
        apart: (answer) => listsApart(answer, aged(odds, dt, claimed, set).slice(0, 2), 1),
      };
    });
    await agree(t, probe, cases, 1e-14);
  });

  t.test('odds that a look changes', async (t) => {
    const cases = make.list(3000, (): Case => {
      const [odds, ratio] = [someOdds(make), make.spread(1e-4, 1e11)];
      return {
        request: ['weigh', ratio, odds[0], odds[1]],
        apart: (answer) => listsApart(answer, weighed(odds, ratio).slice(0, 2), 1),
      };
    });
    await agree(t, probe, cases, 1e-12);
  });

  t.test('offsets of a radar', async (t) => {
    const cases = make.list(sized(1_000), () => offsets(make, set));
    await agree(t, probe, cases, 1e-9);
  });

  t.test('neighbours', async (t) => {
    const cases = make.list(sized(400), () => neighbours(make));
    await agree(t, probe, cases, 0);
  });
});

function someOdds(make: Inputs): Odds {
  const there = 1 - make.spread(1e-12, 1);
  const hidden = there * make.between(0, 1) ** 3;
  return [there - hidden, hidden, 1 - there];
}

/** Up to seven each, with ties and forbidding prices among them; every row has a column of its own. */
function assigned(make: Inputs): Case {
  const columns = make.whole(1, 7);
  const rows = make.whole(1, columns);
  const [whole, price] = [make.between(0, 1) < 0.3, make.spread(1, 1e6)];
  const cost = make.list(rows, () =>
    make.list(columns, () =>
      make.between(0, 1) < 0.3 ? 0 : whole ? make.whole(-4, 2) : make.between(-price, price / 4),
    ),
  );
  return {
    request: ['assign', rows, columns, ...cost.flat()],
    apart: (answer) => {
      if (new Set(answer).size !== rows || answer.some((c) => !(c >= 0 && c < columns)))
        return Number.POSITIVE_INFINITY;
      const paid = answer.reduce((sum, column, row) => sum + cell(cost, row, column), 0);
      return Math.abs(paid - leastCost(cost)) / price;
    },
  };
}

function offsets(make: Inputs, set: (name: string) => number): Case {
  const [azimuth, range] = [make.between(-0.03, 0.03), make.between(-40, 40)];
  const plots = make.list(make.whole(1, 60), (): Residual => {
    const [sa, sr] = [make.spread(1e-3, 0.05), make.spread(1, 50)];
    // Some lie far beside: plots of somebody else.
    const beside = make.between(0, 1) < 0.1 ? 20 : 1;
    return [azimuth + beside * make.between(-2, 2) * sa, range + beside * make.between(-2, 2) * sr, sa ** 2, sr ** 2];
  });
  return {
    request: ['learn', plots.length, ...plots.flat()],
    apart: ([a, r, aa, ar, rr, count, appliesA, appliesR]) => {
      const { x, p, plots: used } = learnt(plots, set);
      const [sa, sr] = [Math.sqrt(cell(p, 0, 0)), Math.sqrt(cell(p, 1, 1))];
      const applied = x.map((v, i) => Number(v ** 2 > set('bias_sigma') ** 2 * cell(p, i, i)));
      return Math.max(
        listsApart([(a ?? Number.NaN) / sa, (r ?? Number.NaN) / sr], [at(x, 0) / sa, at(x, 1) / sr], 1),
        listsApart([aa, rr] as number[], [sa ** 2, sr ** 2]),
        Math.abs((ar ?? Number.NaN) - cell(p, 0, 1)) / (sa * sr),
        listsApart([count, appliesA, appliesR] as number[], [used, ...applied], 1),
      );
    },
  };
}

/** The coarsest cells are so wide: whoever reaches further is found from so far only, m. */
const furthestM = 256 * 2 ** 7;

const [takenOut, renamed] = [-1, -2];

/** Tracks of two kinds put, moved and taken out; then all of one within their reach and the radius must be told, once. */
function neighbours(make: Inputs): Case {
  const [capacity, width] = [make.whole(1, 120), make.spread(300, 300_000)];
  const place = () => [make.between(-width, width), make.between(-width, width)] as const;
  const puts = make.list(make.whole(1, 300), () => {
    const what = make.between(0, 1);
    const reach = what < 0.15 ? takenOut : what < 0.3 ? renamed : make.spread(10, furthestM);
    return [make.whole(0, capacity - 1), make.whole(0, 1), ...place(), reach] as const;
  });
  const there = new Map<number, readonly [kind: number, e: number, n: number, reach: number]>();
  for (const [track, kind, e, n, reach] of puts) {
    const before = there.get(track);
    if (reach === takenOut) there.delete(track);
    else if (reach !== renamed) there.set(track, [kind, e, n, reach]);
    else if (before !== undefined) there.set(track, [kind, before[1], before[2], before[3]]);
  }
  const asked = make.list(10, () => [make.whole(0, 1), ...place(), make.spread(1, width)] as const);
  return {
    request: ['grid', capacity, puts.length, ...puts.flat(), asked.length, ...asked.flat()],
    apart: (answer) => {
      let from = 0;
      for (const [kind, e, n, radius] of asked) {
        const count = at(answer, from);
        const told = answer.slice(from + 1, from + 1 + count);
        from += count + 1;
        const near = [...there].filter(
          ([, [its, x, y, reach]]) => its === kind && Math.hypot(x - e, y - n) <= radius + reach,
        );
        const all = new Set(told);
        if (all.size !== told.length || near.some(([track]) => !all.has(track))) return 1;
        if (told.some((track) => there.get(track)?.[0] !== kind)) return 1;
      }
      return from === answer.length ? 0 : 1;
    },
  };
}
