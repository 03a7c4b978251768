import fc from 'fast-check';
import * as library from 'node-mavlink';
import t from 'tap';
import { fuzzMavlink } from '../../../../scripts/fuzz/mavlink.ts';
import { encodeFrame } from '../../../../src/edge/wire/mavlink/encode.ts';
import { writeOdid } from '../../../../src/edge/wire/mavlink/write_odid.ts';
import { sized } from '../../../support/basics/size.ts';
import { messages as arbitraryMessages, locations, tags } from '../odid/arbitraries.ts';
import { decode, decodeStream, heartbeatFrame, locationFrame, seqs, stream } from './aids.ts';

const seed = 20_260_301;
t.comment(`seed ${seed}`);

/** Bytes among which start bytes are frequent. */
const noise = fc.uint8Array({ maxLength: 120 }).map((bytes) => bytes.map((byte) => (byte % 16 === 0 ? 0xfd : byte)));

const frames = fc.array(
  fc.oneof(
    fc.nat(255).map((seq) => locationFrame(seq)),
    fc.nat(255).map((seq) => heartbeatFrame(seq)),
    fc.nat(255).map((seq) => heartbeatFrame(seq, { version: 1 })),
  ),
  { minLength: 1, maxLength: 12 },
);

t.test('splitting anywhere gives the same messages', async () => {
  const property = fc.property(frames, fc.array(fc.nat(90), { maxLength: 40 }), (frames, cuts) => {
    const bytes = Buffer.concat(frames);
    const codec = stream();
    const messages = [];
    let at = 0;
    for (const cut of [...cuts, bytes.length]) {
      messages.push(...decode(codec, bytes.subarray(at, at + cut)));
      at += cut;
    }
    const whole = decodeStream(bytes);
    return whole.length === frames.length && JSON.stringify(messages) === JSON.stringify(whole);
  });
  fc.assert(property, { seed, numRuns: sized(300) });
});

t.test('noise between frames costs none of them', async () => {
  const property = fc.property(fc.array(fc.tuple(noise, fc.nat(255)), { minLength: 1, maxLength: 8 }), (parts) => {
    const expected = parts.map(([, seq]) => seq);
    const bytes = parts.flatMap(([noise, seq]) => [noise, locationFrame(seq)]);
    // What ends the longest frame that noise may seem to begin.
    const messages = decodeStream(...bytes, Buffer.alloc(280));
    return JSON.stringify(seqs(messages)) === JSON.stringify(expected);
  });
  fc.assert(property, { seed, numRuns: sized(1000) });
});

t.test('decoding what was encoded gives the same Open Drone ID message', async (t) => {
  const property = fc.property(tags, arbitraryMessages('mavlink'), (tag, message) => {
    const [report] = decodeStream(encodeFrame({ sysid: 1, compid: 236, seq: 0, ...writeOdid(tag, message) }));
    const tagged = message.type === 'arm_status' || message.type === 'system_update' ? null : tag;
    t.same(report, {
      kind: 'odid',
      sysid: 1,
      compid: 236,
      seq: 0,
      signed: false,
      tag: tagged,
      pack: false,
      messages: [message],
    });
  });
  fc.assert(property, { seed, numRuns: sized(500) });
});

t.test('node-mavlink reads from our frames what was written', async (t) => {
  const property = fc.property(locations('mavlink'), (location) => {
    const frame = encodeFrame({ sysid: 1, compid: 236, seq: 0, ...writeOdid(null, location) });
    const protocol = new library.MavLinkProtocolV2();
    const read = protocol.data(protocol.payload(frame), library.common.OpenDroneIdLocation);
    t.equal(read.latitude, Math.round((location.latDeg ?? 0) * 1e7));
    t.equal(read.longitude, Math.round((location.lonDeg ?? 0) * 1e7));
    t.equal(read.direction, Math.round((location.directionDeg ?? 361) * 100));
    t.equal(read.speedHorizontal, Math.round((location.speedHMps ?? 255) * 100));
    t.equal(read.speedVertical, Math.round((location.speedVMps ?? 63) * 100));
    t.equal(read.altitudeGeodetic, location.altGeoM ?? -1000);
    t.equal(read.timestamp, location.secondsAfterHour ?? 65_535);
    t.equal(read.status, location.status);
  });
  fc.assert(property, { seed, numRuns: sized(200) });
});

t.test('damaged input of any kind keeps the codec to its promises', async (t) => {
  const result = fuzzMavlink(20_000, seed);
  t.ok(result.frames > 10_000, JSON.stringify(result));
});
