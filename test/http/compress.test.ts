import { get, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { person } from '../support/http/person.ts';
import { ask, type Rig, startRig } from '../support/http/server.ts';

type Got = { headers: IncomingHttpHeaders; bytes: Buffer };

/** An answer as its bytes are: fetch unpacks them. */
function bytesOf({ url }: Rig, path: string, headers: Record<string, string>): Promise<Got> {
  return new Promise((resolve, reject) => {
    get(`${url}${path}`, { headers }, async (response) => {
      resolve({ headers: response.headers, bytes: await buffer(response) });
    }).on('error', reject);
  });
}

t.test('pictures and lists are packed for clients that take gzip, and say the same', async (t) => {
  const rig = await startRig(t);
  for (const path of ['/api/picture', '/api/tracks', '/api/openapi.json', '/api/assets', '/api/manifest.yaml']) {
    const plain = await bytesOf(rig, path, {});
    const packed = await bytesOf(rig, path, { 'accept-encoding': 'br, gzip' });
    t.equal(plain.headers['content-encoding'], undefined);
    if (packed.headers['content-encoding'] === undefined) t.ok(plain.bytes.length < 1_500, `${path} is small`);
    else {
      t.equal(packed.headers['content-encoding'], 'gzip');
      t.match(packed.headers.vary, /Accept-Encoding/);
      const sizes = `${packed.bytes.length} of ${plain.bytes.length} bytes`;
      t.ok(packed.bytes.length < plain.bytes.length || plain.bytes.length < 1_024, sizes);
      if (path === '/api/openapi.json') t.ok(packed.bytes.length < plain.bytes.length / 4, sizes);
      const [a, b] = [gunzipSync(packed.bytes), plain.bytes].map((bytes) =>
        String(bytes).replace(/"server_at":"[^"]*"/, ''),
      );
      t.equal(a, b, path);
    }
  }
  const refused = await bytesOf(rig, '/api/picture', { 'accept-encoding': 'gzip;q=0' });
  t.equal(refused.headers['content-encoding'], undefined);
});

t.test('secrets, streams, refusals and HEAD are not packed', async (t) => {
  const rig = await startRig(t);
  const anna = await person(rig, 'anna', 'owner');
  for (let n = 0; n < 20; n++)
    rig.access.keys.add(rig.registry.workspaceId, { name: `feed ${n}` }, byAnna(anna.user.id));
  for (const path of ['/v1/keys', '/v1/users', '/v1/me', '/v1/nothing']) {
    const { headers } = await bytesOf(rig, path, { ...anna.headers, 'accept-encoding': 'gzip' });
    t.equal(headers['content-encoding'], undefined, path);
  }
  const head = await ask(`${rig.url}/api/picture`, { method: 'HEAD' });
  t.equal(head.headers.get('content-encoding'), null);
  await new Promise<void>((resolve) => {
    const request = get(`${rig.url}/api/stream`, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
      t.equal(response.headers['content-encoding'], undefined, 'the stream');
      request.destroy();
      resolve();
    });
    request.on('error', () => {});
  });
});

const byAnna = (id: string) => ({
  actor: { type: 'user', id, name: 'anna', address: null } as const,
  userId: id,
  role: 'owner' as const,
});
