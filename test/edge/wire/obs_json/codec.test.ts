import fc from 'fast-check';
import t from 'tap';
import { createObsJsonCodec } from '../../../../src/edge/wire/obs_json/codec.ts';
import { sized } from '../../../support/basics/size.ts';
import { feed, feedFile, fixturePath, rejected } from '../../../support/links/line_feeding.ts';

const row = { sensor_id: 'radar-1', report: 'position', position: { lat: 60.17, lon: 24.94, alt_hae_m: 120 } };

function one(line: string | Uint8Array) {
  const { messages, rejects } = feed(createObsJsonCodec(), line);
  return { row: messages[0]?.row, rejects };
}
const json = (value: unknown): Uint8Array => Buffer.from(`${JSON.stringify(value)}\n`, 'utf8');

t.test('a good row comes through as it was written', async (t) => {
  t.same(feed(createObsJsonCodec(), json(row)).messages, [{ kind: 'observation', row }]);
  t.equal(one(json({ ...row, sensor_id: 'Tutka Ä' })).row?.sensor_id, 'Tutka Ä', 'UTF-8');
});

t.test('numbers out of range are implausible, everything else that is wrong malformed', async (t) => {
  t.same(one(json({ ...row, position: { lat: 91, lon: 0 } })).rejects, rejected({ implausible: 1 }));
  t.same(one(json({ ...row, position: { lat: 91, lon: 'x' } })).rejects, rejected({ malformed: 1 }));
  t.same(one(json({ ...row, extra: 1 })).rejects, rejected({ malformed: 1 }));
  t.same(one(json({ ...row, report: 'rumour' })).rejects, rejected({ malformed: 1 }));
  t.same(one(json({ ...row, obs_id: 'half \ud800' })).rejects, rejected({ malformed: 1 }));
  t.same(one(json({ sensor_id: 'a', report: 'position' })).rejects, rejected({ malformed: 1 }));
  for (const text of [
    '{',
    'null',
    '[]',
    '7',
    '""',
    'x',
    '{"sensor_id":"a","report":"presence"} x',
    '{"confidence":1e999}',
  ]) {
    t.same(one(`${text}\n`).rejects, rejected({ malformed: 1 }), text);
  }
});

t.test('bytes that are no UTF-8 are malformed', async (t) => {
  const bytes = Buffer.concat([
    Buffer.from('{"sensor_id":"'),
    Buffer.from([0xff, 0xc0]),
    Buffer.from('","report":"presence"}\n'),
  ]);
  t.same(one(bytes).rejects, rejected({ malformed: 1 }));
});

t.test('deep and huge JSON is refused before it is parsed', async (t) => {
  t.same(one(`${'['.repeat(30_000)}\n`).rejects, rejected({ malformed: 1 }));
  t.same(one(`${'{"a":'.repeat(17)}1${'}'.repeat(17)}\n`).rejects, rejected({ malformed: 1 }));
  t.same(one(`{"sensor_id":"${'x'.repeat(65_536)}","report":"presence"}\n`).rejects, rejected({ length: 1 }));
  const brackets = `{"sensor_id":"${'[{'.repeat(50)}\\"[","report":"presence"}\n`;
  t.equal(one(brackets).row?.sensor_id, `${'[{'.repeat(50)}"[`, 'brackets in a text are no depth');
});

t.test('a kind that is not known becomes other, and keeps its word', async (t) => {
  const classification = [
    { type: 'ornithopter', confidence: 0.4 },
    { type: 'bird', confidence: 0.1 },
  ];
  const identity = [{ type: 'serial', value: 'X', transport: 'lora' }];
  const opened = one(json({ ...row, classification, identity })).row;
  t.same(opened?.classification, [{ type: 'other', confidence: 0.4, model: 'ornithopter' }, classification[1]]);
  t.same(opened?.identity, [{ type: 'serial', value: 'X', transport: 'other' }]);
  t.same(one(json({ ...row, classification: [{ type: 'x', confidence: 1, model: 'M' }] })).row?.classification, [
    { type: 'other', confidence: 1, model: 'M' },
  ]);
  t.same(one(json({ ...row, classification: 'x', identity: [null, 3] })).rejects, rejected({ malformed: 1 }));
});

t.test('a datagram without a line end is a row on a link of datagrams, and only there', async (t) => {
  const bytes = json(row).subarray(0, -1);
  t.equal(feed(createObsJsonCodec({ datagrams: true }), bytes).messages.length, 1);
  t.equal(feed(createObsJsonCodec(), bytes).messages.length, 0);
});

t.test('the fixture gives the same however it is cut', async (t) => {
  const whole = feedFile(createObsJsonCodec(), fixturePath('observations.jsonl'));
  t.same(
    whole.messages.map((m) => m.row.report),
    ['position', 'range_bearing', 'bearing', 'presence', 'identity'],
  );
  t.same(whole.rejects, rejected({ malformed: 2, implausible: 1 }));
  const seed = 42;
  t.comment(`seed ${seed}`);
  const text = Buffer.from(`${JSON.stringify(row)}\nbroken\n${JSON.stringify(row)}\n`);
  fc.assert(
    fc.property(fc.array(fc.nat(text.length)), (cuts) => {
      const fed = feed(createObsJsonCodec(), text, cuts);
      return fed.messages.length === 2 && fed.rejects.malformed === 1;
    }),
    { seed, numRuns: sized(300) },
  );
});
