import t from 'tap';
import { areaParts, factorLines, furtherReason, greatestFactor } from '../../src/console/state/factors.ts';
import type { ThreatFactor, ThreatFactorId } from '../../src/model/threat.ts';

const factor = (id: ThreatFactorId, contribution: number, value = 1): ThreatFactor => ({
  ...{ id, contribution, value, unit: null, weight: 10, text: `because of ${id}` },
});

t.test('inside a zone the way to it is one part, and outside each factor is a part', async (t) => {
  const factors = [factor('approach', 13), factor('closing', 6), factor('dwell', 2), factor('low_altitude', 0.2)];
  const parts = (of: readonly ThreatFactor[]) => areaParts(of).map(({ id, contribution }) => `${id} ${contribution}`);
  t.same(parts([factor('inside', 20, -40), ...factors]), ['inside 20', 'there 19', 'dwell 2']);
  t.same(parts([factor('inside', 1, 12), ...factors]), ['inside 1', 'approach 13', 'closing 6', 'dwell 2']);
});

t.test('a factor without points is no line', async (t) => {
  t.same(
    factorLines([factor('hostile', 30), factor('existence', -0.04)]).map(({ factors }) => factors[0]?.id),
    ['hostile'],
  );
});

t.test('factors about one zone are one line with their sum, and nothing is lost', async (t) => {
  const factors = [
    ...[factor('crewed', -27), factor('inside', 25), factor('approach', 25), factor('no_remote_id', 10)],
    ...[factor('proximity', 10), factor('dwell', 1.5)],
  ];
  const lines = factorLines(factors);
  t.same(
    lines.map(({ contribution, factors }) => [contribution, factors.map(({ id }) => id)]),
    [
      [61.5, ['inside', 'approach', 'proximity', 'dwell']],
      [-27, ['crewed']],
      [10, ['no_remote_id']],
    ],
  );
  const sum = (all: readonly { contribution: number }[]): number => all.reduce((s, one) => s + one.contribution, 0);
  t.equal(sum(lines), sum(factors));
  t.equal(greatestFactor(factors)?.id, 'inside', 'the greatest raises the score');
  t.equal(furtherReason(factors)?.id, 'no_remote_id', 'a row that says the place has another reason');
  t.equal(furtherReason(factors.slice(0, 3))?.id, 'inside', 'where there is no other, it has that of the place');
});
