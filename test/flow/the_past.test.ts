import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Sighting, Trails } from '../../src/model/sighting.ts';
import type { TrackPoint } from '../../src/model/track.ts';
import type { Zone } from '../../src/model/zone.ts';
import { folderOf } from '../support/basics/folder.ts';
import { takeTime, until } from '../support/basics/patience.ts';
import { placeAt } from '../support/basics/place.ts';
import { type Daemon, startDaemon } from '../support/daemon/daemon.ts';
import { firstOwner, type Member } from '../support/daemon/signed_in.ts';
import { paced } from '../support/links/senders.ts';

takeTime(t, 180);

const site = { lat: 47.2, lon: 8.73 };
const serial = '1581F5FKD22940000042';
const pilot = { lat: 47.2031, lon: 8.7444, type: 'fixed', operator_id: 'FIN87astrdge12k8' };

type Box = { daemon: Daemon; owner: Member; viewer: Member };

/** Flies from 60 m outside the zone, whose edge is 200 m north of the site, to 60 m inside. */
async function flyIn({ daemon, owner }: Box): Promise<void> {
  await paced(60, 110, async (turn) => {
    const { lat, lon } = placeAt(site, 0, 260 - 2 * turn);
    const row = {
      ...{ sensor_id: 'tower', report: 'position', position: { lat, lon, alt_hae_m: 560 } },
      ...{ sigma: { h_m: 3, v_m: 3 }, velocity: { speed_mps: 18, course_deg: 180, climb_mps: 0 } },
      identity: [{ type: 'serial', value: serial, transport: 'other' }],
      operator: pilot,
    };
    await owner.get('POST', '/v1/ingest/obs', { obs: [row] });
  });
  void daemon;
}

function sightingsOf(by: Member, query: string): Promise<Sighting[]> {
  return by.get<Sighting[]>('GET', `/v1/sightings?${query}`);
}

t.test(
  'what flew is listed over a restart, with what it did, and without its pilot for a viewer who may not see it',
  async (t) => {
    const folder = folderOf(t);
    const config = join(folder, 'dunlin.yaml');
    writeFileSync(config, 'privacy: { viewer_sees_pilot: false }\n');
    const dataDir = join(folder, 'data');
    const daemon = await startDaemon(t, { dataDir, args: ['--config', config] });
    const owner = await firstOwner(t, daemon);
    const box = { daemon, owner, viewer: await owner.member('vera', 'viewer') };
    await owner.get('POST', '/v1/sensors', { name: 'tower', modality: 'remote_id' });
    const geometry = { type: 'Point', coordinates: [site.lon, site.lat], radius_m: 200 };
    await owner.get('POST', '/v1/regions', {
      name: 'site',
      geometry: { ...geometry, radius_m: 5_000 },
      ground_alt_hae_m: 480,
    });
    const zone = await owner.get<Zone>('POST', '/v1/zones', { name: 'Turbine hall', kind: 'protected', geometry });
    const began = new Date().toISOString();
    await flyIn(box);

    const seen = await until(async () => {
      const [found] = await sightingsOf(owner, `serial=${serial}`);
      return found && found.nearest?.distance_m === 0 && found.zones.length > 0 ? found : null;
    }, 'the flight is listed with its entry');
    t.match(seen, {
      identities: [{ type: 'serial', value: serial }],
      nearest: { kind: 'zone', id: zone.id, name: 'Turbine hall', inside: true },
      zones: [{ zone_id: zone.id, name: 'Turbine hall', kind: 'protected', left_at: null, entries: 1 }],
      evidence: `/evidence/${seen.track_id}`,
    });
    t.match(seen.operator, { lat: pilot.lat, lon: pilot.lon, operator_id: pilot.operator_id });
    t.ok(['medium', 'high', 'critical'].includes(seen.highest_level), seen.highest_level);
    t.ok((seen.zones[0]?.entered_at ?? '') > began);

    const points = await owner.get<TrackPoint[]>('GET', `/v1/tracks/${seen.track_id}/history`);
    const [last] = points.slice(-1);
    t.ok(Math.abs((last?.alt_agl_m ?? 0) - 80) < 5, `${last?.alt_agl_m} m above the ground`);
    t.ok(Math.abs((last?.alt_msl_m ?? 0) - 512) < 8, `${last?.alt_msl_m} m above the sea`);
    const trails = await owner.get<Trails>('GET', `/v1/tracks/history?since=${began}&step_s=2`);
    t.match(trails, {
      step_s: 2,
      thinned: false,
      cut: null,
      tracks: [{ track_id: seen.track_id, number: seen.number }],
    });
    const [trail] = trails.tracks;
    t.ok((trail?.points.length ?? 0) >= 3, 'a point in two seconds');
    t.type(trail?.points.at(-1)?.alt_agl_m, 'number');

    t.equal(await daemon.end(), 0);
    const again = await startDaemon(t, { dataDir, args: ['--config', config] });
    const [late, watcher] = [owner.at(again.url), box.viewer.at(again.url)];
    for (const query of [`serial=${serial}`, `zone_id=${zone.id}`, `since=${began}`, 'level=medium']) {
      const [found, ...others] = await sightingsOf(late, query);
      t.same(others, []);
      t.match(
        found,
        { track_id: seen.track_id, highest_level: seen.highest_level, zones: seen.zones, nearest: seen.nearest },
        query,
      );
    }
    t.same(await sightingsOf(late, `until=${began}`), [], 'before it came');
    t.same(await sightingsOf(late, 'serial=OTHER'), []);
    const [hidden] = await sightingsOf(watcher, `serial=${serial}`);
    t.match(hidden, { track_id: seen.track_id, operator: null, takeoff: null });
    const paths = [
      ...['/v1/sightings', `/v1/tracks/history?since=${began}`, `/v1/tracks/${seen.track_id}`],
      ...['json', 'csv', 'kml', 'geojson'].map((format) => `/v1/tracks/${seen.track_id}/history?format=${format}`),
    ];
    for (const path of paths) {
      const { status, text } = await watcher.ask('GET', path);
      t.equal(status, 200, path);
      t.notMatch(text, /47\.2031|8\.7444|FIN87/, `${path} has no pilot`);
    }
    t.equal((await watcher.ask('GET', `/v1/evidence/${seen.track_id}`)).status, 403);
  },
);
