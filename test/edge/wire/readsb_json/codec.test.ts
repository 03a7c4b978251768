import fc from 'fast-check';
import t from 'tap';
import { createReadsbJsonCodec } from '../../../../src/edge/wire/readsb_json/codec.ts';
import { seedOf } from '../../../support/basics/seed.ts';
import { sized } from '../../../support/basics/size.ts';
import { feed, feedFile, fixturePath, rejected } from '../../../support/links/line_feeding.ts';

const line = {
  ...{ now: 1_772_625_600.4, hex: '4b5c6d', flight: 'HBABC   ', alt_baro: 2_900, alt_geom: 3_000 },
  ...{ gs: 116.7, track: 181.5, geom_rate: -500, baro_rate: -480, category: 'A1', lat: 47.21, lon: 8.7 },
  ...{ nac_p: 8, rc: 186, seen_pos: 0.4, rssi: -12.1, emergency: 'none' },
};
const read = (...more: object[]) =>
  feed(createReadsbJsonCodec(), more.map((fields) => `${JSON.stringify({ ...line, ...fields })}\n`).join(''));
const close = (a: number | null | undefined, b: number, within: number) => Math.abs((a ?? Number.NaN) - b) <= within;

t.test('a line becomes SI, with the geometric height, the accuracy and the time of the position', async (t) => {
  const { messages, rejects } = read({});
  t.same(rejects, rejected({}));
  const [one] = messages;
  t.match(one, { kind: 'adsb', icao24: '4B5C6D', nonIcao: false, callsign: 'HBABC', category: 'A1', emitter: null });
  t.match(one, { onGround: false, emergency: false, latDeg: 47.21, lonDeg: 8.7, courseDeg: 181.5 });
  t.equal(one?.sourceMs, 1_772_625_600_000);
  t.ok(close(one?.altHaeM, 914.4, 1e-6) && close(one?.altPressureM, 883.92, 1e-6));
  t.ok(close(one?.speedMps, 60.036, 0.001) && close(one?.climbMps, -2.54, 1e-6));
  t.ok(close(one?.sigmaHM, 92.6 / 2.448, 0.01), 'NACp 8 is a radius of 92.6 m that holds 95 %');
});

t.test('each trap of the format', async (t) => {
  const [anonymous, ground, drone, heli, bare] = read(
    { hex: '~2a0001' },
    { alt_baro: 'ground' },
    { category: 'B6' },
    { category: 'A7', nac_p: null },
    { geom_rate: null, category: null, track: 360, now: null, emergency: 'general' },
  ).messages;
  t.match(anonymous, { icao24: '2A0001', nonIcao: true });
  t.match(ground, { altPressureM: null, onGround: true });
  t.match(drone, { emitter: 'other' });
  t.match(heli, { emitter: 'helicopter' });
  t.ok(close(heli?.sigmaHM, 186 / 2.448, 0.01), 'without NACp the containment radius stands in');
  t.match(bare, { courseDeg: 0, emitter: null, sourceMs: null, emergency: true });
  t.ok(close(bare?.climbMps, (-480 * 0.3048) / 60, 1e-6), 'the pressure rate stands in for the geometric one');
});

t.test('each refused line has one reason', async (t) => {
  for (const fields of [{ hex: 'xyz' }, { lat: '47' }, { lon: null }, { alt_baro: 'air' }, { flight: 3 }])
    t.match(read(fields).rejects, rejected({ malformed: 1 }), JSON.stringify(fields));
  for (const fields of [{ lat: 91 }, { gs: 9_000 }, { alt_baro: 1e6 }, { hex: '000000' }, { seen_pos: -1 }])
    t.match(read(fields).rejects, rejected({ implausible: 1 }), JSON.stringify(fields));
  for (const text of ['[]\n', '{"hex":\n', 'null\n', '{}\n', '\xff{}\n'])
    t.match(feed(createReadsbJsonCodec(), text).rejects, rejected({ malformed: 1 }), text);
  t.match(feed(createReadsbJsonCodec(), `{"hex":"${'a'.repeat(20_000)}"}\n`).rejects, rejected({ length: 1 }));
});

t.test('a stream gives the same however its bytes are cut', async (t) => {
  const whole = feedFile(createReadsbJsonCodec(), fixturePath('readsb.jsonl'));
  t.equal(whole.messages.length, 6);
  t.same(whole.rejects, rejected({ implausible: 1, malformed: 1 }));
  const text = await import('node:fs').then(({ readFileSync }) => readFileSync(fixturePath('readsb.jsonl')));
  fc.assert(
    fc.property(fc.array(fc.nat({ max: text.length }), { maxLength: 20 }), (cuts) => {
      const cut = feed(createReadsbJsonCodec(), text, cuts);
      return JSON.stringify(cut) === JSON.stringify(whole);
    }),
    { seed: seedOf(t), numRuns: sized(60) },
  );
});
