import * as library from 'node-mavlink';
import t from 'tap';
import { loadDialect } from '../../../../src/edge/wire/mavlink/dialect.ts';
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

t.test('rare messages are written and read by name', async (t) => {
  const dialect = await loadDialect();
  const fields = {
    target_system: 1,
    target_component: 1,
    command: 192,
    frame: 6,
    x: 515_008_765,
    y: -1_246_789,
    z: 100,
  };
  const { msgid, payload } = dialect.serialise('COMMAND_INT', fields);
  const [message] = decodeStream(encodeFrame({ sysid: 245, compid: 190, seq: 1, msgid, payload }));
  if (message?.kind !== 'mavlink') throw new Error('no message');
  t.equal(message.name, 'COMMAND_INT');
  t.match(dialect.deserialise(message.msgid, message.payload), fields);
});

t.test('a message can be named by its class, and 64-bit and array fields survive', async (t) => {
  const dialect = await loadDialect();
  const fields = { capabilities: 0x1234_5678_9abcn, uid2: Array.from({ length: 18 }, (_, i) => i + 1) };
  const { msgid, payload } = dialect.serialise(library.standard.AutopilotVersion, fields);
  const [message] = decodeStream(encodeFrame({ sysid: 1, compid: 1, seq: 1, msgid, payload }));
  if (message?.kind !== 'mavlink') throw new Error('no message');
  t.equal(message.payload.length, 78);
  const read = dialect.deserialise(message.msgid, message.payload);
  t.equal(Number(read?.capabilities), 0x1234_5678_9abc);
  t.same(read?.uid2, fields.uid2);
});

t.test('unknown messages and fields are faults', async (t) => {
  const dialect = await loadDialect();
  t.throws(() => dialect.serialise('NO_SUCH_MESSAGE', {}), { code: 'invalid_input' });
  t.throws(() => dialect.serialise('COMMAND_LONG', { param9: 1 }), { code: 'invalid_input' });
  t.equal(dialect.deserialise(999_999, Buffer.alloc(3)), null);
});
