import t, { type Test } from 'tap';
import { folderOf } from '../support/basics/folder.ts';
import { onlyInFull } from '../support/basics/patience.ts';
import { metresBetween } from '../support/basics/place.ts';
import { startDaemon } from '../support/daemon/daemon.ts';
import { dunlin, sample, samplesMissing } from '../support/daemon/dunlin.ts';
import {
  detections,
  detectionsOf,
  linkOf,
  picture,
  pilotOf,
  pointsOf,
  sensorOf,
  trackOf,
} from '../support/daemon/watch.ts';
import { socatMissing, startPtyPair } from '../support/links/pty.ts';

onlyInFull(t);

/**
 * What the capture holds, counted from its own decoded form: 1140 packs in 122.7 s, of which every third is more than a
 * location; 124 different locations, all without an altitude, 0 to 11 m above take-off.
 */
const flight = {
  file: 'remote_id/anafi4_real.derived_mavlink.jsonl',
  packs: 1140,
  serial: '1588E040445AC004418',
  mac: '90:3A:E6:5B:C8:A8',
  end: { lat: 47.1987095, lon: 8.7301826 },
  pilot: { lat: 47.1986077, lon: 8.7302267 },
};
const rate = ['--rate', '20'];

t.test(
  'a flight that two receivers captured, played to both at once',
  { skip: samplesMissing || socatMissing() },
  async (t) => {
    const dir = folderOf(t, { data: {} });
    const cable = await startPtyPair(t, dir);
    const links = [
      'name=net,transport=udp,address=127.0.0.1:0,protocol=mavlink',
      `name=cable,transport=serial,address=${cable.near},protocol=mavlink`,
    ];
    const daemon = await startDaemon(t, { dataDir: `${dir}/data`, args: links.flatMap((link) => ['--link', link]) });
    await Promise.all([play(t, `udp://127.0.0.1:${await daemon.port('net')}`), play(t, `serial:${cable.far}`)]);

    const track = await trackOf(
      daemon,
      flight.serial,
      ({ position }) => !!position && metresBetween(position, flight.end) < 10,
    );
    const { tracks } = await picture(daemon);
    t.equal(tracks.length, 1, 'one aircraft');
    t.same(track.identities.map(({ value }) => value).sort(), [flight.serial, flight.mac].sort());
    t.ok(metresBetween(pilotOf(track), flight.pilot) < 0.1);
    t.match(track, { status: 'airborne', operator: { type: 'live_gnss', alt_hae_m: null } });
    t.match(track.position, { alt_hae_m: null, alt_msl_m: null, alt_agl_m: null, height_takeoff_m: 0 });
    t.same(track.flags, []);

    for (const name of ['net', 'cable']) {
      const { rx_msgs, rejects } = await linkOf(daemon, name);
      t.equal(rx_msgs, flight.packs, `${name}: every pack`);
      t.ok(
        Object.values(rejects).every((n) => n === 0),
        'none refused',
      );
      const sensor = await sensorOf(daemon, `${name} 3/236`);
      const heard = await detectionsOf(daemon, `sensor_id=${sensor.id}`, 110);
      const placed = heard.filter(({ position, track_id }) => position && track_id === track.id);
      t.ok(placed.length >= 110 && placed.length <= 130, `${placed.length} locations moved the track`);
      const heights = placed.map(({ position }) => position?.height_takeoff_m ?? -1);
      t.same([Math.min(...heights), Math.max(...heights)], [0, 11]);
    }
    t.equal(track.contributors.length, 2, 'both receivers are named');
    t.ok((await pointsOf(daemon, track.id, 5)).length >= 5, 'its history has a point a second');
    t.ok((await detections(daemon, `track_id=${track.id}`)).length >= 220);
  },
);

async function play(t: Test, to: string): Promise<void> {
  const { code, out, err } = await dunlin(t, 'replay', sample(flight.file), ...rate, '--to', to);
  t.equal(code, 0, err);
  t.match(out, new RegExp(`sent ${flight.packs} frames`));
}
