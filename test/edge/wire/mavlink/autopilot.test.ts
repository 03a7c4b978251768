import t from 'tap';
import { readCommandInt, readCommandLong, readSetMode } from '../../../../src/edge/wire/mavlink/read_command.ts';
import type { Payload } from '../../../../src/edge/wire/mavlink/write.ts';
import {
  writeAutopilotVersion,
  writeAvailableMode,
  writeBatteryStatus,
  writeCommandAck,
  writeEkfStatus,
  writeExtendedSysState,
  writeGimbalInformation,
  writeGimbalStatus,
  writeGpsRaw,
  writeHomePosition,
  writeStatusText,
  writeSysStatus,
  writeSystemTime,
} from '../../../../src/edge/wire/mavlink/write_autopilot.ts';
import { deserialise as read, serialise } from './dialect.ts';

/** A payload of node-mavlink, with the zeros that it cut off. */
function filled({ payload }: Payload, length: number): Uint8Array {
  const full = new Uint8Array(length);
  full.set(payload);
  return full;
}

t.test('what an autopilot says is what node-mavlink reads', async (t) => {
  const power = { energyPct: 73, volts: 15.5, amperes: 20 };
  const PREARM = 2 ** 28;
  const status = { voltage_battery: 15_500, current_battery: 2_000, battery_remaining: 73 };
  const ready = read(writeSysStatus(power, true));
  t.match(ready, status);
  t.ok(Number(ready.onboard_control_sensors_health) & PREARM);
  t.notOk(Number(read(writeSysStatus(power, false)).onboard_control_sensors_health) & PREARM);
  t.match(read(writeBatteryStatus(power, 600)), {
    ...{ battery_remaining: 73, time_remaining: 600, current_battery: 2_000, current_consumed: -1 },
    ...{ temperature: 32_767, voltages: [15_500, 65_535] },
  });
  t.match(read(writeSystemTime(12_345)), { time_boot_ms: 12_345 });
  const fix = { bootMs: 5_000, latDeg: 52.1, lonDeg: -4.2, altMslM: 12.5, speedMps: 9, courseDeg: 359.999 };
  t.match(read(writeGpsRaw(fix)), {
    ...{ time_usec: 5_000_000n, lat: 521_000_000, lon: -42_000_000, alt: 12_500, vel: 900, cog: 0 },
    ...{ fix_type: 3, satellites_visible: 14 },
  });
  t.match(read(writeExtendedSysState(3, 2)), { vtol_state: 3, landed_state: 2 });
  t.match(read(writeHomePosition({ latDeg: 52, lonDeg: 4, altMslM: -3 })), {
    ...{ latitude: 520_000_000, longitude: 40_000_000, altitude: -3_000, q: [1, 0, 0, 0] },
  });
  const uid2 = '00112233445566778899aabbccddeeff0011';
  t.match(read(writeAutopilotVersion({ capabilities: 64_495n, uid2, flightVersion: 0x04_06_00_ff })), {
    ...{ capabilities: 64_495, flight_sw_version: 0x04_06_00_ff, uid2: [...Buffer.from(uid2, 'hex')] },
  });
  const ack = { command: 192, result: 2, progressPct: null, targetSystem: 245, targetComponent: 190 };
  t.match(read(writeCommandAck(ack)), { command: 192, result: 2, target_system: 245, target_component: 190 });
  t.match(
    read(writeAvailableMode({ customMode: 17, properties: 2, count: 7, index: 3, standardMode: 5, name: 'BRAKE' })),
    {
      ...{ custom_mode: 17, properties: 2, number_modes: 7, mode_index: 3, standard_mode: 5 },
      mode_name: 'BRAKE',
    },
  );
  t.match(read(writeGimbalInformation(5)), {
    time_boot_ms: 5,
    gimbal_device_id: 1,
    pitch_min: Math.fround(-Math.PI / 2),
    yaw_max: Math.fround(Math.PI),
  });
  t.match(read(writeGimbalStatus(5, { sysid: 245, compid: 190 })), {
    ...{ gimbal_device_id: 1, primary_control_sysid: 245, primary_control_compid: 190 },
  });
  t.match(read(writeEkfStatus()), { flags: 831 });
  t.match(read(writeStatusText(4, 'Battery low')), { severity: 4, text: 'Battery low' });
});

t.test('what it is told is what node-mavlink wrote', async (t) => {
  const address = { command: 192, target_system: 7, target_component: 1 };
  const params = { param1: 1.5, param2: 2, param3: -3, param4: 4 };
  const long = serialise('COMMAND_LONG', { ...address, ...params, param5: 52.5, param6: 4.25, param7: 30 });
  const expected = { command: 192, targetSystem: 7, targetComponent: 1, params: [1.5, 2, -3, 4] };
  t.same(readCommandLong(filled(long, 33)), {
    ...expected,
    place: { latDeg: 52.5, lonDeg: 4.25, altM: 30, frame: null },
  });
  const place = { x: 525_000_000, y: -42_500_000, z: 30, frame: 3 };
  t.same(readCommandInt(filled(serialise('COMMAND_INT', { ...address, ...params, ...place }), 35)), {
    ...expected,
    place: { latDeg: 52.5, lonDeg: -4.25, altM: 30, frame: 3 },
  });
  const mode = serialise('SET_MODE', { target_system: 7, base_mode: 1, custom_mode: 9 });
  t.same(readSetMode(filled(mode, 6)), { customMode: 9, targetSystem: 7 });
});
