import type { Test } from 'tap';
import { sampleScenarioSpec } from '../../src/http/openapi/scenario_samples.ts';
import { sampleRegionSpec, sampleZoneSpec } from '../../src/http/openapi/settings_samples.ts';
import type { Asset } from '../../src/model/asset.ts';
import type { Link } from '../../src/model/link.ts';
import type { Track } from '../../src/model/track.ts';
import { until } from '../support/basics/patience.ts';
import type { Member } from '../support/daemon/signed_in.ts';
import { rowOf } from '../support/daemon/swarm.ts';
import { ask } from '../support/http/server.ts';
import { paced, udpSender } from '../support/links/senders.ts';
import { Aircraft, MavlinkReceiver } from '../support/sky/aircraft.ts';

const serial = '1581F5FKD2294A000001';
const site = { lat: 47.05, lon: 8.3 };

/** What one workspace was filled with; everything in it that a person worded has `marker` in it. */
export type Full = { id: string; marker: string; owner: Member; key: string };

/**
 * Puts one of everything into a workspace, under names, serials and places that are the same in every workspace that is
 * filled so: only ids and the marker tell them apart.
 */
export async function fillWorkspace(t: Test, of: Omit<Full, 'key'> & { url: string }): Promise<Full> {
  const { id, marker, owner } = of;
  const post = <T>(path: string, body: unknown): Promise<T> => owner.get('POST', `/v1${path}`, body, id);
  const put = (path: string, body: unknown): Promise<unknown> => owner.get('PUT', `/v1${path}`, body, id);

  await post('/sensors', { name: 'mast', modality: 'radar', placement: { lat: 47.4, lon: 8.5, alt_hae_m: 450 } });
  const heron = await post<Asset>('/assets', { name: 'Heron', spec: { remote_id_serial: serial, notes: marker } });
  await post(`/assets/${heron.id}/payloads`, { payloads: [{ kind: 'camera_eo', model: marker }] });
  await post('/assignments', { asset_id: heron.id, affiliation: 'friend', reason: marker });
  await post('/assignments/confirm', { serial: 'KNOWN', affiliation: 'hostile', reason: marker });
  await post('/catalog/entries', { name: 'Kite', kind: 'platform', spec: { maker: marker } });
  await post('/zones', { ...sampleZoneSpec, name: 'fence' });
  await post('/regions', { ...sampleRegionSpec, name: 'site' });
  await post('/scenarios', { ...sampleScenarioSpec, name: 'drill', description: marker });
  const recording = await post<{ id: string }>('/recordings', { name: `of ${marker}` });
  await post(`/recordings/${recording.id}/stop`, undefined);
  await post('/holds', { since: '2025-06-01T10:00:00Z', reason: marker });
  await post('/users', { username: `otto.${marker}`, role: 'viewer', password: `a password ${marker}` });
  const key = await post<{ secret: string }>('/keys', { name: 'feed', role: 'owner' });
  const config = await owner.get<object>('GET', '/v1/decision-config', undefined, id);
  await put('/decision-config', { ...config, posture: 'high' });
  await put('/retention', { days: 30, bytes: 1_000_000_000 });
  await importDoctrine(of);
  const link = await post<Link>('/links', {
    name: 'gate',
    transport: 'udp',
    address: '127.0.0.1:0',
    protocol: 'mavlink',
  });
  await fly(t, of, link.id);
  const gone = await trackOf(of, 'one that is dropped', (track) => !carries(track, serial));
  await post(`/tracks/${gone.id}/drop`, { reason: marker });
  return { id, marker, owner, key: key.secret };
}

async function importDoctrine({ owner, id, marker, url }: Omit<Full, 'key'> & { url: string }): Promise<void> {
  const exported = await owner.ask('GET', '/v1/doctrine/export', undefined, id);
  const body = exported.text.replace(/description: .*/, `description: ${marker}`);
  const headers = { ...owner.headers(id), 'content-type': 'application/yaml' };
  const answer = await ask(`${url}/v1/doctrine/import?force=1`, { method: 'POST', headers, body });
  if (answer.status !== 200) throw new Error(`the doctrine: ${answer.text}`);
}

/** An aircraft that tells its Remote ID over the link, and another that the mast sees. */
async function fly(t: Test, of: Omit<Full, 'key'>, linkId: string): Promise<void> {
  const { owner, id, marker } = of;
  const port = await until(async () => {
    const { bound_to } = await owner.get<Link>('GET', `/v1/links/${linkId}`, undefined, id);
    return bound_to === null ? null : Number(bound_to.slice(bound_to.lastIndexOf(':') + 1));
  }, 'the link is open');
  const pilot = { ...site, kind: 'takeoff', altGeoM: null, operatorId: marker } as const;
  const aircraft = new Aircraft({ mac: '60:60:1F:00:00:01', serial, from: site, pilot });
  const receiver = new MavlinkReceiver();
  const send = udpSender(t, port);
  await paced(12, 250, async (turn) => {
    await send(receiver.pack(aircraft, aircraft.messages(aircraft.location(turn / 4))));
    await owner.get('POST', '/v1/ingest/obs', { obs: [rowOf(3, 'mast', turn / 4)] }, id);
  });
  await trackOf(of, 'the aircraft with a serial', (track) => carries(track, serial) && track.state === 'confirmed');
}

function carries(track: Track, value: string): boolean {
  return track.identities.some((identity) => identity.value === value);
}

function trackOf({ owner, id }: Omit<Full, 'key'>, what: string, fits: (track: Track) => boolean): Promise<Track> {
  return until(
    async () => (await owner.get<Track[]>('GET', '/v1/tracks', undefined, id)).find(fits),
    `there is ${what}`,
  );
}
