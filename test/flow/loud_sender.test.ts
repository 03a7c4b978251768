import t from 'tap';
import { onlyInFull } from '../support/basics/patience.ts';
import { metresBetween, placeAt } from '../support/basics/place.ts';
import { startDaemon } from '../support/daemon/daemon.ts';
import { detectionsOf, linkOf, picture, trackOf } from '../support/daemon/watch.ts';
import { StreamClient } from '../support/http/stream_client.ts';
import { paced, udpSender } from '../support/links/senders.ts';
import { Aircraft, MavlinkReceiver } from '../support/sky/aircraft.ts';

onlyInFull(t);

const link = 'name=rid,transport=udp,address=127.0.0.1:0,protocol=mavlink';
const daemon = await startDaemon(t, { args: ['--link', link] });
const port = await daemon.port('rid');
const site = { lat: 55.7, lon: 12.5 };

t.test('one transmitter at 1000 messages a second does not keep another from being told', async (t) => {
  const loud = new Aircraft({ mac: '60:60:1F:00:06:01', serial: '1581F5FKD2294H000001', from: site });
  const calm = new Aircraft({
    mac: '60:60:1F:00:06:02',
    serial: '1581F5FKD2294H000002',
    from: placeAt(site, 0, 4_000),
  });
  const stream = await StreamClient.open(t, daemon);
  const receiver = new MavlinkReceiver();
  const [sendLoud, sendCalm] = [udpSender(t, port), udpSender(t, port)];
  const seconds = 4;
  const flood = paced(seconds * 50, 20, async (turn) => {
    for (let i = 0; i < 20; i++) {
      await sendLoud(receiver.pack(loud, loud.messages(loud.location(turn / 50 + i / 1000, Date.now() + i * 100))));
    }
  });
  const flight = paced(seconds * 5, 200, (turn) =>
    sendCalm(receiver.pack(calm, calm.messages(calm.location(turn / 5)))),
  );
  await Promise.all([flood, flight]);

  const track = await trackOf(daemon, calm.flight.serial, ({ state }) => state === 'confirmed');
  const heard = await detectionsOf(daemon, `track_id=${track.id}`, seconds * 5);
  t.equal(heard.length, seconds * 5, 'every location of the calm one counted');
  const end = calm.placeAt(seconds - 0.2);
  const last = await trackOf(
    daemon,
    calm.flight.serial,
    ({ position }) => !!position && metresBetween(position, end) < 15,
  );
  t.equal(last.id, track.id);
  const told = stream.events.filter(({ event, data }) => event === 'track_update' && data.body.id === track.id);
  t.ok(told.length >= seconds * 2, `and it was told ${told.length} times in ${seconds} s`);
  const { rejects, rx_msgs } = await linkOf(daemon, 'rid');
  t.equal(rx_msgs, seconds * 1005, 'nothing was lost on the way in');
  t.ok(rejects.rate > seconds * 600, `${rejects.rate} messages were over the rate of their sender`);
  t.equal((await picture(daemon)).tracks.length, 2);
});
