import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { folderOf } from '../support/basics/folder.ts';
import { type Daemon, startDaemon, until } from '../support/daemon/daemon.ts';
import { countedOf, linkOf, sensorOf, trackOf } from '../support/daemon/watch.ts';
import { framesAt, messagesAt } from '../support/links/broadcast_aircraft.ts';
import { opcodes, startController } from '../support/links/controller.ts';
import { encodeMessage25, encodePack } from '../support/links/odid25.ts';
import * as packets from '../support/links/packets.ts';
import { socatMissing, startPtyPair } from '../support/links/pty.ts';
import { paced } from '../support/links/senders.ts';
import { sniffleLine, snifflePacket, startDongle } from '../support/links/sniffle_dongle.ts';

const aircraftOf = (n: number) => ({
  ...{ serial: `1581F5FKD2294SERIAL${n}`, wifiMac: '60:60:1f:10:02:01', bluetoothMac: `60:60:1f:10:02:1${n}` },
  ...{ lat: 47.2, lon: 8.73 },
});

const isOpen = (daemon: Daemon, name: string) =>
  until(async () => (await linkOf(daemon, name)).state === 'open', `${name} is open`);

t.test(
  'a controller is set up at every opening and after its own reset, and cut and garbled events cost no other',
  { skip: socatMissing() },
  async (t) => {
    const dir = folderOf(t, { data: {} });
    const cable = await startPtyPair(t, dir);
    const controller = startController(t, cable.far);
    const link = `name=ble,transport=serial,address=${cable.near},protocol=hci_h4`;
    const daemon = await startDaemon(t, { dataDir: `${dir}/data`, args: ['--link', link] });
    const scans = (least: number) =>
      until(async () => {
        const enabled = controller.commands.filter(({ opcode }) => opcode === opcodes.extendedEnable);
        return enabled.length >= least;
      }, `the controller scans for the ${least}. time`);
    await scans(1);
    t.same(
      controller.commands.map(({ opcode }) => opcode.toString(16)),
      ['c03', 'c01', '2001', '2003', '2041', '2042'],
      'one command after the other',
    );
    t.match(
      controller.commands.find(({ opcode }) => opcode === opcodes.extendedParameters),
      { hex: /^00000500/ },
    );
    t.match(controller.commands.at(-1), { hex: '010000000000' }, 'duplicates are kept');

    const aircraft = aircraftOf(1);
    const whole = messagesAt(aircraft, 0);
    const lie = packets.hciReport(aircraft.bluetoothMac, packets.advertisingData(1, encodePack(whole)));
    lie.writeUInt8(200, 13);
    await paced(8, 120, async (s) => {
      const { bt4, bt5 } = framesAt(aircraft, s);
      const all = Buffer.concat([
        ...(s === 3 ? [Buffer.from('ff0013', 'hex')] : []),
        ...bt5,
        ...bt4,
        ...(s === 4 ? [lie] : []),
      ]);
      const cut = 1 + ((s * 17) % (all.length - 1));
      controller.send(all.subarray(0, cut));
      controller.send(all.subarray(cut));
    });
    await trackOf(daemon, aircraft.serial, ({ identities }) => identities.length === 4);
    t.match(await countedOf(daemon, 'ble', 24), {
      rx_msgs: 24,
      rejects: { malformed: 1, length: 1, crc: 0 },
      last_error: null,
    });

    controller.habits.refuses.set(opcodes.extendedParameters, [0x11]);
    controller.restart();
    await scans(2);
    const parameters = controller.commands.filter(({ opcode }) => opcode === opcodes.extendedParameters);
    t.match(parameters.slice(1), [{ hex: /^00000500/ }, { hex: /^00000100/ }], 'without the layer that it refused');
    const limited = await until(async () => (await linkOf(daemon, 'ble')).last_error, 'the limit is shown');
    t.match(limited, /no long range/);
    await sensorOf(daemon, 'ble', ({ state, reasons }) => state === 'degraded' && reasons[0] === limited);

    controller.habits.isDead = true;
    controller.fault();
    const fault = await until(async () => {
      const { state, last_error } = await linkOf(daemon, 'ble');
      return state === 'backoff' ? last_error : null;
    }, 'a controller that answers nothing is a link error');
    t.match(fault, /has not answered Reset for 5 s/);
    controller.habits.isDead = false;
    await scans(3);
    await isOpen(daemon, 'ble');
    controller.send(framesAt(aircraft, 9).bt5[0] as Buffer);
    controller.send(framesAt(aircraft, 9).bt5[1] as Buffer);
    await until(async () => (await linkOf(daemon, 'ble')).last_error === null, 'it works with long range again');
  },
);

t.test(
  'a dongle is set up for its layers, takes turns where both are wanted, and its bad frames are counted',
  { skip: socatMissing() },
  async (t) => {
    const dir = folderOf(t, { data: {} });
    const [far, both] = ['far', 'both'].map((name) => join(dir, name)) as [string, string];
    for (const place of [far, both]) mkdirSync(place);
    const cables = { far: await startPtyPair(t, far), both: await startPtyPair(t, both) };
    const dongle = startDongle(t, cables.far.far);
    const turning = startDongle(t, cables.both.far);
    const links = [
      `name=far,transport=serial,address=${cables.far.near},baud=2000000,protocol=sniffle`,
      `name=both,transport=serial,address=${cables.both.near},protocol=sniffle,phy=both`,
    ];
    const daemon = await startDaemon(t, { dataDir: `${dir}/data`, args: links.flatMap((link) => ['--link', link]) });
    await until(async () => dongle.commands.some((command) => command.startsWith('24')), 'it is set up');
    t.same(dongle.commands.slice(0, 8), [
      '1840',
      '1025d6be898e0255555500',
      '1100',
      '1280',
      '13',
      '1500',
      '1601',
      '2601',
    ]);
    t.match(await linkOf(daemon, 'far'), { phy: 'coded', baud: 2_000_000 });
    t.match(await linkOf(daemon, 'both'), { phy: 'both' });

    const aircraft = aircraftOf(2);
    const pduOf = (frame: Buffer): Buffer => frame.subarray(4, -3);
    await paced(4, 200, async (s) => {
      const messages = messagesAt(aircraft, s);
      const data = packets.advertisingData(s, encodePack(messages));
      const auxiliary = pduOf(packets.linkLayer(aircraft.bluetoothMac, data, { isExtended: true }));
      const legacy = messages.map((message) =>
        pduOf(packets.linkLayer(aircraft.bluetoothMac, packets.advertisingData(s, encodeMessage25(message)))),
      );
      dongle.send(snifflePacket(auxiliary, { channel: 12 }));
      for (const pdu of legacy) dongle.send(snifflePacket(pdu, { layer: 0 }));
      dongle.send(snifflePacket(auxiliary, { isBroken: true }));
      dongle.send(
        snifflePacket(pduOf(packets.linkLayer(aircraft.bluetoothMac, Buffer.from('020106', 'hex'))), {
          isBroken: true,
        }),
      );
    });
    dongle.send(sniffleLine(0x11, Buffer.from('debug')));
    dongle.send('no line of a dongle\r\n');
    await trackOf(daemon, aircraft.serial, ({ identities }) => identities.length === 4);
    const shown = await until(async () => {
      const link = await linkOf(daemon, 'far');
      return link.rejects.malformed > 0 ? link : null;
    }, 'the garbled line is counted');
    t.match(shown, { rx_msgs: 12, rejects: { crc: 4, malformed: 1, length: 0, unknown_type: 0 } });

    const layers = new Set<number | null>();
    await until(async () => layers.add(turning.layer()).has(2) && layers.has(0), 'the other takes turns');
    await cables.far.pull();
    t.match(
      await until(async () => {
        const { state, last_error } = await linkOf(daemon, 'far');
        return state === 'backoff' ? last_error : null;
      }, 'an unplugged dongle is a link error'),
      /was disconnected|is not there/,
    );
  },
);
