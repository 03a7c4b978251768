import t from 'tap';
import { checksum } from '../../../../src/edge/wire/mavlink/crc.ts';
import { encodeFrame } from '../../../../src/edge/wire/mavlink/encode.ts';
import { messageIds } from '../../../../src/edge/wire/mavlink/known.ts';
import { broken, decode, decodeStream, heartbeatFrame, locationFrame, refusals, seqs, stream } from './aids.ts';

t.test('frames come out in order, MAVLink 1 and 2 mixed', async (t) => {
  const frames = [1, 2, 3, 4].map((seq) => heartbeatFrame(seq, { version: seq % 2 === 0 ? 1 : 2 }));
  t.same(seqs(decodeStream(...frames, locationFrame(9))), [1, 2, 3, 4, 9]);
});

t.test('bytes fed one at a time give the same frames', async (t) => {
  const codec = stream();
  const bytes = Buffer.concat([locationFrame(1), heartbeatFrame(2, { version: 1 }), locationFrame(3)]);
  const messages = [...bytes].flatMap((byte) => decode(codec, Uint8Array.of(byte)));
  t.same(seqs(messages), [1, 2, 3]);
  t.same(refusals(codec), {});
});

t.test('a false start byte costs no frame behind it', async (t) => {
  // Each claims up to 280 bytes: a known message (GLOBAL_POSITION_INT), an unknown one, a signed one, and MAVLink 1.
  for (const lie of [
    'fdff0000000101210000',
    'fdff0000000101ffffff',
    'fdff0100000101210000',
    'fe1c00010121',
    'fdfd',
    'fefe',
  ]) {
    const codec = stream();
    const frames = Array.from({ length: 8 }, (_, seq) => locationFrame(seq));
    const bytes = Buffer.concat([Buffer.from(lie, 'hex'), ...frames]);
    t.same(seqs(decode(codec, bytes)), [0, 1, 2, 3, 4, 5, 6, 7], lie);
  }
});

t.test('a corrupted frame is one crc refusal and its neighbours live', async (t) => {
  const codec = stream();
  const bytes = [locationFrame(1), broken(locationFrame(2), 20), broken(locationFrame(3), 30), locationFrame(4)];
  t.same(seqs(decode(codec, Buffer.concat(bytes))), [1, 4]);
  t.same(refusals(codec), { crc: 2 });
});

t.test('a frame that lost a byte takes no neighbour with it', async (t) => {
  const codec = stream();
  const short = locationFrame(2);
  const bytes = [locationFrame(1), short.subarray(0, 30), short.subarray(31), locationFrame(3), locationFrame(4)];
  t.same(seqs(decode(codec, Buffer.concat(bytes))), [1, 3, 4]);
  t.same(refusals(codec), { crc: 1 });
});

t.test('an unknown message is refused once and nothing behind it is skipped', async (t) => {
  const unknown = Buffer.concat([heartbeatFrame(2), Buffer.alloc(0)]);
  unknown.writeUIntLE(0x0f4240, 7, 3);
  const codec = stream();
  t.same(seqs(decode(codec, Buffer.concat([heartbeatFrame(1), unknown, unknown, heartbeatFrame(3)]))), [1, 3]);
  t.same(refusals(codec), { unknown_type: 2 });
});

t.test('a frame with an unknown incompatibility flag is dropped, whatever its checksum', async (t) => {
  const codec = stream();
  const flagged = locationFrame(2);
  flagged[2] = 0x40;
  flagged.writeUInt16LE(checksum(flagged, 1, flagged.length - 2, 254), flagged.length - 2);
  t.same(seqs(decode(codec, Buffer.concat([locationFrame(1), flagged, locationFrame(3)]))), [1, 3]);
  t.same(refusals(codec), { malformed: 1 });
});

t.test('unknown compatibility flags are no reason to drop a frame', async (t) => {
  const flagged = locationFrame(2);
  flagged[3] = 0xff;
  flagged.writeUInt16LE(checksum(flagged, 1, flagged.length - 2, 254), flagged.length - 2);
  t.same(seqs(decodeStream(flagged)), [2]);
});

t.test('a run of noise is one malformed refusal for each 280 bytes', async (t) => {
  const codec = stream();
  const noise = Buffer.from('no frame here '.repeat(3));
  decode(codec, Buffer.concat([locationFrame(1), noise, locationFrame(2), noise, noise, locationFrame(3)]));
  t.equal(codec.messages, 3);
  t.same(refusals(codec), { malformed: 2 });
  decode(codec, Buffer.alloc(2800, 'x'));
  t.same(refusals(codec), { malformed: 12 });
});

t.test('counters do not depend on how the bytes are cut', async (t) => {
  const bytes = Buffer.concat([
    Buffer.from('noise \xfd\xfe noise', 'latin1'),
    broken(locationFrame(1), 15),
    locationFrame(2),
    Buffer.alloc(500, 0xfe),
    locationFrame(3),
  ]);
  const whole = stream();
  decode(whole, bytes);
  for (const size of [1, 2, 7, 70, 281]) {
    const cut = stream();
    for (let at = 0; at < bytes.length; at += size) decode(cut, bytes.subarray(at, at + size));
    t.same([cut.messages, refusals(cut)], [whole.messages, refusals(whole)], `${size} bytes at a time`);
  }
});

t.test('a MAVLink 1 payload that is too short is refused for its length', async (t) => {
  const codec = stream();
  const short = Buffer.from([0xfe, 4, 1, 1, 1, messageIds.heartbeat, 0, 0, 0, 0, 0, 0]);
  short.writeUInt16LE(checksum(short, 1, 10, 50), 10);
  t.same(decode(codec, Buffer.concat([short, heartbeatFrame(2)])).length, 1);
  t.same(refusals(codec), { length: 1 });
});

t.test('a payload longer than its known definition is read as far as it is known', async (t) => {
  const extended = Buffer.alloc(10 + 61 + 2);
  locationFrame(5).copy(extended, 0, 0, 69);
  extended[1] = 61;
  extended[70] = 7;
  extended.writeUInt16LE(checksum(extended, 1, 71, 254), 71);
  t.same(decodeStream(extended), decodeStream(locationFrame(5)));
});

t.test('a begun frame is given up after a second, and what stands behind its start byte is found', async (t) => {
  const codec = stream();
  const lie = Buffer.from('fdff0000000101210000', 'hex');
  t.same(decode(codec, Buffer.concat([lie, locationFrame(1)]), '', 0), []);
  t.ok(codec.heldBytes > 0);
  t.same(seqs(decode(codec, locationFrame(2), '', 900)), [], 'it may still be true');
  t.same(seqs(decode(codec, locationFrame(3), '', 1001)), [1, 2, 3]);
  t.same(refusals(codec), { length: 1 });
  t.equal(codec.heldBytes, 0);
});

t.test('a begun frame is given up when the clock steps back by more than a second', async (t) => {
  const codec = stream();
  decode(codec, Buffer.from('fdff0000000101210000', 'hex'), '', 10_000);
  t.same(seqs(decode(codec, locationFrame(1), '', 5000)), [1]);
});

t.test('a frame that comes in slowly is whole within its second', async (t) => {
  const codec = stream();
  const frame = locationFrame(1);
  t.same(decode(codec, frame.subarray(0, 40), '', 0), []);
  t.same(seqs(decode(codec, frame.subarray(40), '', 990)), [1]);
});

t.test('a megabyte of NMEA text keeps memory flat and takes linear time', async (t) => {
  const codec = stream();
  const line = '$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n';
  const text = Buffer.from(line.repeat(Math.ceil(2 ** 20 / line.length)));
  const timeOf = (bytes: Buffer): number => {
    const before = process.cpuUsage().user;
    for (let at = 0; at < bytes.length; at += 512) decode(codec, bytes.subarray(at, at + 512));
    return process.cpuUsage().user - before;
  };
  timeOf(text.subarray(0, 2 ** 18));
  const elapsedUs = timeOf(text);
  t.equal(codec.heldBytes, 0, 'nothing is kept');
  t.equal(codec.messages, 0);
  t.same(Object.keys(refusals(codec)), ['malformed']);
  t.ok(elapsedUs < 2_000_000, `${elapsedUs} µs for a megabyte`);
  t.same(seqs(decode(codec, locationFrame(1))), [1], 'and the next frame is found');
});

t.test('a megabyte of start bytes is no worse', async (t) => {
  for (const byte of [0xfd, 0xfe]) {
    const codec = stream();
    const before = process.cpuUsage().user;
    decode(codec, Buffer.alloc(2 ** 20, byte));
    t.ok(process.cpuUsage().user - before < 2_000_000);
    t.ok(codec.heldBytes < 280);
    t.same(seqs(decode(codec, Buffer.concat([Buffer.alloc(280), locationFrame(1)]))), [1]);
  }
});

t.test('frames that claim the longest payload are found wherever they are cut', async (t) => {
  const payload = Buffer.alloc(249, 0x11);
  payload[22] = 25;
  payload[23] = 9;
  for (let i = 0; i < 9; i++) payload.fill(0, 24 + i * 25, 24 + (i + 1) * 25);
  payload[248] = 1;
  const frame = encodeFrame({ sysid: 1, compid: 236, seq: 8, msgid: messageIds.odidMessagePack, payload });
  for (let cut = 1; cut < frame.length; cut += 13) {
    const codec = stream();
    const head = decode(codec, frame.subarray(0, cut));
    t.same(seqs([...head, ...decode(codec, Buffer.concat([frame.subarray(cut), locationFrame(9)]))]), [8, 9]);
  }
});
