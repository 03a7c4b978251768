import t from 'tap';
import type { Picture } from '../../src/model/picture.ts';
import { takeTime } from '../support/basics/patience.ts';
import { metresBetween, placeAt } from '../support/basics/place.ts';
import { startDaemon, until } from '../support/daemon/daemon.ts';
import { linkOf, sensorOf, trackOf } from '../support/daemon/watch.ts';
import { paced } from '../support/links/senders.ts';

takeTime(t, 120);

const site = { lat: 47.4, lon: 8.5 };
const serial = '1581F0000000000001A';
const pilot = { lat: 47.3961, lon: 8.4888, type: 'live_gnss', operator_id: 'FIN87astrdge12k8' };
const group = '239.77.5.1';

t.test('a track of one box is a track of another, over a multicast group of ASTERIX', async (t) => {
  const far = await startDaemon(t, {
    args: ['--link', `name=atc,transport=udp,address=${group}:0,protocol=asterix`],
  });
  const address = `${group}:${await far.port('atc')}`;
  const options = 'options.sac=204,options.sic=50,pace.track_s=0.5';
  const near = await startDaemon(t, {
    args: ['--outlet', `name=atc,kind=asterix,transport=udp,address=${address},${options}`],
  });
  await near.post('/api/sensors', { name: 'mast', modality: 'remote_id', placement: { ...site, alt_hae_m: 450 } });
  await until(async () => (await sensorOf(far, 'atc 204/50')).state === 'operational', 'its status is a sign of life');
  let last = site;
  await paced(8, 500, async (turn) => {
    last = placeAt(site, 90, 5 * turn);
    const position = { ...last, alt_hae_m: 600 };
    const row = { sensor_id: 'mast', report: 'position', position, operator: pilot };
    const identity = [{ type: 'serial', value: serial, transport: 'bt5' }];
    await near.post('/api/ingest/obs', { obs: [{ ...row, identity }] });
  });
  const own = await trackOf(near, serial, ({ state }) => state === 'confirmed');
  const number = Number(own.number.slice(2));
  const track = await trackOf(
    far,
    `204/50#${number}`,
    ({ state, position }) => state === 'confirmed' && position !== null && metresBetween(position, last) < 30,
  );
  t.match(track, { cooperative: 'coop_only', operator: null, affiliation: 'unknown' });
  t.same(track.identities.map(({ type, value }) => `${type} ${value}`).sort(), [
    `callsign ${own.number.replace('-', '')}`,
    `external 204/50#${number}`,
  ]);
  t.ok(Math.abs((track.position?.alt_hae_m ?? 0) - 600) < 10);
  const { rejects } = await linkOf(far, 'atc');
  t.same(rejects.malformed + rejects.length + rejects.unknown_type + rejects.not_allowed, 0);
  const outlet = await until(async () => {
    const { outlets } = await near.get<Picture>('/api/picture');
    return outlets.find(({ tracks }) => tracks === 1) ?? null;
  }, 'the picture counts it');
  t.match(outlet, { state: 'open', last_error: null });
});
