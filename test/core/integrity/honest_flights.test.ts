import t from 'tap';
import { ClaimWatch } from '../../../src/core/integrity/claim_watch.ts';
import type { Report } from '../../../src/core/integrity/report.ts';
import { defaultPolicy } from '../../../src/model/decision_defaults.ts';
import { serialFault } from '../../../src/model/serial.ts';
import { randomFrom } from '../../support/basics/random.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { type Reporting, reportedFlight } from '../../support/core/reported_flight.ts';
import { byHand, circling, type Flight, straight } from '../../support/sky/flight.ts';

const { identity } = defaultPolicy;
const UNTIL_S = 120;
const FLIGHTS = 150;

/** The first thing held against a flight, and when. */
function heldAgainst(told: readonly Report[]): string {
  const watch = new ClaimWatch();
  watch.nameFault(serialFault('1588E040445AC004418'));
  for (const report of told) {
    watch.receive(report, identity);
    const [reason] = watch.reasons(watch.holds(report.receivedS, identity));
    if (reason) return `${reason.id} at ${report.receivedS.toFixed(1)} s: ${reason.text}`;
  }
  return '';
}

function raisesNothing(name: string, flight: (random: () => number) => Flight, telling: Partial<Reporting> = {}): void {
  t.test(`${name}: nothing is held against an honest flight`, async (t) => {
    const seed = seedOf(t);
    for (let i = 0; i < FLIGHTS; i++) {
      const random = randomFrom(seed + i);
      const told = reportedFlight(flight(random), { seed: seed + i, untilS: UNTIL_S, ...telling });
      const against = heldAgainst(told);
      t.equal(against, '', `flight ${i}`);
    }
  });
}

const hand = (random: () => number): Flight => byHand(random, UNTIL_S);
raisesNothing('flown by hand', hand);
raisesNothing('velocity told a second late', hand, { lagS: 1 });
raisesNothing('a poor receiver', hand, { noiseM: 12 });
raisesNothing('four reports a second', hand, { hz: 4 });
raisesNothing('a report each three seconds', hand, { hz: 1 / 3 });
raisesNothing('a slow way', hand, { delayS: 1.2 });
raisesNothing('a clock years ahead', hand, { aheadS: 2e8 });
raisesNothing('racing', (random) => byHand(random, UNTIL_S, 35), { lagS: 0.3 });
raisesNothing('circling fast', (random) => circling([0, 0, 80], 20 + 60 * random(), 8 + 8 * random()), { lagS: 0.5 });
raisesNothing('hovering', () => straight([0, 0, 60], [0, 0, 0]), { noiseM: 1 });
raisesNothing('a fixed wing', (random) => straight([0, 0, 150], [40 * random(), 30, 0]));

t.test(
  'a receiver that sets its clock once, a link that was held up, and one that stands on the ground are honest',
  async (t) => {
    const seed = seedOf(t);
    const told = reportedFlight(byHand(randomFrom(seed), 60), { seed, untilS: 60 });
    t.equal(heldAgainst(told.map((of, i) => ({ ...of, sourceS: of.sourceS + (i < 30 ? 0 : 1_000) }))), '', 'set ahead');
    t.equal(heldAgainst(told.map((of, i) => ({ ...of, sourceS: of.sourceS - (i < 30 ? 0 : 7) }))), '', 'set back');
    const heldUp = told.map((of, i) => (i >= 20 && i < 26 ? { ...of, receivedS: 26 + i * 0.01 } : of));
    t.equal(heldAgainst(heldUp), '', 'six seconds held up and then told at once');
    const hole = told.filter((_, i) => i < 20 || i > 40);
    t.equal(heldAgainst(hole), '', 'out of hearing for twenty seconds');
    const [first] = reportedFlight(straight([0, 0, 0], [0, 0, 0]), { seed, untilS: 0 });
    const parked = Array.from({ length: 600 }, (_, i) => ({
      ...first,
      receivedS: i,
      timeS: i,
      sourceS: i,
      airborne: false,
    }));
    t.equal(heldAgainst(parked as Report[]), '', 'parked for ten minutes');
  },
);
