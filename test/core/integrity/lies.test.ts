import t from 'tap';
import { ClaimWatch } from '../../../src/core/integrity/claim_watch.ts';
import type { Report } from '../../../src/core/integrity/report.ts';
import { defaultPolicy } from '../../../src/model/decision_defaults.ts';
import { serialFault } from '../../../src/model/serial.ts';
import { randomFrom } from '../../support/basics/random.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { reportedFlight } from '../../support/core/reported_flight.ts';
import { byHand, straight } from '../../support/sky/flight.ts';

const { identity } = defaultPolicy;
const LIES_FROM_S = 20;
const WITHIN_S = 5;
const UNTIL_S = 40;

type Lie = (told: Report, first: Report, i: number) => Partial<Report>;

/** Seconds from the first lying report until the reason is held against it. */
function foundAfterS(told: readonly Report[], lie: Lie, reason: string): number {
  const watch = new ClaimWatch();
  const first = told.find(({ timeS }) => timeS >= LIES_FROM_S);
  if (!first) return Number.NaN;
  for (const [i, of] of told.entries()) {
    const lies = of.timeS >= LIES_FROM_S;
    const report = lies ? { ...of, ...lie(of, first, i) } : of;
    watch.receive(report, identity);
    const held = watch.reasons(watch.holds(report.receivedS, identity)).map(({ id }) => id as string);
    if (!lies && held.length > 0) return Number.NEGATIVE_INFINITY;
    if (held.includes(reason)) return report.receivedS - first.receivedS;
  }
  return Number.POSITIVE_INFINITY;
}

function isFound(name: string, reason: string, lie: Lie): void {
  t.test(`${name} is found within ${WITHIN_S} s as ${reason}`, async (t) => {
    const seed = seedOf(t);
    for (let i = 0; i < 50; i++) {
      const heading = randomFrom(seed + i)() * 6.3;
      const flight = straight([0, 0, 80], [14 * Math.sin(heading), 14 * Math.cos(heading), 0]);
      for (const hz of [1, 4]) {
        const told = reportedFlight(flight, { seed: seed + i, untilS: UNTIL_S, hz, delayS: 0.2 });
        const s = foundAfterS(told, lie, reason);
        // A report a second, and the way of the last, are the finest that one can look.
        t.ok(s >= 0 && s <= WITHIN_S + 0.2, `at ${hz} Hz after ${s} s`);
      }
    }
  });
}

isFound('a clock that stands still', 'clock_inconsistent', (_, first) => ({ sourceS: first.sourceS }));
isFound('a clock that runs backwards', 'clock_inconsistent', (of, first) => ({
  sourceS: 2 * first.sourceS - of.sourceS,
}));
isFound('a clock at three times its pace', 'clock_inconsistent', (of, first) => ({
  sourceS: first.sourceS + 3 * (of.sourceS - first.sourceS),
}));
isFound('told to stand while its places fly', 'speed_inconsistent', () => ({ speedMps: 0 }));
isFound('told to fly the other way', 'speed_inconsistent', ({ eastMps, northMps }) => ({
  eastMps: -eastMps,
  northMps: -northMps,
}));
isFound('told slower than its places, without a course', 'speed_inconsistent', () => ({
  speedMps: 1,
  eastMps: Number.NaN,
  northMps: Number.NaN,
}));
isFound('told to fly while its places stand', 'speed_inconsistent', ({ eastMps, northMps }, { latDeg, lonDeg }) => ({
  latDeg,
  lonDeg,
  speedMps: 22,
  eastMps: (eastMps * 22) / 14,
  northMps: (northMps * 22) / 14,
}));
isFound('a report that is sent for ever', 'static_clone', (of, first) => ({
  ...first,
  receivedS: of.receivedS,
  timeS: of.timeS,
  sourceS: of.sourceS,
}));
isFound('a pilot 25 km away', 'operator_far', () => ({ operatorLatDeg: 48.2 + 25 / 111.2 }));

t.test('a clock that drifts by a fifth is found within 40 s', async (t) => {
  const seed = seedOf(t);
  const told = reportedFlight(byHand(randomFrom(seed), 100), { seed, untilS: 100 });
  const slow: Lie = (of, first) => ({ sourceS: first.sourceS + 0.8 * (of.sourceS - first.sourceS) });
  t.ok(foundAfterS(told, slow, 'clock_inconsistent') <= 40);
});

t.test('a pilot is far from the bound on, and near again only well within it and after a while', async (t) => {
  const seed = seedOf(t);
  const told = reportedFlight(straight([0, 0, 80], [0, 0, 0]), { seed, untilS: 60 });
  const watch = new ClaimWatch();
  const far = (km: number, s: number): boolean => {
    const report = told[s];
    if (report) watch.receive({ ...report, operatorLatDeg: 48.2 + km / 111.2 }, identity);
    return watch.reasons(watch.holds(s, identity)).some(({ id }) => id === 'operator_far');
  };
  t.same(
    [14.9, 15.2, 15.2, 14.9, 14.9, 14].map((km, i) => far(km, i * 2)),
    [false, false, true, true, true, true],
  );
  t.ok(far(14, 18), 'for ten seconds more');
  t.notOk(far(14, 20));
  t.notOk(far(200, 22), 'one garbled report says nothing');
});

t.test('serials are of the form that ANSI/CTA-2063-A gives them', async (t) => {
  for (const good of ['1588E040445AC004418', '1581F45TB21C1234567A', 'ABCD1X']) t.equal(serialFault(good), null, good);
  for (const bad of [
    '',
    'FIX1',
    '1588E040445AC00441',
    '1588E040445AC0044180',
    '1588e040445ac004418',
    '158OE040445AC004418',
    '15880X',
    'ABCDG1234567890123',
    '1581F45TB21C1234567Å',
  ])
    t.type(serialFault(bad), 'string', bad);
  const watch = new ClaimWatch();
  watch.nameFault(serialFault('DRONE-1'));
  t.match(watch.reasons(watch.holds(0, identity)), [{ id: 'serial_malformed' }]);
});

t.test('a name that was heard twice stays marked for as long as the policy says', async (t) => {
  const watch = new ClaimWatch();
  t.equal(watch.holds(100, identity), 0);
  watch.markDuplicate(100, 'other_aircraft');
  t.match(watch.reasons(watch.holds(100 + identity.duplicate_hold_s, identity)), [{ id: 'duplicate_identity' }]);
  t.equal(watch.holds(101 + identity.duplicate_hold_s, identity), 0);
});
