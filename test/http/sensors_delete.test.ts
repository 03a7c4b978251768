import t from 'tap';
import { sampleLink, sampleTrack } from '../../src/http/openapi/samples.ts';
import { sampleRegionSpec, sampleZoneSpec } from '../../src/http/openapi/settings_samples.ts';
import { ask, askJson, type Rig, startRig } from '../support/http/server.ts';

async function made(rig: Rig, path: string, body: unknown): Promise<string> {
  return ((await askJson(`${rig.url}/api/${path}`, 'POST', body)).body.data as { id: string }).id;
}

t.test('what is not a sensor is not deleted as one, and is called by its name', async (t) => {
  const rig = await startRig(t);
  const others: [string, RegExp][] = [
    [await made(rig, 'zones', sampleZoneSpec), /the zone apron/],
    [await made(rig, 'regions', sampleRegionSpec), /the region airport/],
    [sampleLink.id, /the link rid/],
    [sampleTrack.id, /the track T-0042/],
  ];
  for (const [id, name] of others) {
    const { body } = await ask(`${rig.url}/api/sensors/${id}`, { method: 'DELETE' });
    t.match(body, { ok: false, code: 'conflict', error: name });
  }
  const nothing = await ask(`${rig.url}/api/sensors/11111111-2222-4333-8444-555555555555`, { method: 'DELETE' });
  t.equal(nothing.status, 404);
  t.equal(((await ask(`${rig.url}/api/zones`)).body.data as unknown[]).length, 1, 'and nothing is gone');
});
