import * as library from 'node-mavlink';
import t from 'tap';
import { encodeFrame, MavlinkEncoder } from '../../../../src/edge/wire/mavlink/encode.ts';
import { messageIds } from '../../../../src/edge/wire/mavlink/known.ts';
import { writeOdid } from '../../../../src/edge/wire/mavlink/write_odid.ts';
import { decodeStream, heartbeatFrame, location, locationFrame, seqs, tag } from './aids.ts';

t.test('our frames are byte for byte those of node-mavlink', async (t) => {
  const heartbeat = Object.assign(new library.minimal.Heartbeat(), {
    type: 2,
    autopilot: 3,
    baseMode: 81,
    customMode: 4,
    systemStatus: 4,
    mavlinkVersion: 3,
  });
  t.same(heartbeatFrame(7), new library.MavLinkProtocolV2(1, 1).serialize(heartbeat, 7));
  t.same(heartbeatFrame(7, { version: 1 }), new library.MavLinkProtocolV1(1, 1).serialize(heartbeat, 7));
  const reference = Object.assign(new library.common.OpenDroneIdLocation(), {
    idOrMac: [...Buffer.from('AABBCC000001'), ...Array(8).fill(0)],
    status: 2,
    direction: 9000,
    speedHorizontal: 1225,
    speedVertical: 150,
    latitude: 515_008_765,
    longitude: -1_246_789,
    altitudeBarometric: 118.5,
    altitudeGeodetic: 165,
    height: 60.5,
    horizontalAccuracy: 11,
    verticalAccuracy: 4,
    barometerAccuracy: 3,
    speedAccuracy: 3,
    timestamp: 1234.5,
    timestampAccuracy: 2,
  });
  t.same(locationFrame(9), new library.MavLinkProtocolV2(255, 236).serialize(reference, 9));
});

t.test('trailing zeros are cut, but never the first byte', async (t) => {
  const frame = encodeFrame({ sysid: 1, compid: 1, seq: 0, msgid: messageIds.heartbeat, payload: Buffer.alloc(9) });
  t.equal(frame.length, 12 + 1);
  t.match(decodeStream(frame), [{ kind: 'heartbeat', customMode: 0, mavlinkVersion: 0 }]);
});

t.test('an encoder counts its own frames, from 255 on to 0', async (t) => {
  const one = new MavlinkEncoder({ sysid: 1, compid: 1 });
  const two = new MavlinkEncoder({ sysid: 1, compid: 1, version: 2 });
  const message = writeOdid(tag, location);
  const frames = Array.from({ length: 257 }, () => one.encode(message));
  t.same(seqs(decodeStream(...frames.slice(-3))), [254, 255, 0]);
  t.same(seqs(decodeStream(two.encode(message))), [0]);
});

t.test('what a version cannot carry is a fault', async (t) => {
  const base = { sysid: 1, compid: 1, seq: 0 };
  const fault = { name: 'Fault', code: 'invalid_input' };
  t.throws(() => encodeFrame({ ...base, version: 1, ...writeOdid(tag, location) }), fault);
  t.throws(() => encodeFrame({ ...base, msgid: 999_999, payload: Buffer.alloc(1) }), fault);
  t.throws(() => encodeFrame({ ...base, msgid: messageIds.heartbeat, payload: Buffer.alloc(10) }), fault);
  const sign = { key: Buffer.alloc(32), linkId: 1, timestamp: 1 };
  t.throws(() => encodeFrame({ ...base, version: 1, msgid: 0, payload: Buffer.alloc(9), sign }), fault);
});
