import t from 'tap';
import { folderOf } from '../support/basics/folder.ts';
import { takeTime } from '../support/basics/patience.ts';
import { startDaemon, until } from '../support/daemon/daemon.ts';
import { countedOf, linkOf, sensorOf, trackOf } from '../support/daemon/watch.ts';
import { BluetoothAdapter, noBluetooth, startBluetooth } from '../support/links/bluetooth_adapter.ts';
import { framesAt } from '../support/links/broadcast_aircraft.ts';
import { opcodes } from '../support/links/controller.ts';
import { advertisingData, hciReport } from '../support/links/packets.ts';
import { paced } from '../support/links/senders.ts';

takeTime(t, 180);

const aircraft = {
  ...{ serial: '1581F5FKD2294ADAPTER', wifiMac: '60:60:1f:10:03:01', bluetoothMac: '60:60:1f:10:03:02' },
  ...{ lat: 47.2, lon: 8.73 },
};

t.test(
  'an aircraft that a Bluetooth adapter of the box receives is a track with both transports, and faults of the adapter show',
  { skip: noBluetooth() },
  async (t) => {
    const dir = folderOf(t, { data: {} });
    const adapter = await BluetoothAdapter.open(t);
    const { controller } = adapter;
    const program = await startBluetooth(t, adapter);
    const link = `name=ble,transport=unix,address=${program.path},protocol=capture`;
    const daemon = await startDaemon(t, { dataDir: `${dir}/data`, args: ['--link', link] });
    await until(async () => (await linkOf(daemon, 'ble')).state === 'open', 'the link is open');

    const lie = hciReport(aircraft.bluetoothMac, advertisingData(1, Buffer.alloc(25)));
    lie.writeUInt8(200, 13);
    const phone = hciReport('02:00:00:00:00:01', Buffer.from('02011a0bff4c001006', 'hex'));
    await paced(6, 150, async (s) => {
      const { bt4, bt5 } = framesAt(aircraft, s);
      for (const packet of [phone, ...bt5, phone, ...bt4, ...(s === 3 ? [lie] : [])]) controller.send(packet);
    });
    const track = await trackOf(daemon, aircraft.serial, ({ identities }) => identities.length === 4);
    t.same(
      new Set(track.identities.map(({ transport }) => transport)),
      new Set(['bt4', 'bt5']),
      'legacy advertising is Bluetooth 4, extended Bluetooth 5',
    );
    const sensor = await sensorOf(daemon, 'ble', ({ state }) => state === 'operational');
    t.equal(sensor.modality, 'remote_id');
    t.match(
      track.contributors.find(({ sensor_id: id }) => id === sensor.id),
      { rssi_dbm: -60 },
    );
    t.match(await countedOf(daemon, 'ble', 18), {
      rx_msgs: 18,
      rejects: { length: 1, malformed: 0 },
      last_error: null,
    });

    // The controller has lost its set-up and refuses coded advertising from now on.
    controller.habits.refuses.set(opcodes.extendedParameters, [0x0c]);
    controller.fault();
    const limited = await until(async () => (await linkOf(daemon, 'ble')).last_error, 'the limit is shown');
    t.match(limited, /^no long range/);
    await sensorOf(daemon, 'ble', ({ state, reasons }) => state === 'degraded' && reasons[0] === limited);

    adapter.pull();
    t.equal(await program.exited, 1);
    await until(
      async () => (await linkOf(daemon, 'ble')).state === 'backoff',
      'a program that is gone is a link that is not open',
    );
  },
);
