import t from 'tap';
import { createCotCodec } from '../../../../src/edge/wire/cot/codec.ts';
import type { CotMessage } from '../../../../src/edge/wire/message.ts';

const times = 'time="2026-05-06T10:00:00Z" start="2026-05-06T10:00:00Z" stale="2026-05-06T10:01:00Z"';
const point = '<point lat="10.5" lon="-20.25" hae="33" ce="4" le="5"/>';
const event = (attributes: string, inner = point): string => `<event version="2.0" ${attributes}>${inner}</event>`;
const good = (uid: string, inner = point): string => event(`uid="${uid}" type="a-u-A" how="m-g" ${times}`, inner);

type Read = { uids: string[]; events: CotMessage[]; rejects: Record<string, number> };

function read(chunks: readonly (string | Uint8Array)[], datagrams: boolean): Read {
  const codec = createCotCodec({ datagrams });
  const events: CotMessage[] = [];
  for (const chunk of chunks) codec.decode(Buffer.from(chunk as string), 'peer', 0, (message) => events.push(message));
  const rejects = Object.fromEntries(Object.entries(codec.rejects).filter(([, count]) => count > 0));
  return { events, uids: events.map(({ uid }) => uid), rejects };
}

const datagram = (text: string | Uint8Array): Read => read([text], true);
const stream = (...chunks: string[]): Read => read(chunks, false);

t.test('values that senders write for unknown become null', async (t) => {
  const of = (hae: string, ce: string, track = '') =>
    datagram(good('u', `<point lat="1" lon="2" hae="${hae}" ce="${ce}" le="9999999.0"/><detail>${track}</detail>`));
  t.match(of('9999999.0', '999999').events, [{ altHaeM: null, ceM: null, leM: null }]);
  t.match(of('NaN', '0').events, [{ altHaeM: null, ceM: null }], 'nobody knows a place without any error');
  t.match(of('', '').events, [{ altHaeM: null, ceM: null }]);
  t.match(of('1', '2', '<track course="361" speed="-1"/>').events, [{ courseDeg: null, speedMps: null }]);
  t.match(of('1', '2', '<track course="360" speed="0"/>').events, [{ courseDeg: 0, speedMps: 0 }]);
});

t.test('a text where a number belongs, or a number beyond any aircraft, is refused', async (t) => {
  const of = (more: string, detail = '') =>
    datagram(good('u', `<point lat="1" lon="2" ${more}/><detail>${detail}</detail>`)).rejects;
  t.same(of('hae="high"'), { malformed: 1 });
  t.same(of('hae="0x10"'), { malformed: 1 });
  t.same(of('hae="-5000"'), { implausible: 1 });
  t.same(of('hae="200000"'), { implausible: 1 });
  t.same(of('hae="1"', '<track course="1" speed="5000"/>'), { implausible: 1 });
  t.same(datagram(good('u', '<point lat="1" lon="181"/>')).rejects, { implausible: 1 });
  t.same(datagram(good('u', '<point lat="1"/>')).rejects, { malformed: 1 });
});

t.test('a document type is refused, and with it entities of the sender', async (t) => {
  const bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>';
  t.same(datagram(`${bomb}${good('u')}`).rejects, { malformed: 1 });
  t.same(datagram(`<!DOCTYPE event SYSTEM "file:///etc/passwd">${good('u')}`).rejects, { malformed: 1 });
});

t.test('limits of one event hold at their edge', async (t) => {
  const levels = (count: number) => good('u', `${point}${'<a>'.repeat(count)}${'</a>'.repeat(count)}`);
  t.same(datagram(levels(31)).uids, ['u'], '32 levels with the event');
  t.same(datagram(levels(32)).rejects, { malformed: 1 });
  const attributes = (count: number) =>
    good('u', `${point}<d ${Array.from({ length: count }, (_, i) => `a${i}="1"`).join(' ')}/>`);
  t.same(datagram(attributes(64)).uids, ['u']);
  t.same(datagram(attributes(65)).rejects, { malformed: 1 });
  const bytes = (length: number) => good('u', `${point}${' '.repeat(length - good('u').length)}`);
  t.same(stream(bytes(65_536)).uids, ['u']);
  t.same(stream(bytes(65_537)).rejects, { length: 1 });
  t.same(datagram(event(`uid="${'u'.repeat(121)}" type="a-u-A" how="m-g" ${times}`)).rejects, { length: 1 });
});

t.test('only elements of the detail itself are read, and hostile names are only names', async (t) => {
  const detail = '<detail><__proto__ callsign="x"/><constructor/><d><contact callsign="no"/></d></detail>';
  t.match(datagram(good('u', `${point}${detail}`)).events, [{ callsign: null }]);
  t.equal(({} as { callsign?: string }).callsign, undefined);
});

t.test('bytes that are not UTF-8 are refused', async (t) => {
  const bytes = Buffer.from(good('u', `${point}<detail><contact callsign="X"/></detail>`), 'latin1');
  bytes[bytes.indexOf('X')] = 0xff;
  t.same(datagram(bytes).rejects, { malformed: 1 });
});

t.test('an event of a Dunlin is an echo, also one that is not in the air', async (t) => {
  t.same(datagram(good('dunlin.1.2')).rejects, { not_allowed: 1 });
  t.same(datagram(event(`uid="dunlin.1" type="a-f-G-E-S" how="m-g" ${times}`)).rejects, { not_allowed: 1 });
  const flow = '<detail><_flow-tags_ other="1" dunlin.x="2026-05-06T10:00:00Z"/></detail>';
  t.same(datagram(good('u', point + flow)).rejects, { not_allowed: 1 });
  t.same(datagram(good('u', `${point}<detail><_flow-tags_ other="1"/></detail>`)).uids, ['u']);
});

t.test('a document that is no event is refused', async (t) => {
  t.same(datagram('<events/>').rejects, { malformed: 1 });
  t.same(datagram('').rejects, { malformed: 1 });
  t.same(datagram(`${good('u')}<!-- end --><x/>`).rejects, { malformed: 1 });
});

t.test('a stream goes on after everything that is no event', async (t) => {
  t.same(stream(good('a'), '\r\n\0﻿', good('b')), { ...stream(good('a') + good('b')) }, 'blanks are nothing');
  t.match(stream(`${good('a')} noise ${good('b')}`), { uids: ['a', 'b'], rejects: { malformed: 1 } });
  t.match(stream(`</event></event>${good('b')}`), { uids: ['b'], rejects: { malformed: 1 } });
  t.match(stream('<event x="1"><event y="1">', good('c')), { uids: ['c'], rejects: { malformed: 2 } });
  t.match(stream(`<eventual/>${good('c')}`), { uids: ['c'], rejects: { malformed: 1 } });
  t.match(stream('n'.repeat(200_000), good('c')), { uids: ['c'], rejects: { malformed: 1 } });
  t.match(stream(`<event ${'n'.repeat(70_000)}</event>`, good('c')), { uids: ['c'], rejects: { length: 1 } });
});

t.test('a half of an event is forgotten with its sender', async (t) => {
  const codec = createCotCodec();
  const uids: string[] = [];
  const decode = (text: string, from: string) => codec.decode(Buffer.from(text), from, 0, ({ uid }) => uids.push(uid));
  const [first, second] = [good('a').slice(0, 40), good('a').slice(40)];
  decode(first, 'one');
  decode(good('b'), 'two');
  decode(second, 'one');
  t.same(uids, ['b', 'a'], 'senders do not mix');
  decode(first, 'one');
  codec.forget('one');
  decode(second, 'one');
  decode(good('c'), 'one');
  t.same(uids, ['b', 'a', 'c']);
});

t.test('objects of a simulation or an exercise are not taken, and a name shows no hidden characters', async (t) => {
  const of = (how: string, opex = '') => datagram(event(`uid="u" type="a-h-A" how="${how}" opex="${opex}" ${times}`));
  t.same(of('m-s').rejects, { not_allowed: 1 });
  t.same(of('m-g', 's-training').rejects, { not_allowed: 1 });
  t.same(of('m-g', 'e').rejects, { not_allowed: 1 });
  t.same(of('m-g', 'o').uids, ['u']);
  const named = datagram(good('u', `${point}<detail><contact callsign="EAGLE&#x202E;&#x9;1"/></detail>`));
  t.match(named.events, [{ callsign: 'EAGLE  1' }]);
  t.same(datagram(event(`uid="u&#x200E;" type="a-h-A" how="m-g" ${times}`)).rejects, { malformed: 1 });
});
