import t from 'tap';
import { createMavlinkCodec } from '../../../../src/edge/wire/mavlink/codec.ts';
import { datagrams, decode, heartbeatFrame, locationFrame, refusals, seqs, stream } from './aids.ts';

t.test('a datagram that ends in a start byte holds back no later datagram', async (t) => {
  const codec = datagrams();
  const ending = Buffer.concat([locationFrame(1), Buffer.from([0xfd, 0xff])]);
  t.same(seqs(decode(codec, ending, 'a:1')), [1]);
  t.same(seqs(decode(codec, locationFrame(2), 'a:1')), [2]);
  t.same(seqs(decode(codec, locationFrame(3), 'a:1')), [3]);
  t.same(refusals(codec), { length: 1 });
});

t.test('a truncated datagram takes none of the good ones that follow', async (t) => {
  const codec = datagrams();
  t.same(decode(codec, locationFrame(1).subarray(0, 50), 'a:1'), []);
  t.same(seqs(decode(codec, locationFrame(2), 'a:1')), [2]);
  t.same(seqs(decode(codec, locationFrame(3), 'a:1')), [3]);
  t.same(refusals(codec), { length: 1 });
  t.equal(codec.heldBytes, 0);
});

t.test('frames behind a false start byte come out when the next datagram shows it false', async (t) => {
  const codec = datagrams();
  const hidden = Buffer.concat([Buffer.from('fdff0000000101210000', 'hex'), locationFrame(1)]);
  t.same(decode(codec, hidden, 'a:1'), []);
  t.same(seqs(decode(codec, locationFrame(2), 'a:1')), [1, 2]);
  t.same(refusals(codec), { length: 1 });
});

t.test('a frame split over datagrams is put together', async (t) => {
  const codec = datagrams();
  const bytes = Buffer.concat([locationFrame(1), locationFrame(2), locationFrame(3)]);
  const messages = [];
  for (let at = 0; at < bytes.length; at += 32) messages.push(...decode(codec, bytes.subarray(at, at + 32), 'a:1'));
  t.same(seqs(messages), [1, 2, 3]);
  t.same(refusals(codec), {});
});

t.test('several frames in one datagram all come out', async (t) => {
  const merged = Buffer.concat([locationFrame(1), heartbeatFrame(2), locationFrame(3)]);
  t.same(seqs(decode(datagrams(), merged, 'a:1')), [1, 2, 3]);
});

t.test('half frames of several senders do not mix', async (t) => {
  const codec = datagrams();
  const one = locationFrame(1, { sysid: 1 });
  const two = locationFrame(2, { sysid: 2 });
  t.same(decode(codec, one.subarray(0, 30), 'a:1'), []);
  t.same(decode(codec, two.subarray(0, 40), 'a:2'), []);
  t.same(seqs(decode(codec, one.subarray(30), 'a:1')), [1]);
  t.same(seqs(decode(codec, two.subarray(40), 'a:2')), [2]);
  t.same(refusals(codec), {});
});

t.test('each datagram of noise is one refusal', async (t) => {
  const codec = datagrams();
  for (let i = 0; i < 3; i++) decode(codec, Buffer.from('hello there'), 'a:1');
  t.same(refusals(codec), { malformed: 3 });
});

t.test('an empty datagram is nothing', async (t) => {
  const codec = datagrams();
  t.same(decode(codec, new Uint8Array(0), 'a:1'), []);
  t.same(refusals(codec), {});
});

t.test('a sender that goes away leaves nothing behind', async (t) => {
  const codec = stream();
  decode(codec, locationFrame(1).subarray(0, 30), 'tcp 1');
  t.equal(codec.heldBytes, 30);
  codec.forget('tcp 1');
  codec.forget('tcp 1');
  t.equal(codec.heldBytes, 0);
  t.equal(codec.senders, 0);
  t.same(refusals(codec), { length: 1 }, 'its half frame is counted');
  t.same(decode(codec, locationFrame(1).subarray(30), 'tcp 1'), [], 'and not joined to a later connection');
});

t.test('made-up senders push out the one that was silent longest, and are counted', async (t) => {
  const codec = createMavlinkCodec({ datagrams: true, maxSenders: 4 });
  const half = locationFrame(1);
  decode(codec, half.subarray(0, 30), 'steady');
  for (let i = 0; i < 100; i++) {
    decode(codec, Buffer.from([0xfd, 0xff]), `flood:${i}`);
    if (i % 3 === 0) decode(codec, new Uint8Array(0), 'steady');
  }
  t.equal(codec.senders, 4);
  t.equal(codec.sendersEvicted, 97);
  t.ok(codec.heldBytes <= 30 + 3 * 2);
  t.same(seqs(decode(codec, half.subarray(30), 'steady')), [1], 'the one in use was kept');
});

t.test('the sender that was heard least lately is the one that gives way', async (t) => {
  const codec = createMavlinkCodec({ datagrams: true, maxSenders: 3 });
  const frames = [1, 2, 3].map((seq) => locationFrame(seq));
  frames.forEach((frame, i) => {
    decode(codec, frame.subarray(0, 30), `s${i}`);
  });
  decode(codec, new Uint8Array(0), 's0');
  decode(codec, new Uint8Array(0), 'new');
  t.same(refusals(codec), { length: 1 }, 'one half frame was lost with its sender');
  // s1 last: as a new sender it pushes out another.
  const finish = (i: number): number[] => seqs(decode(codec, frames[i]?.subarray(30) ?? new Uint8Array(0), `s${i}`));
  t.same([finish(0), finish(2), finish(1)], [[1], [3], []]);
});

t.test('sequence gaps are counted for each sender and component', async (t) => {
  const codec = datagrams();
  const say = (from: string, ...frames: Buffer[]): void => {
    for (const frame of frames) decode(codec, frame, from);
  };
  say('a:1', heartbeatFrame(250), heartbeatFrame(255), heartbeatFrame(0));
  t.equal(codec.sequenceGaps, 4, '251 to 254 are missing, the step over 255 is none');
  say('a:1', locationFrame(100, { sysid: 1, compid: 236 }));
  say('b:1', heartbeatFrame(90));
  t.equal(codec.sequenceGaps, 4, 'another component and another sender count for themselves');
  say('a:1', heartbeatFrame(0), heartbeatFrame(254), heartbeatFrame(1));
  t.equal(codec.sequenceGaps, 4, 'repeated and late frames are no loss');
});
