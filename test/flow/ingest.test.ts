import t from 'tap';
import type { Sensor } from '../../src/model/sensor.ts';
import type { Track } from '../../src/model/track.ts';
import { metresBetween, placeAt } from '../support/basics/place.ts';
import { startDaemon } from '../support/daemon/daemon.ts';
import { detections, detectionsOf, picture, sensorOf, trackOf } from '../support/daemon/watch.ts';

type Outcome = { accepted: number; duplicates: number; rejected: { index: number; error: string }[] };

const daemon = await startDaemon(t);
const site = { lat: 46.2, lon: 6.1 };
const years = 6 * 365 * 86_400_000;

async function ingest(rows: unknown[]): Promise<Outcome> {
  const { status, body } = await daemon.post('/api/ingest/obs', { obs: rows });
  if (status !== 200) throw new Error(`${status} ${body.error}`);
  return body.data as Outcome;
}

async function declare(name: string, more: object = {}): Promise<Sensor> {
  const { body } = await daemon.post('/api/sensors', { name, modality: 'radar', ...more });
  return body.data as Sensor;
}

const radar = await declare('hill radar', { placement: { ...site, alt_hae_m: 500 } });
const nowhere = await declare('carried radar');

t.test('good rows count although others fail, and each failure says why', async (t) => {
  const serial = { type: 'serial', value: '1581F5FKD2294F000001', transport: 'network' };
  const row = {
    sensor_id: 'hill radar',
    report: 'position',
    position: { ...site, alt_msl_m: 700 },
    identity: [serial],
  };
  const { accepted, duplicates, rejected } = await ingest([
    { ...row, obs_id: 'a-1' },
    { ...row, obs_id: 'a-1' },
    { ...row, sensor_id: radar.id, obs_id: 'a-1' },
    { ...row, sensor_id: 'nobody' },
    { sensor_id: nowhere.id, report: 'range_bearing', range_m: 900, azimuth_deg: 10 },
    { sensor_id: 'hill radar', report: 'range_bearing', azimuth_deg: 10 },
    { ...row, position: { lat: 91, lon: 0 } },
    { ...row, colour: 'red' },
    { ...row, obs_id: 'a-2' },
  ]);
  t.equal(accepted, 2);
  t.equal(duplicates, 2, 'by name or by id it is the same sensor');
  t.same(
    rejected.map(({ index }) => index),
    [3, 4, 5, 6, 7],
  );
  const sentences = rejected.map(({ error }) => error);
  t.match(sentences[0], /'sensor_id' names no sensor: none has the id or name 'nobody'/);
  t.match(sentences[1], /sensor with a placement, and .+ has none/);
  t.match(sentences[2], /'range_m' is missing, and a report of kind range_bearing needs it/);
  t.match(sentences[3], /position\.lat/);
  t.match(sentences[4], /colour/);
  const track = await trackOf(daemon, serial.value, ({ state }) => state === 'confirmed');
  t.ok(Math.abs((track.position?.alt_msl_m ?? 0) - 700) < 1);
  t.ok(Math.abs((track.position?.alt_hae_m ?? 0) - 750) < 5, 'the geoid is 50 m above the ellipsoid there');
});

t.test('one observation a line is the same', async (t) => {
  const line = (id: string, n: number): string =>
    JSON.stringify({ obs_id: id, sensor_id: 'hill radar', report: 'position', position: placeAt(site, 90, 5_000 + n) });
  const text = `${line('b-1', 0)}\n\n${line('b-1', 0)}\nnot json\n${line('b-2', 5)}`;
  const { status, body } = await daemon.request('/api/ingest/obs', {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: text,
  });
  t.equal(status, 200);
  const { accepted, duplicates, rejected } = body.data as Outcome;
  t.same({ accepted, duplicates }, { accepted: 2, duplicates: 1 });
  t.equal(rejected.length, 1);
  t.match(rejected[0], { index: 2, error: /line/ });
});

t.test('radar plots are an anonymous track where range and bearing lead', async (t) => {
  const mast = await declare('mast radar', { placement: { ...site, alt_hae_m: 500 } });
  for (let i = 0; i < 5; i++) {
    const plot = { sensor_id: mast.id, report: 'range_bearing', azimuth_deg: 310, elevation_deg: 4 };
    const sigma = { range_m: 5, azimuth_deg: 0.2, elevation_deg: 0.2 };
    t.match(await ingest([{ ...plot, range_m: 3_000 + i, sigma }]), { accepted: 1 });
  }
  const heard = await detectionsOf(daemon, `sensor_id=${mast.id}`, 5);
  t.equal(new Set(heard.map(({ track_id }) => track_id)).size, 1, 'all went to one track');
  t.ok(heard.every(({ report, position, range_m }) => report === 'range_bearing' && position === null && range_m));
  const track = await daemon.get<Track>(`/api/tracks/${heard[0]?.track_id}`);
  t.equal(track.state, 'confirmed');
  // Range is along the beam: 4 degrees up it covers cos 4 of its length on the ground and rises sin 4 of it, and the
  // earth falls away beneath by d²/2R.
  const groundM = 3_002 * Math.cos((4 * Math.PI) / 180);
  const heightM = 500 + 3_002 * Math.sin((4 * Math.PI) / 180) + groundM ** 2 / (2 * 6_371_000);
  t.ok(track.position && metresBetween(track.position, placeAt(site, 310, groundM)) < 10);
  t.ok(Math.abs((track.position?.alt_hae_m ?? 0) - heightM) < 10, `${track.position?.alt_hae_m} is about ${heightM}`);
  t.same(track.identities, []);
  t.equal(track.cooperative, 'non_coop_only');
  t.match(track.contributors, [{ sensor_id: mast.id }]);
  t.match(await sensorOf(daemon, 'mast radar'), { state: 'operational', declared_by: 'manual' });
});

t.test('a clock that is years behind is no fault; what is late by that clock is', async (t) => {
  const sensor = await declare('old clock', { placement: { ...site, alt_hae_m: 500 } });
  const at = (agoMs: number): string => new Date(Date.now() - years - agoMs).toISOString();
  const row = {
    sensor_id: sensor.id,
    report: 'position',
    identity: [{ type: 'caa', value: 'N-OLD', transport: 'other' }],
  };
  const place = placeAt(site, 200, 8_000);
  for (let i = 0; i < 6; i++) t.match(await ingest([{ ...row, position: place, source_at: at(0) }]), { accepted: 1 });
  const track = await trackOf(daemon, 'N-OLD', ({ state }) => state === 'confirmed');
  t.ok(Date.now() - Date.parse(track.last_seen_at) < 10_000);
  const { clock_offset_ms } = await sensorOf(daemon, 'old clock');
  t.ok(Math.abs((clock_offset_ms ?? 0) - years) < 2_000, 'the offset is shown');

  const late = await ingest([{ ...row, position: place, source_at: at(60_000) }]);
  t.match(late, {
    accepted: 0,
    rejected: [{ index: 0, error: /'source_at' is 60\.\d s old after correction by the sensor's learnt clock offset/ }],
  });
  const early = await ingest([{ ...row, position: place, source_at: at(-30_000) }]);
  t.match(early.rejected[0]?.error, /'source_at' is (29\.\d|30(\.0)?) s ahead/);
  const heard = await detectionsOf(daemon, `sensor_id=${sensor.id}`, 8);
  t.same(
    heard.map(({ rejected_by }) => rejected_by).sort(),
    ['ahead_of_time', 'too_old', null, null, null, null, null, null].sort(),
  );
  t.ok(heard.filter(({ rejected_by }) => rejected_by).every(({ track_id }) => track_id === null));
  t.match(await sensorOf(daemon, 'old clock', ({ rejects }) => rejects.too_old === 1), {
    rejects: { ahead_of_time: 1 },
  });
});

t.test('what names nobody and shows no place is kept and makes no track', async (t) => {
  const before = (await picture(daemon)).tracks.length;
  const sensor = await declare('bell', { modality: 'acoustic' });
  t.match(await ingest([{ sensor_id: 'bell', report: 'presence', confidence: 0.4 }]), { accepted: 1 });
  const [heard] = await detectionsOf(daemon, `sensor_id=${sensor.id}`, 1);
  t.match(heard, { track_id: null, rejected_by: 'no_track', confidence: 0.4 });
  t.equal((await picture(daemon)).tracks.length, before);
});

t.test('a body that cannot be read is refused whole', async (t) => {
  const before = (await detections(daemon, '')).length;
  for (const body of [[], { rows: [] }, { obs: {} }]) t.equal((await daemon.post('/api/ingest/obs', body)).status, 400);
  const text = await daemon.request('/api/ingest/obs', {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: '{}',
  });
  t.equal(text.status, 415);
  t.equal((await detections(daemon, '')).length, before);
});
