import fc from 'fast-check';
import t from 'tap';
import { blankObservation } from '../../../src/edge/feed/blank.ts';
import { Bursts } from '../../../src/edge/feed/bursts.ts';
import type { FlightStatus, Observation, ObservationUse } from '../../../src/model/observation.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { sized } from '../../support/basics/size.ts';
import { mac, serial } from '../../support/core/observation.ts';

type Broadcast = { name: string; latDeg: number; altHaeM: number | null; status: FlightStatus | null; afterMs: number };

const broadcast: fc.Arbitrary<Broadcast> = fc.record({
  name: fc.constantFrom('a', 'b', 'ä', 'long'.repeat(40)),
  latDeg: fc.constantFrom(0, -0, 47, 47.000_000_1),
  altHaeM: fc.constantFrom(null, 0, 100),
  status: fc.constantFrom(null, 'airborne' as const, 'emergency' as const),
  afterMs: fc.constantFrom(0, 1, 400, 1_000, 1_001),
});

function observed({ name, latDeg, altHaeM, status }: Broadcast, receivedMs: number): Observation {
  const identities = [mac(`mac of ${status}`), serial(name)];
  return { ...blankObservation('sen_a', null, receivedMs), latDeg, lonDeg: 8, altHaeM, status, identities };
}

/** The same decisions by a search through everything that was received. */
function expected(): (o: Broadcast, receivedMs: number) => ObservationUse {
  const firsts: { content: string; ms: number; statuses: (FlightStatus | null)[] }[] = [];
  return ({ name, latDeg, altHaeM, status }, receivedMs) => {
    const content = JSON.stringify([name, latDeg + 0, altHaeM]);
    const first = firsts.findLast((one) => one.content === content);
    if (!first || receivedMs - first.ms > 1_000) {
      firsts.push({ content, ms: receivedMs, statuses: [status] });
      return 'measure';
    }
    if (first.statuses.includes(status)) return 'repeat';
    first.statuses.push(status);
    return 'contradiction';
  };
}

t.test(
  'a broadcast is a repeat for a second after its first report, and a contradiction with another status',
  async (t) => {
    fc.assert(
      fc.property(fc.array(broadcast, { maxLength: 60 }), (broadcasts) => {
        const bursts = new Bursts();
        const decide = expected();
        let nowMs = 1_700_000_000_000;
        for (const one of broadcasts) {
          nowMs += one.afterMs;
          if (bursts.useOf(observed(one, nowMs)) !== decide(one, nowMs)) return false;
        }
        return true;
      }),
      { seed: seedOf(t), numRuns: sized(2_000) },
    );
  },
);

t.test('of more broadcasts than are remembered, the latest are', async (t) => {
  const bursts = new Bursts();
  const at = (n: number): Observation =>
    observed({ name: 'a', latDeg: n / 1_000, altHaeM: 1, status: null, afterMs: 0 }, 1_700_000_000_000);
  const uses = (from: number): ObservationUse[] => {
    const found = new Set<ObservationUse>();
    for (let n = from; n < 20_000; n++) found.add(bursts.useOf(at(n)));
    return [...found];
  };
  t.same(uses(0), ['measure']);
  t.same(uses(20_000 - 8_000), ['repeat']);
  t.equal(bursts.useOf(at(0)), 'measure', 'an evicted one counts again');
});

t.test('contents whose hashes are equal stay apart, so a forger cannot hide the contradiction', async (t) => {
  const bursts = new Bursts();
  const [victim, chosen] = ['Sgo1y', 'Shau4'];
  const at = (name: string, status: FlightStatus) =>
    observed({ name, latDeg: 47, altHaeM: 100, status, afterMs: 0 }, 1_700_000_000_000);
  t.equal(bursts.useOf(at(victim, 'emergency')), 'measure');
  t.equal(bursts.useOf(at(chosen, 'airborne')), 'measure');
  t.equal(bursts.useOf(at(victim, 'airborne')), 'contradiction');
  t.equal(bursts.useOf(at(victim, 'emergency')), 'repeat');
  t.equal(bursts.useOf(at(chosen, 'airborne')), 'repeat');
});

t.test('contents with equal hashes are evicted and remembered again, each for its own second', async (t) => {
  const bursts = new Bursts();
  const at = (name: string, ms: number) =>
    observed({ name, latDeg: 47, altHaeM: 100, status: null, afterMs: 0 }, 1_700_000_000_000 + ms);
  const other = (n: number, ms: number) =>
    observed({ name: 'a', latDeg: n / 1_000, altHaeM: 1, status: null, afterMs: 0 }, 1_700_000_000_000 + ms);
  for (let round = 0; round < 3; round++) {
    const ms = round * 2_000;
    for (let n = 0; n < 3_000; n++) bursts.useOf(other(n + round * 3_000, ms));
    t.same(
      ['Sgo1y', 'Shau4', 'Sgo1y', 'Shau4'].map((name) => bursts.useOf(at(name, ms))),
      ['measure', 'measure', 'repeat', 'repeat'],
    );
  }
});
