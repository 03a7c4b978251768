import fc from 'fast-check';
import { EkfStatusReport } from 'mavlink-mappings/dist/lib/ardupilotmega.js';
import * as common from 'mavlink-mappings/dist/lib/common.js';
import type { MavLinkData, MavLinkDataConstructor } from 'mavlink-mappings/dist/lib/mavlink.js';
import { Heartbeat } from 'mavlink-mappings/dist/lib/minimal.js';
import { AutopilotVersion } from 'mavlink-mappings/dist/lib/standard.js';
import { MavLinkProtocolV2 } from 'node-mavlink';
import t from 'tap';
import { encodeFrame } from '../../../../src/edge/wire/mavlink/encode.ts';
import { knownMessage } from '../../../../src/edge/wire/mavlink/known.ts';
import { readFields, writeFields } from '../../../../src/edge/wire/mavlink/message_fields.ts';
import { sized } from '../../../support/basics/size.ts';
import { decodeStream } from './aids.ts';
import { deserialise } from './dialect.ts';

const seed = 20_261_123;
t.comment(`seed ${seed}`);

const used: readonly MavLinkDataConstructor<MavLinkData>[] = [
  ...[EkfStatusReport, AutopilotVersion, common.AvailableModes, common.BatteryStatus, common.CameraInformation],
  ...[common.CommandAck, common.CommandInt, common.CommandLong, common.ExtendedSysState, common.FenceStatus],
  ...[common.GimbalManagerInformation, common.GimbalManagerStatus, common.GpsRawInt, common.HomePosition],
  ...[common.PositionTargetGlobalInt, common.SetMode, common.StatusText, common.SysStatus, common.SystemTime],
  ...[Heartbeat, common.GlobalPositionInt, common.OpenDroneIdBasicId, common.OpenDroneIdLocation],
  ...[common.OpenDroneIdAuthentication, common.OpenDroneIdSelfId, common.OpenDroneIdSystem],
  ...[common.OpenDroneIdSystemUpdate, common.OpenDroneIdOperatorId, common.OpenDroneIdArmStatus],
];

const protocol = new MavLinkProtocolV2();

/** Payloads of any length, with many zeros, signs and NaNs. */
const payloads = fc.array(fc.oneof(fc.nat(255), fc.constantFrom(0, 0x7f, 0x80, 0xc0, 0xff)), {
  maxLength: 300,
  size: 'max',
});

/** Texts are not what the library makes of them: it reads UTF-8 as Latin-1. */
const withoutTexts = (fields: MavLinkData): [string, unknown][] =>
  Object.entries(fields)
    .filter(([, value]) => typeof value !== 'string')
    .sort(([a], [b]) => a.localeCompare(b));

t.test('payloads of any length are read as if filled with zeros or cut', async (t) => {
  for (const definition of used) {
    const property = fc.property(payloads, fc.nat(9), (bytes, at) => {
      const filled = Buffer.alloc(definition.PAYLOAD_LENGTH);
      filled.set(bytes.slice(0, filled.length));
      const inside = new Uint8Array([...Array(at).fill(0xaa), ...bytes]).subarray(at);
      const read = readFields(definition, inside);
      t.same(withoutTexts(read), withoutTexts(protocol.data(filled, definition)));
      t.same(inside, Uint8Array.from(bytes), 'the payload is left as it was');
    });
    fc.assert(property, { seed, numRuns: sized(100) });
  }
});

t.test('what is read is written to the same bytes', async (t) => {
  for (const definition of used) {
    const property = fc.property(payloads, (bytes) => {
      const once = readFields(definition, Uint8Array.from(bytes));
      const { msgid, payload } = writeFields(definition, once);
      t.equal(msgid, definition.MSG_ID);
      t.equal(payload.length, knownMessage(msgid)?.maxLength);
      t.same(writeFields(definition, readFields(definition, payload)).payload, payload);
    });
    fc.assert(property, { seed, numRuns: sized(50) });
  }
});

t.test('fields that are left out are zero, and frames carry the rest', async (t) => {
  for (const definition of used) t.same(writeFields(definition, {}).payload, Buffer.alloc(definition.PAYLOAD_LENGTH));
  const fields = { targetSystem: 1, command: 192, frame: 6, _param5: 515_008_765, _param6: -1_246_789, _param7: 100 };
  const written = writeFields(common.CommandInt, fields);
  const [message] = decodeStream(encodeFrame({ sysid: 245, compid: 190, seq: 1, ...written }));
  if (message?.kind !== 'mavlink') throw new Error('no message');
  t.equal(message.name, 'COMMAND_INT');
  t.match(readFields(common.CommandInt, message.payload), fields);
  t.match(deserialise(message), { command: 192, frame: 6, x: 515_008_765, y: -1_246_789, z: 100, param1: 0 });
});

t.test('64-bit and array fields survive, those of extensions too', async (t) => {
  const uid2 = Array.from({ length: 18 }, (_, i) => i + 1);
  const capabilities: number = 0x1234_5678_9abc;
  const written = writeFields(AutopilotVersion, { capabilities, uid2, uid: 2n ** 64n - 1n });
  const [message] = decodeStream(encodeFrame({ sysid: 1, compid: 1, seq: 1, ...written }));
  if (message?.kind !== 'mavlink') throw new Error('no message');
  t.equal(message.payload.length, 78);
  t.match(readFields(AutopilotVersion, message.payload), {
    capabilities: 0x1234_5678_9abcn,
    uid2,
    uid: 2n ** 64n - 1n,
  });
  t.match(deserialise(message), { capabilities: 0x1234_5678_9abcn, uid2 });
  const home = writeFields(common.HomePosition, { q: [1, Number.NaN, 3, 4, 5] });
  t.same(readFields(common.HomePosition, home.payload).q, [1, Number.NaN, 3, 4]);
  t.equal(readFields(common.HomePosition, home.payload).approachX, 0, 'a fifth value is cut');
});

t.test('bytes out of range wrap, as floats of a command are written back', async (t) => {
  const written = (compid: number) =>
    readFields(
      common.GimbalManagerStatus,
      writeFields(common.GimbalManagerStatus, { primaryControlCompid: compid }).payload,
    );
  for (const [given, byte] of [
    ...[[300, 44] as const, [-1, 255] as const, [7.9, 7] as const],
    ...[[Number.NaN, 0] as const, [Number.POSITIVE_INFINITY, 0] as const],
  ])
    t.equal(written(given).primaryControlCompid, byte);
});

t.test('texts are UTF-8, end at the first NUL or the end of the field, and hold no control characters', async (t) => {
  const said = (text: string) => readFields(common.StatusText, writeFields(common.StatusText, { text }).payload).text;
  t.equal(said('Höhe 30 m €'), 'Höhe 30 m €');
  t.equal(said('one\u0000two'), 'one');
  t.equal(said('a\r\n\u0007b'), 'ab');
  t.equal(said('x'.repeat(60)), 'x'.repeat(50));
  t.equal(said(`${'x'.repeat(49)}é`), 'x'.repeat(49), 'half a character is dropped');
});
