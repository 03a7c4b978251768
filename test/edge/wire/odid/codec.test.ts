import t from 'tap';
import type { Codec } from '../../../../src/edge/wire/codec.ts';
import type { OdidRawReport } from '../../../../src/edge/wire/message.ts';
import { createOdidRawCodec } from '../../../../src/edge/wire/odid/codec.ts';
import { encodeMessage25, encodePack } from '../../../support/links/odid25.ts';

type RawCodec = Codec<OdidRawReport>;

const basicId = { type: 'basic_id', idType: 1, uaType: 2, uasId: '1581F5FKD22940012345' } as const;
const selfId = { type: 'self_id', descType: 0, desc: '0123456789abcdef0123456' } as const;
const single = encodeMessage25(basicId);
const pack = encodePack([basicId, selfId]);

const datagrams = (): RawCodec => createOdidRawCodec({ datagrams: true });
const stream = (): RawCodec => createOdidRawCodec({ datagrams: false });

function decode(codec: RawCodec, bytes: Uint8Array | string, from = ''): OdidRawReport[] {
  const reports: OdidRawReport[] = [];
  codec.decode(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, from, 0, (report) => reports.push(report));
  return reports;
}

const refusals = ({ rejects }: RawCodec): Record<string, number> =>
  Object.fromEntries(Object.entries(rejects).filter(([, count]) => count > 0));

t.test('a datagram is a message or a pack', async (t) => {
  const codec = datagrams();
  t.same(decode(codec, single), [{ kind: 'odid_raw', pack: false, messages: [basicId] }]);
  t.same(decode(codec, pack), [{ kind: 'odid_raw', pack: true, messages: [basicId, selfId] }]);
  t.equal(codec.messages, 2);
  t.same(refusals(codec), {});
});

t.test('a datagram may also be hex, with or without a line end', async (t) => {
  const codec = datagrams();
  const text = single.toString('hex');
  t.equal(decode(codec, text).length, 1);
  t.equal(decode(codec, `${text.toUpperCase()}\r\n${pack.toString('hex')}\n`).length, 2);
  t.same(refusals(codec), {});
});

t.test('a message whose text is all hex digits is no line of hex', async (t) => {
  const codec = datagrams();
  t.same(decode(codec, encodeMessage25(selfId)), [{ kind: 'odid_raw', pack: false, messages: [selfId] }]);
});

t.test('a pack in the room of the largest one is read', async (t) => {
  const roomy = Buffer.alloc(3 + 9 * 25);
  pack.copy(roomy);
  t.equal(decode(datagrams(), roomy)[0]?.messages.length, 2);
});

t.test('refused datagrams are counted once each, under their reason', async (t) => {
  const change = (at: number, value: number): Buffer => {
    const copy = Buffer.from(pack);
    copy[at] = value;
    return copy;
  };
  const cases: [string, Uint8Array, Record<string, number>][] = [
    ['one byte', Buffer.from([0x12]), { length: 1 }],
    ['24 bytes', single.subarray(0, 24), { length: 1 }],
    ['26 bytes', Buffer.concat([single, Buffer.alloc(1)]), { length: 1 }],
    ['a reserved type', Buffer.alloc(25, 0x70), { unknown_type: 1 }],
    ['a pack cut short', pack.subarray(0, 52), { length: 1 }],
    ['a pack of 25 bytes', Buffer.from(pack.subarray(0, 25)), { length: 1 }],
    ['message size 24', change(1, 24), { length: 1 }],
    ['no message', change(2, 0), { length: 1 }],
    ['ten messages', Buffer.concat([change(2, 10), Buffer.alloc(200)]), { length: 1 }],
    ['a nested pack', change(3, 0xf2), { malformed: 1 }],
    ['a pack beyond any', Buffer.concat([pack, Buffer.alloc(200)]), { length: 1 }],
    [
      'an authentication of 17 pages',
      Buffer.concat([Buffer.from([0x22, 0x10, 16]), Buffer.alloc(22)]),
      { implausible: 1 },
    ],
  ];
  for (const [name, bytes, counts] of cases) {
    const codec = datagrams();
    t.same(decode(codec, bytes), [], name);
    t.same(refusals(codec), counts, name);
  }
});

t.test('lines of hex come out however they are cut', async (t) => {
  const text = `${single.toString('hex')}\n\n${pack.toString('hex')}\r\n  02 12${single.toString('hex').slice(4)}  \n`;
  for (const size of [1, 3, 50, 51, 1000]) {
    const codec = stream();
    const reports = [];
    for (let at = 0; at < text.length; at += size) reports.push(...decode(codec, text.slice(at, at + size)));
    t.same(
      reports.map((report) => report.messages.length),
      [1, 2, 1],
      `${size} at a time`,
    );
    t.same(refusals(codec), {});
  }
});

t.test('a bad line is refused once and costs no other', async (t) => {
  const codec = stream();
  const good = single.toString('hex');
  const lines = [good, 'hello', good.slice(1), good.slice(2), 'f'.repeat(2000), good];
  t.equal(decode(codec, `${lines.join('\n')}\n`).length, 2);
  t.same(refusals(codec), { malformed: 1, length: 3 });
});

t.test('a line that goes on behind the longest pack is refused', async (t) => {
  const codec = stream();
  const longest = encodePack(Array.from({ length: 9 }, () => basicId)).toString('hex');
  t.equal(decode(codec, `${longest}\n`).length, 1);
  t.equal(decode(codec, `${longest}00\n`).length, 0);
  t.same(refusals(codec), { length: 1 });
});

t.test('a line without an end holds no more than the longest pack', async (t) => {
  const codec = stream();
  for (let i = 0; i < 1000; i++) decode(codec, 'ab'.repeat(500));
  t.same(decode(codec, `\n${single.toString('hex')}\n`).length, 1);
  t.same(refusals(codec), { length: 1 });
});

t.test('lines of several senders do not mix, and a sender that goes leaves nothing', async (t) => {
  const codec = stream();
  const text = single.toString('hex');
  decode(codec, text.slice(0, 20), 'one');
  decode(codec, text.slice(0, 30), 'two');
  t.equal(decode(codec, `${text.slice(20)}\n`, 'one').length, 1);
  codec.forget('two');
  t.equal(decode(codec, `${text.slice(30)}\n`, 'two').length, 0);
  t.same(refusals(codec), { length: 2 });
});
