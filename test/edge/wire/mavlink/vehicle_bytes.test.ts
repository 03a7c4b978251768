import t from 'tap';
import { knownMessage } from '../../../../src/edge/wire/mavlink/known.ts';
import { readCommandInt, readCommandLong } from '../../../../src/edge/wire/mavlink/read_command.ts';
import * as read from '../../../../src/edge/wire/mavlink/read_vehicle.ts';
import type { Payload } from '../../../../src/edge/wire/mavlink/write.ts';
import * as autopilot from '../../../../src/edge/wire/mavlink/write_autopilot.ts';
import { writeCommandInt, writeCommandLong } from '../../../../src/edge/wire/mavlink/write_vehicle.ts';

/*
 * Bytes of the wire, made by the offsets of common.xml and not by node-mavlink's definitions, without trailing zeros.
 */

const power = { energyPct: 73, volts: 15.5, amperes: 20 };
const place = { latDeg: 52.1, lonDeg: -4.2, altMslM: 12.5 };
const home = { latDeg: 52, lonDeg: -4, altMslM: -3 };
const version = { capabilities: 64_495n, uid2: '00112233445566778899aabbccddeeff0011', flightVersion: 0x04_06_00_ff };
const ack = { command: 192, result: 2, progressPct: null, targetSystem: 245, targetComponent: 190 };
const mode = { customMode: 17, properties: 2, count: 7, index: 3, standardMode: 5, name: 'BRAKE' };
const primary = { sysid: 245, compid: 190 };
const to = { sysid: 7, compid: 1 };
const heard = { command: 192, targetSystem: 7, targetComponent: 1, params: [1.5, 2, -3, 4] };

type Case = { written: Payload; hex: string; reads?: (payload: Uint8Array) => unknown; as?: unknown };

const cases: Record<string, Case> = {
  SYS_STATUS: {
    written: autopilot.writeSysStatus(power, true),
    hex: '2f0000102f0000102f000010c8008c3cd00700000000000000000000000049',
    ...{ reads: read.readSysStatus, as: { energyPct: 73, prearmOk: true } },
  },
  'SYS_STATUS, not ready to arm': {
    written: autopilot.writeSysStatus(power, false),
    hex: '2f0000102f0000102f000000c8008c3cd00700000000000000000000000049',
    ...{ reads: read.readSysStatus, as: { energyPct: 73, prearmOk: false } },
  },
  BATTERY_STATUS: {
    written: autopilot.writeBatteryStatus(power, 600),
    hex: 'ffffffffffffffffff7f8c3cffffffffffffffffffffffffffffffffffffd007000000495802',
  },
  SYSTEM_TIME: {
    written: autopilot.writeSystemTime(12_345),
    hex: '00000000000000003930',
    ...{ reads: read.readBootMs, as: 12_345 },
  },
  POSITION_TARGET_GLOBAL_INT: {
    written: autopilot.writePositionTarget(7, place),
    hex: `0700000040d40d1f80217ffd00004841${'00'.repeat(32)}f8fd`,
    ...{ reads: read.readPositionTarget, as: place },
  },
  GPS_RAW_INT: {
    written: autopilot.writeGpsRaw({ ...place, bootMs: 5_000, speedMps: 9, courseDeg: 123.45 }),
    hex: '404b4c000000000040d40d1f80217ffdd43000005000780084033930030e',
    ...{ reads: read.readGpsFix, as: { fixType: 3, satellites: 14 } },
  },
  EXTENDED_SYS_STATE: {
    written: autopilot.writeExtendedSysState(3, 2),
    hex: '0302',
    ...{ reads: read.readLandedState, as: 2 },
  },
  HOME_POSITION: {
    written: autopilot.writeHomePosition(home),
    hex: '0092fe1e00a69dfd48f4ffff0000000000000000000000000000803f',
    ...{ reads: read.readHomePosition, as: home },
  },
  AUTOPILOT_VERSION: {
    written: autopilot.writeAutopilotVersion(version),
    hex: `effb0000000000000000000000000000ff000604${'00'.repeat(41)}112233445566778899aabbccddeeff0011`,
    ...{ reads: read.readAutopilotVersion, as: version },
  },
  COMMAND_ACK: {
    written: autopilot.writeCommandAck(ack),
    hex: 'c00002ff00000000f5be',
    ...{ reads: read.readCommandAck, as: ack },
  },
  AVAILABLE_MODES: {
    written: autopilot.writeAvailableMode(mode),
    hex: '11000000020000000703054252414b45',
    ...{ reads: read.readAvailableMode, as: mode },
  },
  EKF_STATUS_REPORT: {
    written: autopilot.writeEkfStatus(),
    hex: 'cdcc4c3dcdcc4c3dcdcc4c3dcdcc4c3d000000003f03',
    ...{ reads: read.readEkfHasPosition, as: true },
  },
  STATUSTEXT: {
    written: autopilot.writeStatusText(4, 'Battery low'),
    hex: '0442617474657279206c6f77',
    ...{ reads: read.readStatusText, as: { severity: 4, text: 'Battery low' } },
  },
  GIMBAL_MANAGER_INFORMATION: {
    written: autopilot.writeGimbalInformation(5),
    hex: '05000000a20502000000000000000000db0fc9bf920a063fdb0f49c0db0f494001',
  },
  GIMBAL_MANAGER_STATUS: {
    written: autopilot.writeGimbalStatus(5, primary),
    hex: '050000000000000001f5be',
    ...{ reads: read.readGimbalPrimary, as: primary },
  },
  COMMAND_LONG: {
    written: writeCommandLong(to, 192, [1.5, 2, -3, 4, 52.5, 4.25, 30], 300),
    hex: '0000c03f00000040000040c00000804000005242000088400000f041c0000701ff',
    ...{ reads: readCommandLong, as: { ...heard, place: { latDeg: 52.5, lonDeg: 4.25, altM: 30, frame: null } } },
  },
  COMMAND_INT: {
    written: writeCommandInt(to, 192, [1.5, 2, -3, 4, 9], { latDeg: 52.5, lonDeg: -4.25, altM: 30, frame: 3 }),
    hex: '0000c03f00000040000040c00000804040dd4a1f608077fd0000f041c000070103',
    ...{ reads: readCommandInt, as: { ...heard, place: { latDeg: 52.5, lonDeg: -4.25, altM: 30, frame: 3 } } },
  },
};

t.test('vehicle messages are these bytes, and read back from them', async (t) => {
  for (const [name, { written, hex, reads, as }] of Object.entries(cases)) {
    t.equal(knownMessage(written.msgid)?.name, name.split(',')[0]);
    t.equal(written.payload.length, knownMessage(written.msgid)?.maxLength, `${name}: full length`);
    t.equal(written.payload.toString('hex').replace(/(?:00)+$/, ''), hex, `${name}: bytes`);
    if (reads) t.same(reads(Buffer.from(hex, 'hex')), as, `${name}: read without its zeros`);
  }
});

t.test('messages that only vehicles of others send', async (t) => {
  t.same(read.readFenceStatus(Buffer.from('010000000200010301', 'hex')), { isBreached: true, breach: 3 });
  const camera = Buffer.alloc(235);
  camera.writeUInt32LE(0x47, 20);
  t.same(read.readCameraFlags(camera), { video: true, image: true, modes: true, zoom: true });
  t.same(read.readCameraFlags(Buffer.alloc(0)), { video: false, image: false, modes: false, zoom: false });
});

t.test('sentinels are null', async (t) => {
  t.equal(read.readHomePosition(Buffer.alloc(60)), null);
  t.equal(read.readAutopilotVersion(Buffer.alloc(78)).uid2, null);
  t.same(read.readSysStatus(Buffer.alloc(43, 0xff)), { energyPct: null, prearmOk: true });
  t.equal(read.readSysStatus(Buffer.alloc(43)).prearmOk, null);
  t.equal(read.readGpsFix(Buffer.alloc(52, 0xff)).satellites, null);
  const target = Buffer.from(cases.POSITION_TARGET_GLOBAL_INT?.hex ?? '', 'hex');
  target.writeFloatLE(Number.NaN, 12);
  t.equal(read.readPositionTarget(target), null);
});
