import { readFileSync } from 'node:fs';
import t from 'tap';
import { AdsbSender } from '../../../src/edge/feed/adsb.ts';
import type { OdidLocation, OdidMessage } from '../../../src/edge/wire/odid/message.ts';
import { createSbsCodec } from '../../../src/edge/wire/sbs/codec.ts';
import { onlyInFull } from '../../support/basics/patience.ts';
import { placeAt } from '../../support/basics/place.ts';
import { type Frame, framesOf, RemoteIdReceiver, together } from '../../support/core/remote_id_receiver.ts';
import { sample, samplesMissing } from '../../support/daemon/dunlin.ts';

onlyInFull(t);

const options = { skip: samplesMissing };
const flight = samplesMissing ? [] : framesOf(sample('remote_id/anafi4_real.derived_mavlink.jsonl'));
const WITHIN_MS = 5_000;

type Told = (location: OdidLocation, i: number) => Partial<OdidLocation>;

/** The flight with other words from a time on; `i` counts the frames of the lie. */
function lying(fromMs: number, told: Told | null, operatorKm = 0): Frame[] {
  let i = 0;
  return flight.map((frame) => {
    if (frame.atMs < fromMs) return frame;
    i++;
    return { ...frame, messages: frame.messages.map((message) => lie(message, i, told, operatorKm)) };
  });
}

function lie(message: OdidMessage, i: number, told: Told | null, operatorKm: number): OdidMessage {
  if (message.type === 'location' && told) return { ...message, ...told(message, i) };
  if (message.type !== 'system' || operatorKm === 0 || message.operatorLatDeg === null) return message;
  const from = { lat: message.operatorLatDeg, lon: message.operatorLonDeg ?? 0 };
  const { lat, lon } = placeAt(from, 90, operatorKm * 1000);
  return { ...message, operatorLatDeg: lat, operatorLonDeg: lon };
}

t.test(
  'nothing is held against the real flight, wherever one begins to listen and whatever is lost',
  options,
  async (t) => {
    for (const [from, every] of [
      [0, 1],
      [0, 2],
      [0, 3],
      [0, 7],
      [300, 1],
      [600, 1],
      [900, 5],
    ] as const) {
      const ear = new RemoteIdReceiver().receive(flight.filter((_, i) => i >= from && i % every === 0));
      t.same([...ear.raised], [], `from ${from}, each ${every}`);
      t.equal(ear.cards.length, 1);
      t.match(ear.cards[0], { flags: [], integrity: { verdict: 'unchecked', score: 0.5, reasons: [] } });
    }
  },
);

t.test('heard by its own clock hours off, it is still honest', options, async (t) => {
  for (const offS of [-1_799, -700, 900, 1_799]) {
    const off = lying(0, ({ secondsAfterHour }) => ({
      secondsAfterHour: ((secondsAfterHour ?? 0) + offS + 3_600) % 3_600,
    }));
    t.same([...new RemoteIdReceiver().receive(off).raised], [], `${offS} s`);
  }
});

t.test('an airliner says nothing against itself, at about the pace at which it flew', options, async (t) => {
  // The capture was made of messages that were played at 14 times their pace, in bursts: those of a while are spread over it.
  // Bursts remain, so that it leaps in the eyes of the tracker.
  const [played, spread] = [14, 12];
  const lines = readFileSync(sample('adsb/readsb_sbs_basestation.txt'), 'utf8').split('\n').filter(Boolean);
  const madeMs = lines.map((line) => {
    const [, , , , , , date = '', time = ''] = line.split(',');
    return played * Date.parse(`${date.replaceAll('/', '-')}T${time}Z`);
  });
  const codec = createSbsCodec();
  const sender = new AdsbSender();
  const ear = new RemoteIdReceiver();
  for (const [i, line] of lines.entries()) {
    const around = madeMs.slice(Math.max(0, i - spread), i + spread + 1);
    const atMs = around.reduce((sum, ms) => sum + ms, 0) / around.length;
    codec.decode(Buffer.from(`${line}\n`), 'sender', atMs, (message) => {
      ear.pass(atMs, sender.take(message, 'sensor', 'link', atMs));
    });
  }
  t.same(
    [...ear.raised.keys()].filter((id) => id !== 'jump' && id !== 'suspect'),
    [],
  );
  t.equal(ear.cards.length, 1);
});

const begins = flight[0]?.atMs ?? 0;
let frozen: number | null = null;
const freeze: Told = ({ secondsAfterHour }, i) => {
  if (i === 1) frozen = secondsAfterHour;
  return { secondsAfterHour: frozen };
};
const jump: Told = ({ latDeg, lonDeg, secondsAfterHour }) => {
  const second = Math.floor(secondsAfterHour ?? 0);
  const { lat, lon } = placeAt({ lat: latDeg ?? 0, lon: lonDeg ?? 0 }, (second * 97) % 360, 300 * (second % 2));
  return { latDeg: lat, lonDeg: lon };
};
const both: Told = (location, i) => ({ ...jump(location, i), ...freeze(location, i) });
const lies: [string, Told | null, number, string][] = [
  ['a clock that stands', freeze, 0, 'clock_inconsistent'],
  ['jumps of 300 m', jump, 0, 'speed_inconsistent'],
  ['a pilot 25 km away', null, 25, 'operator_far'],
  ['all of them', both, 25, 'clock_inconsistent'],
];
for (const [name, told, operatorKm, reason] of lies) {
  for (const [when, fromMs] of [
    ['from the first word', 0],
    ['from amid the flight', begins + 70_000],
  ] as const) {
    t.test(`the real flight with ${name} ${when} is suspect within 5 s`, options, async (t) => {
      const ear = new RemoteIdReceiver().receive(lying(fromMs, told, operatorKm));
      const sinceMs = Math.max(fromMs, begins);
      const afterMs = (ear.raised.get('suspect') ?? Number.POSITIVE_INFINITY) - sinceMs;
      t.ok(afterMs >= 0 && afterMs <= WITHIN_MS, `${afterMs} ms`);
      t.comment(
        `${name} ${when}: ${[...ear.raised].map(([id, ms]) => `${id} ${((ms - sinceMs) / 1000).toFixed(1)} s`).join(', ')}`,
      );
      t.ok(ear.raised.has(reason), [...ear.raised.keys()].join());
      t.equal(ear.cards.length, 1, 'one transmitter is one track');
    });
  }
}

t.test('a replay of the flight beside the flight: both are marked', options, async (t) => {
  const elsewhere = lying(0, ({ latDeg, lonDeg }) => {
    const { lat, lon } = placeAt({ lat: latDeg ?? 0, lon: lonDeg ?? 0 }, 30, 2_000);
    return { latDeg: lat, lonDeg: lon };
  }).map((frame) => ({ ...frame, mac: '02:00:00:00:00:01', atMs: frame.atMs + 10_000 }));
  const ear = new RemoteIdReceiver().receive(together(flight, elsewhere));
  t.comment(JSON.stringify([...ear.raised].map(([id, ms]) => [id, ms - begins])));
  t.equal(ear.cards.length, 2);
  for (const { flags, integrity } of ear.cards) {
    t.same(flags, ['id_duplicate']);
    t.match(integrity, { verdict: 'suspect', reasons: [{ id: 'duplicate_identity' }] });
  }
});
