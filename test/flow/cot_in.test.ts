import t from 'tap';
import type { Track } from '../../src/model/track.ts';
import { metresBetween, placeAt } from '../support/basics/place.ts';
import { startDaemon } from '../support/daemon/daemon.ts';
import { sensorOf, trackOf } from '../support/daemon/watch.ts';
import { foreignEvent } from '../support/links/cot_events.ts';
import { paced, type Send, tcpHost, udpSender } from '../support/links/senders.ts';

const site = { lat: 60.2, lon: 24.9 };
const far = await tcpHost(t);
const links = [
  'name=mesh,transport=udp,address=127.0.0.1:0,protocol=cot',
  `name=server,transport=tcp_client,address=127.0.0.1:${far.port},protocol=cot`,
];
const daemon = await startDaemon(t, { args: links.flatMap((link) => ['--link', link]) });

/** Sends an aircraft that flies north at 10 m/s, five events a second apart by its clock. */
async function fly(send: Send, uid: string, type: string): Promise<{ lat: number; lon: number }> {
  const beginMs = Date.now() - 4_000;
  let last = site;
  await paced(5, 50, async (turn) => {
    last = placeAt(site, 0, 10 * turn);
    const timeMs = beginMs + turn * 1_000;
    const moving = { ...last, haeM: 120, ceM: 5, leM: 8, course: 0, speed: 10 };
    await send(foreignEvent({ uid, type, callsign: `CALL ${uid}`, timeMs, ...moving }));
  });
  return last;
}

function isConfirmedAt(place: { lat: number; lon: number }) {
  return ({ state, position }: Track) =>
    state === 'confirmed' && position !== null && metresBetween(position, place) < 20;
}

t.test('an aircraft of the TAK mesh is a track of another system', async (t) => {
  const last = await fly(udpSender(t, await daemon.port('mesh')), 'mesh.1', 'a-f-A-M-H-Q');
  const track = await trackOf(daemon, 'mesh.1', isConfirmedAt(last));
  t.match(track, { cooperative: 'coop_only', affiliation: 'unknown', affiliation_basis: 'none' });
  t.match(track.classification, [{ type: 'multirotor' }]);
  const [contributor] = track.contributors;
  const sensor = await sensorOf(daemon, 'mesh 127.0.0.1', ({ id }) => id === contributor?.sensor_id);
  t.match(sensor, { modality: 'external', state: 'operational' });
});

t.test('an aircraft of a TAK server is a track too', async (t) => {
  const last = await fly(far.send, 'server.1', 'a-h-A-M-F-Q');
  const track = await trackOf(daemon, 'server.1', isConfirmedAt(last));
  t.match(track, { affiliation: 'unknown', affiliation_basis: 'none' });
});
