import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import t from 'tap';
import { onlyInFull, until } from '../../support/basics/patience.ts';
import { startFlights } from '../../support/daemon/flights.ts';
import { ArduCopter } from '../../support/vehicles/arducopter.ts';
import { moved } from '../../support/vehicles/flight.ts';
import { encode } from '../../support/vehicles/messages.ts';

onlyInFull(t);

const STRANGERS = 10_000;
const SOCKETS = 40;

t.test('ten thousand strangers and a liar keep nobody from flying', async (t) => {
  const open = 'name=open,transport=udp,address=127.0.0.1:0,protocol=mavlink,command=allow,discover=list';
  const air = await startFlights(t, { args: ['--link', open] });
  const copter = new ArduCopter({ groundStation: air.groundStation, ready: true, sysid: 7 });
  t.teardown(() => copter.stop());
  await copter.start();
  const id = await air.adopt(copter);
  await air.takeoff(id);
  const port = await air.daemon.port('open');
  const beat = { type: 2, autopilot: 3, base_mode: 209, custom_mode: 4, system_status: 4, mavlink_version: 3 };
  const sockets = await Promise.all(
    Array.from({ length: SOCKETS }, async () => {
      const socket = createSocket('udp4').bind(0, '127.0.0.1');
      await once(socket, 'listening');
      t.teardown(() => socket.close());
      return socket;
    }),
  );
  let said = 0;
  const timer = setInterval(() => {
    for (let many = 0; many < 25; many++, said++) {
      const [sysid, compid] = [1 + (said % 250), 1 + (Math.floor(said / 250) % 2)];
      sockets[said % SOCKETS]?.send(encode({ sysid, compid, seq: said & 255 }, 'HEARTBEAT', beat), port, '127.0.0.1');
      const gcs = { ...beat, type: 6, autopilot: 8 };
      if (many === 0)
        sockets[0]?.send(encode({ sysid: 245, compid: 190, seq: 0 }, 'HEARTBEAT', gcs), port, '127.0.0.1');
    }
  }, 10);
  t.teardown(() => clearInterval(timer));
  const there = moved(copter.body, 60, 0);
  const went = await air.fly(id, 'goto', { kind: 'point', ...there, height_takeoff_m: 20 }, { withinMs: 60_000 });
  t.equal(went.state, 'done', went.reason ?? '');
  t.ok(copter.distanceTo(there.lat, there.lon) <= 3);
  await until(async () => said >= STRANGERS, 'all strangers have spoken');
  const began = performance.now();
  t.ok((await air.fleet()).length <= 256);
  t.comment(`${said} said; the fleet was told in ${Math.round(performance.now() - began)} ms`);
  const { state } = await air.fly(id, 'hold');
  t.equal(state, 'done');
});
