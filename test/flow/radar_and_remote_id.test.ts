import t, { type Test } from 'tap';
import type { Sensor } from '../../src/model/sensor.ts';
import type { Track } from '../../src/model/track.ts';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { metresBetween } from '../support/basics/place.ts';
import { startDaemon } from '../support/daemon/daemon.ts';
import { detections, sensorOf, tracksOf } from '../support/daemon/watch.ts';
import { circling, displaced, type Flight } from '../support/sky/flight.ts';
import { SiteAxes, type Vector } from '../support/sky/site_axes.ts';

onlyInFull(t);
takeTime(t, 60);
const daemon = await startDaemon(t);
const site = new SiteAxes(46.2, 6.1, 500);
const radarAt: Vector = [0, 0, 0];
const [honest, liar] = ['1581F5FKD2294F000001', '1581F5FKD2294F000002'];
const flownByHonest = circling([700, 900, 120], 250, 12);
const flownByLiar = circling([-900, 600, 150], 250, 10);
const told = displaced(flownByLiar, [0, -800, 0]);

async function declare(name: string, modality: string, placement?: object): Promise<Sensor> {
  const { status, body } = await daemon.post('/api/sensors', { name, modality, ...(placement && { placement }) });
  if (status >= 300) throw new Error(`${status} ${body.error}`);
  return body.data as Sensor;
}

function plot(atS: number, flight: Flight): object {
  const [azimuth_deg, elevation_deg, range_m] = site.polarFrom(radarAt, flight(atS).place);
  const sigma = { range_m: 5, azimuth_deg: 0.3, elevation_deg: 0.3 };
  return { sensor_id: 'hill radar', report: 'range_bearing', range_m, azimuth_deg, elevation_deg, sigma };
}

function placeOf(atS: number, flight: Flight): { lat: number; lon: number; alt_hae_m: number } {
  const [lat, lon, alt_hae_m] = site.toGeodetic(flight(atS).place);
  return { lat, lon, alt_hae_m };
}

function claim(atS: number, flight: Flight, sensor_id: string, value: string): object {
  const identity = [{ type: 'serial', value, transport: 'bt5' }];
  return { sensor_id, report: 'position', position: placeOf(atS, flight), identity, sigma: { h_m: 5, v_m: 5 } };
}

/** Once a second what radar and receivers tell, until it has come to something or for so long; the seconds it took. */
async function flyUntil(t: Test, fits: () => Promise<boolean>, mostS: number): Promise<number> {
  const began = performance.now();
  for (let i = 1; ; i++) {
    const s = (performance.now() - began) / 1000;
    const claims = [claim(s, flownByHonest, 'mast', honest), claim(s, told, 'roof', liar)];
    const { body } = await daemon.post('/api/ingest/obs', {
      obs: [plot(s, flownByHonest), plot(s, flownByLiar), ...claims],
    });
    t.match(body, { data: { accepted: 4, rejected: [] } });
    await new Promise((resolve) => setTimeout(resolve, began + i * 1000 - performance.now()));
    if ((await fits()) || i >= mostS) return (performance.now() - began) / 1000;
  }
}

const radar = await declare('hill radar', 'radar', { lat: 46.2, lon: 6.1, alt_hae_m: 500, max_range_m: 4_000 });
await declare('mast', 'remote_id');
await declare('roof', 'remote_id');
let tookS = 0;

t.test('radar and receivers tell until one that is heard is suspect', async (t) => {
  tookS = await flyUntil(t, async () => (await tracksOf(daemon, liar))[0]?.integrity.verdict === 'suspect', 20);
  t.comment(`suspect after ${tookS.toFixed(1)} s`);
  t.ok(tookS < 11, `after ${tookS.toFixed(1)} s`);
});

t.test('an honest aircraft that radar sees is one track, seen and heard, and borne out', async (t) => {
  const tracks = await tracksOf(daemon, honest);
  t.equal(tracks.length, 1);
  t.match(tracks[0], { state: 'confirmed', cooperative: 'both', integrity: { verdict: 'consistent', reasons: [] } });
  t.equal(tracks[0]?.contributors.length, 2);
  const place = placeOf(tookS, flownByHonest);
  t.ok(tracks[0]?.position && metresBetween(tracks[0].position, place) < 40, 'it is where it flies');
});

t.test('one that says to be where radar sees nothing is suspect, with the reason in words', async (t) => {
  const tracks = await tracksOf(daemon, liar);
  t.equal(tracks.length, 1);
  t.match(tracks[0], { cooperative: 'coop_only', integrity: { verdict: 'suspect' } }, `after ${tookS.toFixed(1)} s`);
  const reason = tracks[0]?.integrity.reasons.find(({ id }) => id === 'not_seen_by_sensor');
  t.match(reason?.text, /sees nothing there/);
});

t.test('the aircraft behind it is a track without a name', async (t) => {
  const tracks = await daemon.get<Track[]>('/api/tracks');
  t.equal(tracks.length, 3, 'three tracks in all');
  const nameless = tracks.filter(({ identities }) => identities.length === 0);
  t.equal(nameless.length, 1);
  t.match(nameless[0], { state: 'confirmed', cooperative: 'non_coop_only', integrity: { verdict: 'unchecked' } });
  t.ok(nameless[0]?.position && metresBetween(nameless[0].position, placeOf(tookS, flownByLiar)) < 40);
});

t.test("radar's plots are kept with the tracks that they went to", async (t) => {
  const tracks = await daemon.get<Track[]>('/api/tracks');
  const seen = tracks.filter(({ cooperative }) => cooperative !== 'coop_only').map(({ id }) => id);
  const plots = (await detections(daemon, `sensor_id=${radar.id}`)).filter(({ track_id }) => track_id !== null);
  t.ok(plots.length >= 2 * Math.floor(tookS) - 4, `${plots.length} plots in ${tookS.toFixed(1)} s`);
  t.ok(plots.every(({ report }) => report === 'range_bearing'));
  t.same([...new Set(plots.slice(0, 6).map(({ track_id }) => track_id))].sort(), seen.sort());
});

t.test("a radar's document tells how far it is beside", async (t) => {
  const { bias, state } = await sensorOf(daemon, 'hill radar');
  t.equal(state, 'operational');
  t.ok(Math.abs(bias.range_m) < 10 && Math.abs(bias.azimuth_deg) < 0.5, JSON.stringify(bias));
});
