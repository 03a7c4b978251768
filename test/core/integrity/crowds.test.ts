import t from 'tap';
import { placeAt } from '../../support/basics/place.ts';
import { randomFrom } from '../../support/basics/random.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { type Frame, RemoteIdReceiver, together } from '../../support/core/remote_id_receiver.ts';
import { Aircraft } from '../../support/sky/aircraft.ts';

const site = { lat: 47.05, lon: 8.3 };
const BEGINS_MS = Date.parse('2026-05-01T10:00:00Z');
const SECONDS = 60;

/** Everything that one invented aircraft says of a random walk, once a second from a second on. */
function walk(seed: number, mac: string, serial: string, fromS = 0, untilS = SECONDS): Frame[] {
  const random = randomFrom(seed);
  let at = placeAt(site, 360 * random(), 1_500 * random());
  const frames: Frame[] = [];
  for (let s = fromS; s < untilS; s++) {
    const [courseDeg, speedMps] = [Math.floor(360 * random()), Math.round(60 * random()) / 4];
    const aircraft = new Aircraft({ mac, serial, from: at, courseDeg, speedMps });
    const atMs = BEGINS_MS + s * 1000 + Math.floor(900 * random());
    frames.push({ atMs, mac, messages: aircraft.messages(aircraft.location(0, atMs)) });
    at = aircraft.placeAt(1);
  }
  return frames;
}

const serialOf = (i: number): string => `1581F5FKD2294B0${String(i).padStart(5, '0')}`;
const macOf = (i: number): string =>
  `02:00:00:00:${String(Math.floor(i / 100)).padStart(2, '0')}:${String(i % 100).padStart(2, '0')}`;

t.test('sixteen invented aircraft of one transmitter are one track, which is suspect', async (t) => {
  const seed = seedOf(t);
  const ear = new RemoteIdReceiver().receive(
    together(...Array.from({ length: 16 }, (_, i) => walk(seed + i, macOf(1), serialOf(i)))),
  );
  t.comment([...ear.raised].map(([id, ms]) => `${id} ${((ms - BEGINS_MS) / 1000).toFixed(1)} s`).join(', '));
  t.equal(ear.cards.length, 1);
  t.match(ear.cards[0], { flags: ['id_duplicate'], integrity: { verdict: 'suspect' } });
  t.ok((ear.raised.get('suspect') ?? Number.POSITIVE_INFINITY) - BEGINS_MS <= 5_000);
});

t.test('two serials by turns of one transmitter mark its one track', async (t) => {
  const seed = seedOf(t);
  const ear = new RemoteIdReceiver().receive(
    together(walk(seed, macOf(1), serialOf(1)), walk(seed, macOf(1), serialOf(2))),
  );
  t.equal(ear.cards.length, 1);
  t.match(ear.cards[0], { flags: ['id_duplicate'], integrity: { verdict: 'suspect' } });
});

t.test('a flood of addresses, each with a serial of its own and new ones every few seconds', async (t) => {
  const seed = seedOf(t);
  const walks: Frame[][] = [];
  for (let fromS = 0, i = 0; fromS < SECONDS; fromS += 4)
    for (let k = 0; k < 15; k++, i++) walks.push(walk(seed + i, macOf(i), serialOf(i), fromS, fromS + 4));
  const ear = new RemoteIdReceiver().receive(together(...walks));
  t.equal(ear.cards.length, walks.length, 'each is a track of its own');
  t.same([...ear.raised], [], 'by their words alone nothing tells them from honest ones');
  t.ok(ear.cards.every(({ flags, integrity }) => flags.length === 0 && integrity.verdict === 'unchecked'));
});
