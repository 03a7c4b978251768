import * as library from 'node-mavlink';
import t from 'tap';
import { createMavlinkCodec, type MavlinkCodec } from '../../../../src/edge/wire/mavlink/codec.ts';
import { encodeFrame, MavlinkEncoder } from '../../../../src/edge/wire/mavlink/encode.ts';
import { messageIds } from '../../../../src/edge/wire/mavlink/known.ts';
import { SignatureGate, type SigningStream } from '../../../../src/edge/wire/mavlink/signing.ts';
import { SigningClock, signingTimestamp } from '../../../../src/edge/wire/mavlink/signing_clock.ts';
import { writeOdid } from '../../../../src/edge/wire/mavlink/write_odid.ts';
import { broken, decode, heartbeatFrame, location, locationFrame, refusals, seqs, tag } from './aids.ts';

const key = Buffer.from(Array.from({ length: 32 }, (_, i) => i * 7 + 1));
const nowMs = Date.parse('2026-03-01T12:00:00Z');
const now = signingTimestamp(nowMs);
const clockAt = (ms: number): SigningClock => new SigningClock(() => ms);

type SignedCodec = MavlinkCodec & { gate: SignatureGate };

function signedCodec(required: boolean, streams: SigningStream[] = [], clock = clockAt(nowMs)): SignedCodec {
  const gate = new SignatureGate(key, clock, streams);
  return Object.assign(createMavlinkCodec({ datagrams: true, signing: { required, gate: () => gate } }), { gate });
}

type Signed = { seq?: number; sysid?: number; linkId?: number; timestamp?: number; key?: Buffer };

function signedFrame({ seq = 0, sysid = 1, linkId = 3, timestamp = now, key: by = key }: Signed = {}): Buffer {
  return encodeFrame({ sysid, compid: 1, seq, ...writeOdid(tag, location), sign: { key: by, linkId, timestamp } });
}

t.test('a frame signed with the key is taken and marked', async (t) => {
  const codec = signedCodec(true);
  t.match(decode(codec, signedFrame()), [{ kind: 'odid', signed: true }]);
  t.same(refusals(codec), {});
});

t.test('where signing is required, unsigned and wrongly signed frames are refused', async (t) => {
  const codec = signedCodec(true);
  const forged = [
    locationFrame(1),
    heartbeatFrame(2, { version: 1 }),
    signedFrame({ key: Buffer.alloc(32, 9) }),
    broken(signedFrame(), signedFrame().length - 1),
    broken(signedFrame(), signedFrame().length - 8),
    broken(signedFrame(), signedFrame().length - 13),
  ];
  for (const frame of forged) t.same(decode(codec, frame), []);
  t.same(refusals(codec), { not_allowed: forged.length });
  t.same(codec.gate.streams, [], 'and leave no trace');
});

t.test('where signing is not required, only what is verified is marked as signed', async (t) => {
  const codec = signedCodec(false);
  const wrong = signedFrame({ seq: 2, key: Buffer.alloc(32, 9) });
  const frames = [locationFrame(1), wrong, signedFrame({ seq: 3 }), signedFrame({ seq: 4 })];
  const messages = frames.flatMap((frame) => decode(codec, frame));
  t.same(seqs(messages), [1, 2, 3, 4]);
  t.same(
    messages.map(({ signed }) => signed),
    [false, false, true, false],
    'the replayed timestamp is not fresh',
  );
});

t.test('without a key nothing is marked as signed', async (t) => {
  t.match(decode(createMavlinkCodec({ datagrams: true }), signedFrame()), [{ signed: false }]);
});

t.test('a replay is refused, and so is anything older on the same stream', async (t) => {
  const codec = signedCodec(true);
  t.equal(decode(codec, signedFrame({ timestamp: now })).length, 1);
  t.equal(decode(codec, signedFrame({ timestamp: now })).length, 0);
  t.equal(decode(codec, signedFrame({ timestamp: now - 1 })).length, 0);
  t.equal(decode(codec, signedFrame({ timestamp: now + 1 })).length, 1, 'one unit later is fresh');
  t.equal(decode(codec, signedFrame({ timestamp: now, linkId: 4 })).length, 1, 'another link has its own time');
  t.equal(decode(codec, signedFrame({ timestamp: now, sysid: 2 })).length, 1, 'another system has its own time');
  t.same(refusals(codec), { not_allowed: 2 });
});

t.test('a new stream may be a minute behind, not more', async (t) => {
  t.equal(decode(signedCodec(true), signedFrame({ timestamp: now - 60 * 100_000 })).length, 1);
  t.equal(decode(signedCodec(true), signedFrame({ timestamp: now - 60 * 100_000 - 1 })).length, 0);
});

t.test('streams that are kept over a restart still refuse replays', async (t) => {
  const first = signedCodec(true);
  decode(first, signedFrame({ timestamp: now - 500 }));
  decode(first, signedFrame({ timestamp: now - 400, sysid: 250, linkId: 255 }));
  const kept = JSON.parse(JSON.stringify(first.gate.streams)) as SigningStream[];
  t.same(kept, [
    { sysid: 1, compid: 1, linkId: 3, timestamp: now - 500 },
    { sysid: 250, compid: 1, linkId: 255, timestamp: now - 400 },
  ]);
  const second = signedCodec(true, kept);
  t.equal(decode(second, signedFrame({ timestamp: now - 500 })).length, 0);
  t.equal(decode(second, signedFrame({ timestamp: now - 400, sysid: 250, linkId: 255 })).length, 0);
  t.equal(decode(second, signedFrame({ timestamp: now - 499 })).length, 1);
});

t.test('a wall clock set back after a restart lets no old streams in', async (t) => {
  const codec = signedCodec(true, [], new SigningClock(() => 0, now));
  t.equal(decode(codec, signedFrame({ timestamp: now - 61 * 100_000 })).length, 0);
});

t.test('one vehicle with a clock far ahead does not shut out the others', async (t) => {
  const codec = signedCodec(true);
  t.equal(decode(codec, signedFrame({ timestamp: now + 10 ** 12 })).length, 1);
  t.equal(decode(codec, signedFrame({ timestamp: now, sysid: 2 })).length, 1);
});

t.test('streams are bounded', async (t) => {
  const codec = signedCodec(true);
  for (let i = 0; i < 1200; i++) {
    decode(codec, signedFrame({ timestamp: now + i, sysid: 1 + (i % 250), linkId: Math.floor(i / 250) }));
  }
  t.equal(codec.messages, 1200);
  t.equal(codec.gate.streams.length, 1024);
  t.equal(codec.gate.streams.at(-1)?.timestamp, now + 1199, 'the newest are kept');
});

t.test('RADIO_STATUS is taken unsigned even where signing is required', async (t) => {
  const codec = signedCodec(true);
  const radio = encodeFrame({
    sysid: 51,
    compid: 68,
    seq: 1,
    msgid: messageIds.radioStatus,
    payload: Buffer.alloc(9, 1),
  });
  t.match(decode(codec, radio), [{ name: 'RADIO_STATUS', signed: false }]);
});

t.test('signed frames of node-mavlink verify', async (t) => {
  const codec = signedCodec(true);
  const protocol = new library.MavLinkProtocolV2(9, 1, library.MavLinkProtocolV2.IFLAG_SIGNED);
  const frame = protocol.serialize(new library.minimal.Heartbeat(), 5);
  const signed = protocol.sign(frame, 2, key, nowMs);
  t.match(decode(codec, signed), [{ kind: 'heartbeat', sysid: 9, signed: true }]);
  t.same(codec.gate.streams, [{ sysid: 9, compid: 1, linkId: 2, timestamp: now }]);
});

t.test('a burst of signed frames is accepted by an independent checker, each later than the one before', async (t) => {
  const signer = { key, linkId: 1, clock: clockAt(nowMs) };
  const encoder = new MavlinkEncoder({ sysid: 245, compid: 190, signing: () => signer });
  let last = 0;
  for (let i = 0; i < 50; i++) {
    const frame = encoder.encode(writeOdid(tag, location));
    const protocol = new library.MavLinkProtocolV2();
    const signature = protocol.signature(frame, protocol.header(frame));
    t.ok(signature?.matches(key), `frame ${i} verifies`);
    const timestamp = frame.readUIntLE(frame.length - 12, 6);
    t.ok(timestamp > last, `frame ${i} is later`);
    last = timestamp;
  }
});

t.test('the signing clock rises in a burst and over a wall clock that steps back', async (t) => {
  let wallMs = nowMs;
  const clock = new SigningClock(() => wallMs);
  t.equal(clock.next(), now);
  t.equal(clock.next(), now + 1);
  wallMs -= 3_600_000;
  t.equal(clock.next(), now + 2);
  wallMs = nowMs + 1000;
  t.equal(clock.next(), now + 100_000, 'and follows the wall clock once that is ahead');
});

t.test('the signing clock starts behind neither the wall clock nor the former run', async (t) => {
  t.equal(new SigningClock(() => nowMs, now - 5).next(), now);
  t.equal(new SigningClock(() => 0, now).next(), now + 1);
});

t.test('a peer with the key that is ahead pulls our clock along, so that it takes what we sign', async (t) => {
  const clock = clockAt(0);
  decode(signedCodec(true, [], clock), signedFrame({ timestamp: now }));
  t.equal(clock.next(), now + 1);
});

t.test('a key of the wrong length is a fault', async (t) => {
  t.throws(() => new SignatureGate(Buffer.alloc(16), clockAt(0)), { code: 'invalid_input' });
});
