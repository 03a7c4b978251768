import * as library from 'node-mavlink';
import t from 'tap';
import { checksum } from '../../../../src/edge/wire/mavlink/crc.ts';
import { encodeFrame } from '../../../../src/edge/wire/mavlink/encode.ts';
import { messageIds } from '../../../../src/edge/wire/mavlink/known.ts';
import { writeGlobalPosition } from '../../../../src/edge/wire/mavlink/write.ts';
import { writeOdid } from '../../../../src/edge/wire/mavlink/write_odid.ts';
import type { MavlinkMessage, OdidReport } from '../../../../src/edge/wire/message.ts';
import type { OdidLocation, OdidTag } from '../../../../src/edge/wire/odid/message.ts';
import { writeOdidPack } from '../../../support/links/odid25.ts';
import { basicId, decode, decodeStream, location, refusals, stream, tag } from './aids.ts';

/** What node-mavlink makes of a message, which is written apart from our encoder. */
function libraryFrame(message: library.MavLinkData): Buffer {
  return new library.MavLinkProtocolV2(255, 236).serialize(message, 0);
}

const source = { sysid: 255, compid: 236, seq: 0 };

function decodeOdid(frame: Buffer): OdidReport {
  const [message] = decodeStream(frame);
  if (message?.kind !== 'odid') throw new Error('no Remote ID report');
  return message;
}

function locationOf(fields: Partial<library.common.OpenDroneIdLocation>): OdidLocation {
  const known = { latitude: 515_008_765, longitude: -1_246_789, altitudeGeodetic: 100, idOrMac: Array(20).fill(0) };
  const message = Object.assign(new library.common.OpenDroneIdLocation(), known, fields);
  const [first] = decodeOdid(libraryFrame(message)).messages;
  if (first?.type !== 'location') throw new Error('no location');
  return first;
}

t.test('a pack keeps its last message although its trailing zeros were cut', async (t) => {
  const operator = { type: 'operator_id', operatorIdType: 0, operatorId: 'FIN87' } as const;
  const frame = encodeFrame({ ...source, ...writeOdidPack(tag, [basicId, location, operator]) });
  t.ok(frame.length < 12 + 24 + 3 * 25, 'it arrives short');
  const report = decodeOdid(frame);
  t.equal(report.pack, true);
  t.same(report.messages, [basicId, location, operator]);
});

t.test('nothing of a former frame shows through where zeros were cut', async (t) => {
  const codec = stream();
  decode(
    codec,
    encodeFrame({ ...source, ...writeOdid({ id: 'X'.repeat(20) }, { ...basicId, uasId: 'Y'.repeat(20) }) }),
  );
  const [bare] = decode(codec, encodeFrame({ ...source, seq: 1, ...writeOdid(null, { ...basicId, uasId: 'Z' }) }));
  t.same(bare, {
    ...source,
    seq: 1,
    kind: 'odid',
    signed: false,
    tag: null,
    pack: false,
    messages: [{ ...basicId, uasId: 'Z' }],
  });
});

t.test('all-zero payloads of no byte and of one byte are read alike', async (t) => {
  const [first] = decodeOdid(Buffer.from('fd010000f8ffec653200004d1a', 'hex')).messages;
  const none = Buffer.from('fd000000f8ffec6532000000', 'hex');
  none.writeUInt16LE(checksum(none, 1, 10, 254), 10);
  t.same(decodeOdid(none).messages, [first]);
  t.match(first, { type: 'location', latDeg: null, lonDeg: null, altGeoM: 0, directionDeg: 0, secondsAfterHour: 0 });
});

t.test('both coordinates zero say unknown, one of them zero is a place', async (t) => {
  t.match(locationOf({ latitude: 0, longitude: 0 }), { latDeg: null, lonDeg: null, implausible: false });
  t.match(locationOf({ latitude: 0, longitude: 77 }), { latDeg: 0, lonDeg: 0.0000077, implausible: false });
  t.match(locationOf({ latitude: 515_000_000, longitude: 0 }), { latDeg: 51.5, lonDeg: 0, implausible: false });
});

t.test('sentinels become null', async (t) => {
  const unknown = locationOf({
    altitudeBarometric: -1000,
    altitudeGeodetic: -1000,
    height: -1000,
    timestamp: 65_535,
    direction: 36_100,
    speedHorizontal: 25_500,
    speedVertical: 6300,
  });
  const nulls = { altBaroM: null, altGeoM: null, heightM: null, secondsAfterHour: null, directionDeg: null };
  t.match(unknown, { ...nulls, speedHMps: null, speedVMps: null, implausible: false });
});

t.test('what the standard does not allow becomes null and is flagged', async (t) => {
  const cases: [Partial<library.common.OpenDroneIdLocation>, keyof OdidLocation][] = [
    [{ latitude: 900_000_001 }, 'latDeg'],
    [{ longitude: -1_800_000_001 }, 'lonDeg'],
    [{ longitude: 2_147_483_647 }, 'latDeg'],
    [{ altitudeGeodetic: Number.NaN }, 'altGeoM'],
    [{ altitudeBarometric: Number.POSITIVE_INFINITY }, 'altBaroM'],
    [{ height: -1000.5 }, 'heightM'],
    [{ height: 31_768 }, 'heightM'],
    [{ timestamp: Number.NaN }, 'secondsAfterHour'],
    [{ timestamp: -0.5 }, 'secondsAfterHour'],
    [{ timestamp: 3600.5 }, 'secondsAfterHour'],
    [{ direction: 36_001 }, 'directionDeg'],
    [{ speedHorizontal: 25_426 }, 'speedHMps'],
    [{ speedVertical: 6201 }, 'speedVMps'],
    [{ speedVertical: -6201 }, 'speedVMps'],
  ];
  for (const [fields, key] of cases) {
    const read = locationOf(fields);
    t.equal(read[key], null, JSON.stringify(fields));
    t.equal(read.implausible, true, JSON.stringify(fields));
  }
  t.equal(locationOf({ horizontalAccuracy: 200 as library.common.MavOdidHorAcc }).implausible, true);
  t.equal(locationOf({ heightReference: 7 as library.common.MavOdidHeightRef }).implausible, true);
});

t.test('the edges of what the standard allows are kept', async (t) => {
  const read = locationOf({
    latitude: -900_000_000,
    longitude: 1_800_000_000,
    altitudeBarometric: -999.5,
    altitudeGeodetic: 31_767.5,
    timestamp: 3600,
    direction: 36_000,
    speedHorizontal: 25_425,
    speedVertical: -6200,
  });
  const kept = { latDeg: -90, lonDeg: 180, altBaroM: -999.5, altGeoM: 31_767.5, secondsAfterHour: 3600 };
  t.match(read, { ...kept, directionDeg: 0, speedHMps: 254.25, speedVMps: -62, implausible: false });
});

t.test('id_or_mac says who a message is about', async (t) => {
  const cases: [string | number[], OdidTag][] = [
    ['3065EC6FC458', { mac: '30:65:EC:6F:C4:58' }],
    ['3065ec6fc458', { mac: '30:65:EC:6F:C4:58' }],
    ['3065EC6FC458        ', { mac: '30:65:EC:6F:C4:58' }],
    ['', null],
    [' '.repeat(20), null],
    ['1581F5FKD22940012345', { id: '1581F5FKD22940012345' }],
    ['30:65:EC:6F:C4:58', { id: '30:65:EC:6F:C4:58' }],
    ['3065EC6FC45G', { id: '3065EC6FC45G' }],
    [[0x30, 0x65, 0xec, 0x6f, 0xc4, 0x58], { idHex: '3065ec6fc458' }],
    [[0x41, 0x00, 0x42], { idHex: '410042' }],
  ];
  for (const [text, expected] of cases) {
    const bytes = Buffer.alloc(20);
    Buffer.from(text as string, 'latin1').copy(bytes);
    const message = Object.assign(new library.common.OpenDroneIdBasicId(), {
      idOrMac: [...bytes],
      uasId: Array(20).fill(1),
    });
    t.same(decodeOdid(libraryFrame(message)).tag, expected, JSON.stringify(text));
  }
});

t.test('session ids are hex, because they are binary and hold NULs', async (t) => {
  const uasId = `01${'00'.repeat(18)}ff`;
  const report = decodeOdid(encodeFrame({ ...source, ...writeOdid(tag, { ...basicId, idType: 4, uasId }) }));
  t.match(report.messages, [{ idType: 4, uasId }]);
});

t.test('a pack with a wrong size, count or content is refused once', async (t) => {
  const payloadOf = (change: (payload: Buffer) => void): Buffer => {
    const { payload } = writeOdidPack(tag, [basicId, location]);
    change(payload);
    return payload;
  };
  const cases: [string, Buffer, Record<string, number>][] = [
    ['size 24', payloadOf((p) => p.writeUInt8(24, 22)), { length: 1 }],
    ['no message', payloadOf((p) => p.writeUInt8(0, 23)), { length: 1 }],
    ['ten messages', payloadOf((p) => p.writeUInt8(10, 23)), { length: 1 }],
    ['a nested pack', payloadOf((p) => p.writeUInt8(0xf2, 24)), { malformed: 1 }],
    ['two locations', writeOdidPack(tag, [location, location]).payload, { malformed: 1 }],
    ['only reserved types', payloadOf((p) => p.fill(0x72, 24, 74)), { unknown_type: 1 }],
  ];
  for (const [name, payload, counts] of cases) {
    const codec = stream();
    t.same(decode(codec, encodeFrame({ ...source, msgid: messageIds.odidMessagePack, payload })), [], name);
    t.same(refusals(codec), counts, name);
  }
});

t.test('a reserved message inside a pack is skipped and the others are kept', async (t) => {
  const { msgid, payload } = writeOdidPack(tag, [basicId, basicId, location]);
  payload[24] = 0x72;
  t.same(decodeOdid(encodeFrame({ ...source, msgid, payload })).messages, [basicId, location]);
});

t.test('an authentication page that the standard does not have is refused', async (t) => {
  const auth = { type: 'auth', authType: 1, page: 3, data: new Uint8Array(23), lastPage: null, length: null } as const;
  const { msgid, payload } = writeOdid(tag, { ...auth, timestampUnixS: null });
  payload[27] = 16;
  const codec = stream();
  t.same(decode(codec, encodeFrame({ ...source, msgid, payload })), []);
  t.same(refusals(codec), { implausible: 1 });
});

t.test('authentication data is a copy that later frames do not change', async (t) => {
  const auth = { type: 'auth', authType: 1, page: 3, lastPage: null, length: null, timestampUnixS: null } as const;
  const frame = (byte: number): Buffer =>
    encodeFrame({ ...source, ...writeOdid(tag, { ...auth, data: new Uint8Array(23).fill(byte) }) });
  const codec = stream();
  const [first] = decode(codec, frame(1));
  decode(codec, frame(2));
  const [page] = first?.kind === 'odid' ? first.messages : [];
  t.equal(page?.type === 'auth' && page.data.join(), Array(23).fill(1).join());
});

t.test('who sent a message is kept apart from whom it is about', async (t) => {
  for (const compid of [1, 236, 238]) {
    const [message] = decodeStream(encodeFrame({ sysid: 42, compid, seq: 7, ...writeOdid(tag, location) }));
    t.match(message, { sysid: 42, compid, seq: 7, signed: false, tag });
  }
});

t.test('a vehicle without a fix has no position', async (t) => {
  const position = {
    timeBootMs: 123_456,
    latDeg: -33.86,
    lonDeg: 151.21,
    altMslM: 584.07,
    relativeAltM: -0.05,
    vNorthMps: -1.5,
    vEastMps: 2.25,
    vDownMps: 0.01,
    headingDeg: 359.99,
  };
  const read = (
    fields: Partial<typeof position> | { latDeg: null; lonDeg: null; headingDeg: null },
  ): MavlinkMessage[] => decodeStream(encodeFrame({ ...source, ...writeGlobalPosition({ ...position, ...fields }) }));
  t.same(read({}), [{ kind: 'global_position', ...source, signed: false, ...position }]);
  t.match(read({ latDeg: null, lonDeg: null, headingDeg: null }), [{ latDeg: null, lonDeg: null, headingDeg: null }]);
  t.match(read({ latDeg: 0 }), [{ latDeg: 0, lonDeg: 151.21 }]);
});

t.test('other known messages come out whole, with a payload of their own', async (t) => {
  const ack = Object.assign(new library.common.CommandAck(), { command: 400, result: 0, targetSystem: 245 });
  const codec = stream();
  const bytes = libraryFrame(ack);
  const [message] = decode(codec, bytes);
  if (message?.kind !== 'mavlink') throw new Error('no message');
  t.match(message, { msgid: 77, name: 'COMMAND_ACK', sysid: 255, compid: 236 });
  t.equal(message.payload.length, 10, 'zero-filled with its extension fields');
  t.equal(message.payload[8], 245);
  const before = message.payload.join();
  bytes.fill(0xaa);
  decode(codec, libraryFrame(Object.assign(new library.common.CommandAck(), { command: 22 })));
  t.equal(message.payload.join(), before, 'later frames do not change it');
});

t.test('an acknowledgement without its extension fields is zero-filled', async (t) => {
  const frame = encodeFrame({ ...source, version: 1, msgid: 77, payload: Buffer.from([0x90, 1, 4]) });
  t.equal(frame.length, 8 + 3, 'MAVLink 1 carries no extension fields');
  const [message] = decodeStream(frame);
  t.match(message, { kind: 'mavlink', payload: Uint8Array.of(0x90, 1, 4, 0, 0, 0, 0, 0, 0, 0) });
});
