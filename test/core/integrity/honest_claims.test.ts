import t from 'tap';
import { onlyInFull } from '../../support/basics/patience.ts';
import { randomFrom } from '../../support/basics/random.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { honestFrames, sortie } from '../../support/core/honest_flight.ts';
import { RemoteIdReceiver } from '../../support/core/remote_id_receiver.ts';
import type { Reporting } from '../../support/core/reported_flight.ts';
import { circling, type Flight, straight } from '../../support/sky/flight.ts';

onlyInFull(t);

const UNTIL_S = 180;
const FLIGHTS = 12;
const beginsMs = Date.parse('2026-05-01T10:50:00Z');

const flights: Record<string, (random: () => number) => Flight> = {
  'a sortie from the ground and back': (random) => sortie(random, UNTIL_S),
  hovering: () => straight([0, 0, 60], [0, 0, 0]),
  'circling fast': (random) => circling([0, 0, 80], 30 + 60 * random(), 8 + 8 * random()),
  'straight on': (random) => straight([0, 0, 120], [30 * random(), 25 * random(), 0]),
};
const ways: Record<string, Partial<Reporting> & { lost?: number }> = {
  'once a second': {},
  'five times a second': { hz: 5, delayS: 0.15 },
  'with a third of it lost': { hz: 2, lost: 0.3, delayS: 0.5 },
  'by a poor receiver with a clock of its own': { noiseM: 8, aheadS: 1_234, delayS: 0.8 },
};

for (const [flown, flight] of Object.entries(flights)) {
  for (const [how, way] of Object.entries(ways)) {
    t.test(`${flown}, told ${how}: nothing is held against it from the wire to the card`, async (t) => {
      const seed = seedOf(t);
      for (let i = 0; i < FLIGHTS; i++) {
        const random = randomFrom(seed + i);
        const names = { mac: '60:60:1F:00:00:01', serial: '1581F5FKD2294B000001' };
        const telling = { ...names, beginsMs, seed: seed + i, untilS: UNTIL_S, ...way };
        const ear = new RemoteIdReceiver().receive(honestFrames(flight(random), random, telling));
        t.same([...ear.raised.keys()], [], `flight ${i}`);
        t.same(
          ear.cards.map(({ flags, integrity }) => [...flags, integrity.verdict]),
          [['unchecked']],
        );
      }
    });
  }
}
