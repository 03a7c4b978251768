import t from 'tap';
import { COPTER_MODE } from '../../support/vehicles/arducopter.ts';
import { CMD } from '../../support/vehicles/command.ts';
import { encode, messageId, numberOf, Signer } from '../../support/vehicles/messages.ts';
import { MEASURED_BOOT } from '../../support/vehicles/options.ts';
import { copterRig, takenOff, word } from './rig.ts';

const QUIET = ['GLOBAL_POSITION_INT', 'SYS_STATUS', 'GPS_RAW_INT', 'EXTENDED_SYS_STATE'];

t.test('until it is asked it sends its heartbeat, TIMESYNC and events only', async (t) => {
  const { station, copter } = await copterRig(t);
  await station.tell(copter, 'HEARTBEAT', { type: 6, autopilot: 8 });
  copter.tick(21);
  await station.settle();
  t.ok(Math.abs(station.named('HEARTBEAT').length - 21) <= 1);
  t.equal(station.named('TIMESYNC').length, 2);
  for (const name of QUIET) t.equal(station.named(name).length, 0, name);
  t.equal(station.named('HOME_POSITION').length, 1);
});

t.test('its first words are lines of text without MAVLink', async (t) => {
  const { station } = await copterRig(t);
  t.equal(station.noise.length, 8);
  t.ok(station.noise.some((line) => line.includes('AP_Logger_File')));
});

t.test('streams run at the rate asked for, by either way of asking', async (t) => {
  const { station, copter } = await copterRig(t);
  t.equal(await station.long(copter, CMD.setMessageInterval, [33, 200_000]), 0);
  copter.tick(10);
  await station.settle();
  t.ok(Math.abs(station.named('GLOBAL_POSITION_INT').length - 50) <= 1);
  t.equal(await station.long(copter, CMD.setMessageInterval, [33, -1]), 0);
  station.forget();
  await station.tell(copter, 'REQUEST_DATA_STREAM', {
    target_system: 1,
    req_stream_id: 0,
    req_message_rate: 4,
    start_stop: 1,
  });
  copter.tick(5);
  await station.settle();
  for (const name of QUIET) t.ok(Math.abs(station.named(name).length - 20) <= 1, name);
});

t.test('while it starts it has no place, and says so with zeros', async (t) => {
  const { station, copter } = await copterRig(t, { ready: false });
  await station.long(copter, CMD.setMessageInterval, [33, 40_000]);
  await station.long(copter, CMD.setMessageInterval, [messageId('SYS_STATUS'), 40_000]);
  copter.tick(0.04);
  await station.settle();
  t.match(station.named('GLOBAL_POSITION_INT')[0]?.fields, { lat: 0, lon: 0, alt: 0 });
  t.equal(station.named('HOME_POSITION').length, 0);
  t.equal(word(await station.long(copter, CMD.requestMessage, [242])), 'FAILED');
  copter.tick(1);
  await station.settle();
  t.match(station.named('GLOBAL_POSITION_INT').at(-1)?.fields, { lat: -353_632_620, lon: 1_491_652_370 });
  t.equal(station.named('HOME_POSITION').length, 1);
  const ready = station
    .named('SYS_STATUS')
    .map(({ fields }) => (numberOf(fields, 'onboard_control_sensors_health') >> 28) & 1);
  t.same([ready[0], ready.at(-1)], [0, 1]);
});

t.test('with the measured times the first minute is as it was measured', async (t) => {
  const { station, copter } = await copterRig(t, { ready: false, boot: MEASURED_BOOT });
  const arm = async () => word(await station.long(copter, CMD.armDisarm, [1]));
  copter.tick(10);
  await station.settle();
  const beats = station.named('HEARTBEAT').map(({ fields }) => [fields.system_status, fields.base_mode]);
  t.same(beats.slice(0, 3), [
    [1, 89],
    [1, 89],
    [3, 81],
  ]);
  t.equal(station.named('HOME_POSITION').length, 0);
  copter.tick(11);
  await station.settle();
  t.equal(station.named('HOME_POSITION').length, 1);
  t.equal(await arm(), 'FAILED');
  copter.tick(4);
  await station.long(copter, CMD.setMode, [1, COPTER_MODE.guided]);
  t.equal(await arm(), 'FAILED', 'no position yet');
  copter.tick(18);
  t.equal(await arm(), 'ACCEPTED');
});

t.test('a reboot brings another port, a clock that starts again, no streams and STABILIZE', async (t) => {
  const { station, copter } = await copterRig(t);
  await station.long(copter, CMD.setMode, [1, COPTER_MODE.guided]);
  await station.long(copter, CMD.setMessageInterval, [33, 100_000]);
  copter.tick(5);
  await station.settle();
  const before = station.named('GLOBAL_POSITION_INT').at(-1);
  station.forget();
  t.equal(await station.long(copter, CMD.rebootShutdown, [1]), 0);
  copter.tick(2);
  const beat = await station.hear('HEARTBEAT');
  t.not(beat && 'port' in beat && beat.port, before?.port, 'another port');
  t.equal(beat?.fields.custom_mode, COPTER_MODE.stabilize);
  copter.tick(1);
  await station.settle();
  t.equal(station.named('GLOBAL_POSITION_INT').length, 0);
  await station.long(copter, CMD.requestMessage, [33]);
  const after = await station.hear('GLOBAL_POSITION_INT');
  t.ok(numberOf(after?.fields ?? {}, 'time_boot_ms') < numberOf(before?.fields ?? {}, 'time_boot_ms'));
});

t.test('it refuses to reboot while it is armed', async (t) => {
  const { station, copter } = await copterRig(t);
  await takenOff(station, copter);
  t.equal(word(await station.long(copter, CMD.rebootShutdown, [1])), 'FAILED');
});

t.test('it answers any component of its own system, every station, and version 1 in version 2', async (t) => {
  const { station, copter } = await copterRig(t);
  for (const target_component of [0, 1, 2, 190]) {
    t.equal(await station.long(copter, CMD.getHome, [], { target_component }), 0);
  }
  t.equal(await station.long(copter, CMD.getHome, [], { target_system: 0 }), 0);
  t.equal(await station.long(copter, CMD.getHome, [], { target_system: 77 }), null);
  station.forget();
  await station.tell(copter, 'COMMAND_LONG', { command: CMD.getHome, target_system: 1 }, 1);
  const ack = await station.hear('COMMAND_ACK');
  t.equal(ack?.version, 2);
  t.match(ack?.fields, { target_system: station.sysid, target_component: station.compid });
});

t.test('garbage is passed over', async (t) => {
  const { station, copter } = await copterRig(t);
  for (const bytes of [Buffer.alloc(0), Buffer.from('hello'), Buffer.alloc(300, 0xfd)])
    await station.raw(copter, bytes);
  t.equal(await station.long(copter, CMD.getHome), 0);
});

t.test('with a system id enforced it is silent to others', async (t) => {
  const { station, copter } = await copterRig(t, { obeys: 255 });
  t.equal(await station.long(copter, CMD.getHome), null);
  copter.options.obeys = station.sysid;
  t.equal(await station.long(copter, CMD.getHome), 0);
});

t.test('with a key it signs, and obeys what is signed with it only', async (t) => {
  const key = Buffer.alloc(32, 7);
  const { station, copter } = await copterRig(t, { key });
  t.equal(await station.long(copter, CMD.getHome), null, 'unsigned');
  t.ok(station.heard.every(({ signed }) => signed));
  const signing = await copterRig(t, { key }, { key });
  t.equal(await signing.station.long(signing.copter, CMD.getHome), 0);
  const wrong = await copterRig(t, { key }, { key: Buffer.alloc(32, 8) });
  t.equal(await wrong.station.long(wrong.copter, CMD.getHome), null);
});

t.test('signed bytes that come a second time are not obeyed again', async (t) => {
  const key = Buffer.alloc(32, 7);
  const { station, copter } = await copterRig(t, { key }, { key });
  const from = { sysid: 245, compid: 190, seq: 0 };
  const frame = new Signer(key, 9).sign(encode(from, 'COMMAND_LONG', { target_system: 1, command: CMD.getHome }));
  for (let time = 0; time < 2; time++) await station.raw(copter, frame);
  await station.settle();
  t.equal(station.named('COMMAND_ACK').length, 1);
});

t.test('two vehicles of one system id differ in their port and their hardware id', async (t) => {
  const [a, b] = [await copterRig(t), await copterRig(t)];
  t.not(a.copter.link.port, b.copter.link.port);
  await a.station.long(a.copter, CMD.requestMessage, [148]);
  const version = await a.station.hear('AUTOPILOT_VERSION');
  t.same(version?.fields.uid2, a.copter.uid2);
  t.notSame(a.copter.uid2, b.copter.uid2);
});

t.test('the heartbeats of the watched station staying away bring it home', async (t) => {
  const { station, copter } = await copterRig(t, { gcsFailsafe: { sysid: 245 } });
  await takenOff(station, copter);
  const beat = () => station.tell(copter, 'HEARTBEAT', { type: 6, autopilot: 8 });
  for (let second = 0; second < 8; second++) {
    await beat();
    copter.tick(1);
  }
  t.equal(copter.mode, COPTER_MODE.guided);
  copter.tick(3);
  t.equal(copter.mode, COPTER_MODE.guided);
  copter.tick(1);
  t.equal(copter.mode, COPTER_MODE.rtl);
  await beat();
  t.same(copter.statusTexts.slice(-2), ['GCS Failsafe', 'GCS Failsafe Cleared']);
  t.equal(copter.mode, COPTER_MODE.rtl);
});

t.test('it tells its modes one by one, none of them a standard mode', async (t) => {
  const { station, copter } = await copterRig(t);
  t.equal(await station.long(copter, CMD.requestMessage, [435, 0]), 0);
  await station.settle();
  const modes = station.named('AVAILABLE_MODES').map(({ fields }) => fields);
  t.equal(modes.length, modes[0]?.number_modes);
  t.ok(modes.some(({ custom_mode, mode_name }) => custom_mode === 17 && mode_name === 'BRAKE'));
  t.ok(modes.every(({ standard_mode }) => standard_mode === 0));
  station.forget();
  await station.long(copter, CMD.requestMessage, [435, 2]);
  await station.settle();
  t.equal(station.named('AVAILABLE_MODES').length, 1);
});

t.test('a number that is none kills it where the command reads it, and only there', async (t) => {
  const none = Number.NaN;
  const harmless = await copterRig(t);
  const { station, copter } = harmless;
  t.equal(await station.long(copter, CMD.returnToLaunch, [none, none, none, none, none, none, none]), 0);
  t.equal(await station.long(copter, CMD.loiterUnlimited, [none, none, none, none, none, none, none]), 0);
  t.equal(copter.killedByNaN, null);
  const deadly: [number, number[]][] = [
    [CMD.takeoff, [0, 0, none]],
    [CMD.setMode, [none]],
    [CMD.setMode, [1, none]],
    [CMD.armDisarm, [none]],
    [CMD.requestMessage, [none]],
    [CMD.setMessageInterval, [33, none]],
    [CMD.pauseContinue, [none]],
    [CMD.conditionYaw, [0, 0, 0, none]],
  ];
  for (const [id, p] of deadly) {
    const rig = await copterRig(t);
    t.equal(await rig.station.long(rig.copter, id, p as [number]), null, `command ${id}`);
    t.ok(rig.copter.killedByNaN);
    rig.station.forget();
    rig.copter.tick(5);
    await rig.station.settle();
    t.equal(rig.station.heard.length, 0, 'it is dead');
  }
  const spared = await copterRig(t, { trapsNaN: false });
  t.equal(word(await spared.station.long(spared.copter, CMD.setMode, [none])), 'DENIED');
  t.equal(spared.copter.killedByNaN, null);
});

t.test('datagrams are lost and doubled as asked, and late ones come late', async (t) => {
  const lossy = await copterRig(t, { faults: { loss: 0.3, duplicate: 0.2, seed: 5 } });
  lossy.copter.tick(200);
  await lossy.station.settle();
  const { sent, lost, duplicated } = lossy.copter.link.counters;
  t.ok(lost > 40 && lost < 90 && duplicated > 15 && sent < 200, `${sent} ${lost} ${duplicated}`);
  const late = await copterRig(t, { faults: { delayMs: 2_000 } });
  t.equal(await late.station.long(late.copter, CMD.getHome), null);
  late.copter.tick(2.1);
  await late.station.settle();
  t.equal(late.station.named('COMMAND_ACK').length, 0, 'it heard only now');
  late.copter.tick(2.1);
  await late.station.settle();
  t.equal(late.station.named('COMMAND_ACK').length, 1);
});
