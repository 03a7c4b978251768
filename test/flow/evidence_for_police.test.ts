import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Sighting } from '../../src/model/sighting.ts';
import { folderOf } from '../support/basics/folder.ts';
import { takeTime, until } from '../support/basics/patience.ts';
import { placeAt } from '../support/basics/place.ts';
import { startDaemon } from '../support/daemon/daemon.ts';
import { paced, udpSender } from '../support/links/senders.ts';
import { Aircraft, MavlinkReceiver } from '../support/sky/aircraft.ts';

takeTime(t, 120);

const site = { lat: 47.2, lon: 8.73 };
const hostile = '</td><script>alert(1)</script>\u202e';

t.test(
  'the archive of a flight has a report in names and local time, the pilot in each form, and the frames of a recording',
  async (t) => {
    const daemon = await startDaemon(t, {
      args: ['--link', 'name=roof,transport=udp,address=127.0.0.1:0,protocol=mavlink'],
    });
    const make = async (path: string, body: object): Promise<unknown> => {
      const { status, body: answer } = await daemon.post(path, body);
      if (status !== 200) throw new Error(`${path}: ${answer.error}`);
      return answer.data;
    };
    const geometry = { type: 'Point', coordinates: [site.lon, site.lat], radius_m: 300 };
    await make('/api/regions', {
      name: 'plant',
      geometry: { ...geometry, radius_m: 9_000 },
      ground_alt_hae_m: 400,
      tz: 'Europe/Zurich',
    });
    await make('/api/zones', { name: hostile.replace('\u202e', ''), kind: 'protected', geometry });
    await make('/api/recordings', { name: 'watch' });
    const flown = new Aircraft({
      mac: '60:60:1F:00:05:01',
      serial: '1581F5FKD2294G000001',
      from: placeAt(site, 0, 200),
    });
    const send = udpSender(t, await daemon.port('roof'));
    const receiver = new MavlinkReceiver();
    await paced(40, 110, (turn) => send(receiver.pack(flown, flown.messages(flown.location(turn * 0.11)))));
    const sighting = await until(async () => {
      const [found] = await daemon.get<Sighting[]>(`/api/sightings?serial=${flown.flight.serial}`);
      return found?.operator && found.zones.length > 0 ? found : null;
    }, 'it entered the zone and reported a pilot');

    const folder = folderOf(t);
    const response = await fetch(`${daemon.url}/api${sighting.evidence}`);
    t.equal(response.status, 200);
    writeFileSync(join(folder, 'evidence.zip'), Buffer.from(await response.arrayBuffer()));
    t.equal(spawnSync('unzip', ['-q', 'evidence.zip', '-d', 'out'], { cwd: folder }).status, 0);
    const out = join(folder, 'out');
    const read = (name: string): string => readFileSync(join(out, name), 'utf8');
    t.equal(spawnSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: out }).status, 0);

    const html = read('report.html');
    for (const text of [sighting.number, flown.flight.serial, 'roof', '<svg', 'Europe/Zurich', ' UTC', '>Pilot'])
      t.ok(html.includes(text), text);
    t.notMatch(html, /<script|\u202e|NaN|undefined/);
    t.match(html, /&lt;\/td&gt;&lt;script&gt;/);
    const { lat, lon } = sighting.operator ?? {};
    t.ok(read('history.kml').includes(`<coordinates>${lon},${lat}</coordinates>`));
    const { features } = JSON.parse(read('history.geojson')) as { features: { properties: { role?: string } }[] };
    t.equal(features.filter(({ properties }) => properties.role === 'pilot').length, 1);
    t.ok(read('history.csv').includes(`,${lat},${lon},`));
    t.match(JSON.parse(read('detections.jsonl').split('\n')[0] ?? ''), { sensor_name: 'roof' });
    const frames = read('frames.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { hex: string; observed: boolean });
    t.ok(frames.length >= 30, `${frames.length} frames`);
    t.ok(frames.some(({ observed }) => observed));
    t.ok(
      frames.every(({ hex }) => /^fd/.test(hex)),
      'MAVLink 2, as it was sent',
    );
  },
);
