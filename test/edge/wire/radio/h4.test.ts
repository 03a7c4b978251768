import fc from 'fast-check';
import t from 'tap';
import { createHciH4Codec } from '../../../../src/edge/wire/radio/h4_codec.ts';
import type { RadioMessage } from '../../../../src/edge/wire/radio/message.ts';
import { seedOf } from '../../../support/basics/seed.ts';
import { sized } from '../../../support/basics/size.ts';
import { framesAt } from '../../../support/links/broadcast_aircraft.ts';
import * as packets from '../../../support/links/packets.ts';

const aircraft = {
  serial: '1581F5FKD2294STREAM1',
  ...{ wifiMac: '60:60:1f:10:01:2d', bluetoothMac: '60:60:1f:10:01:2e', lat: 47.2, lon: 8.73 },
};

/** Events of ten seconds, each with other contents. */
const events = Array.from({ length: 10 }, (_, s) => {
  const { bt4, bt5 } = framesAt(aircraft, s * 7);
  return s % 3 === 2 ? bt5 : bt4;
}).flat();
const stream = Buffer.concat(events);

type Read = { claims: string[]; rejects: Record<string, number> };

/** What a message claims, without its level, whose byte may be another packet's. */
function claimOf(message: RadioMessage): string {
  return JSON.stringify({ ...message, rssiDbm: null });
}

function read(pieces: readonly Uint8Array[], everyMs = 1): Read {
  const codec = createHciH4Codec();
  const claims: string[] = [];
  for (const [n, piece] of pieces.entries())
    codec.decode(piece, '', n * everyMs, (message) => claims.push(claimOf(message)));
  return { claims, rejects: Object.fromEntries(Object.entries(codec.rejects).filter(([, count]) => count > 0)) };
}

function cut(bytes: Buffer, ends: readonly number[]): Buffer[] {
  const sorted = [...new Set(ends.map((end) => end % bytes.length))].sort((a, b) => a - b);
  return [0, ...sorted].map((begin, n) => bytes.subarray(begin, [...sorted, bytes.length][n]));
}

const whole = read([stream]);

t.test('events say the same wherever the stream is cut', async (t) => {
  t.equal(whole.claims.length, 17);
  t.same(whole.rejects, {});
  t.same(read(Array.from(stream, (byte) => Buffer.from([byte]))), whole);
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 20 }), (ends) => {
      t.same(read(cut(stream, ends)), whole);
    }),
    { seed: seedOf(t), numRuns: sized(200) },
  );
});

t.test('bytes of an event that are lost on the line make no message that was not sent, and cost few', async (t) => {
  const sent = new Set(whole.claims);
  const begins = events.map((_, n) => events.slice(0, n).reduce((sum, { length }) => sum + length, 0));
  // The last event has none behind it that would show the loss.
  const loss = fc.record({
    event: fc.nat(events.length - 2),
    from: fc.nat(),
    lost: fc.integer({ min: 2, max: 40 }),
    ends: fc.array(fc.nat(), { maxLength: 6 }),
  });
  fc.assert(
    fc.property(loss, ({ event, from, lost, ends }) => {
      const size = events[event]?.length ?? 0;
      const begin = (begins[event] ?? 0) + (from % (size - 1));
      const end = Math.min(begin + lost, (begins[event] ?? 0) + size);
      if (end - begin < 2) return;
      const { claims } = read(cut(Buffer.concat([stream.subarray(0, begin), stream.subarray(end)]), ends));
      const others = claims.filter((claim) => !sent.has(claim));
      t.same(others, [], `bytes ${begin} to ${end}`);
      t.ok(
        claims.length >= whole.claims.length - 6,
        `${claims.length} claims without bytes ${begin} to ${end}, cut at ${ends}`,
      );
    }),
    { seed: seedOf(t), numRuns: sized(600) },
  );
});

t.test('a transmitter whose content looks like the beginning of an event hides no other', async (t) => {
  const [, victim] = events as [Buffer, Buffer];
  const like = packets.hciReport(aircraft.bluetoothMac, Buffer.alloc(31));
  const attack = packets.hciReport('02:00:5e:00:00:01', Buffer.concat([Buffer.alloc(11), like.subarray(0, 20)]));
  const { claims, rejects } = read([Buffer.concat([attack, victim])]);
  t.same([claims, rejects], [[whole.claims[1]], {}]);
  t.same(read([attack, victim]), { claims: [whole.claims[1]], rejects: {} });
});

t.test('packets of other kinds are passed over, and a packet that never ends is given up', async (t) => {
  const [event] = events as [Buffer];
  const acl = Buffer.concat([Buffer.from([2, 1, 0, 20, 0]), Buffer.alloc(20, 0xaa)]);
  const sco = Buffer.concat([Buffer.from([3, 1, 0, 5]), Buffer.alloc(5)]);
  const complete = Buffer.from('040e0401030c00', 'hex');
  t.same(read([Buffer.concat([acl, event, sco, complete, event])]), {
    claims: [whole.claims[0], whole.claims[0]],
    rejects: {},
  });
  const endless = Buffer.from([2, 1, 0, 0xff, 3]);
  const { claims, rejects } = read([endless, event, event], 3_000);
  t.same(claims, [whole.claims[0], whole.claims[0]]);
  t.same(rejects, { malformed: 1 });
  const tooLong = packets.hciExtended(aircraft.bluetoothMac, packets.advertisingData(1, Buffer.alloc(30)));
  tooLong.writeUInt8(255, 5 + 23);
  t.match(read([tooLong, event]), { claims: [whole.claims[0]], rejects: { length: 1 } });
});
