import t from 'tap';
import { factorLines, furtherReason, greatestFactor } from '../../src/console/state/factors.ts';
import type { ThreatFactor, ThreatFactorId } from '../../src/model/threat.ts';

const factor = (id: ThreatFactorId, contribution: number): ThreatFactor => ({
  ...{ id, contribution, value: 1, unit: null, weight: 10, text: `because of ${id}` },
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
