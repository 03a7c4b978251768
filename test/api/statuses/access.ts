import { createSocket } from 'node:dgram';
import type { Asset } from '../../../src/model/asset.ts';
import type { Answer } from '../../support/http/server.ts';
import { conflict, invalid, missing, type StatusBox, type StatusTable } from './box.ts';

export function sessionStatuses(box: StatusBox): StatusTable {
  const { url, to, get, anna, key } = box;
  const ticket = async (): Promise<string> => {
    const { body } = await to('POST', '/api/auth/stream-ticket', undefined, { 'x-api-key': key.secret });
    return (body.data as { ticket: string }).ticket;
  };
  return {
    'POST /api/keys': {
      200: {
        gives: { name: 'radar', prefix: /^dak_/, secret: /^dak_/ },
        reach: () => anna.ask('POST', '/api/keys', { name: 'radar' }),
      },
    },
    'GET /api/me': {
      200: {
        gives: { workspaces: [{ id: /^wsp_/, name: 'default', role: 'owner' }] },
        reach: () => to('GET', '/api/me', undefined, anna.session()),
      },
    },
    'GET /api/sim/state': {
      200: {
        gives: { mode: 'live', simulator: String, run: 'idle' },
        reach: () => to('GET', '/api/sim/state', undefined, { 'x-api-key': key.secret }),
      },
    },
    'POST /api/auth/stream-ticket': {
      200: {
        gives: { ticket: /^stk_/ },
        reach: () => to('POST', '/api/auth/stream-ticket', undefined, { 'x-api-key': key.secret }),
      },
    },
    'GET /api/stream': {
      '200 the ticket names the workspace': {
        reach: async () => streamOf(`${url}/api/stream?ticket=${await ticket()}`),
      },
      '401 a ticket is of one use': {
        code: 'unauthenticated',
        says: /ticket/,
        reach: async () => {
          const used = await ticket();
          await streamOf(`${url}/api/stream?ticket=${used}`);
          return to('GET', `/api/stream?ticket=${used}`);
        },
      },
    },
    'GET /api/picture': { 200: get('/api/picture', { seq: Number, assets: Array, tracks: [] }) },
    'GET /api/openapi.json': { 200: get('/api/openapi.json') },
    'GET /api/manifest.yaml': { 200: get('/api/manifest.yaml') },
  };
}

export function denialStatuses(box: StatusBox, known: Asset): StatusTable {
  const { to, anna, ben, south, key, revoked } = box;
  return {
    'GET /v1/tracks': {
      '401 no credential': { code: 'unauthenticated', reach: () => to('GET', '/v1/tracks') },
      '401 a revoked key': {
        code: 'unauthenticated',
        reach: () => to('GET', '/v1/tracks', undefined, { 'x-api-key': revoked.secret }),
      },
      '401 a key never issued': {
        code: 'unauthenticated',
        reach: () => to('GET', '/v1/tracks', undefined, { 'x-api-key': `dak_${'x'.repeat(43)}` }),
      },
      '400 session token without X-Workspace-Id': {
        ...invalid,
        says: /GET \/api\/me/,
        reach: () => to('GET', '/v1/tracks', undefined, anna.session()),
      },
      '403 key sent with a workspace it does not belong to': {
        code: 'forbidden',
        reach: () => to('GET', '/v1/tracks', undefined, { 'x-api-key': key.secret, 'x-workspace-id': south.id }),
      },
      '403 session token naming a workspace the user is not in': {
        code: 'not_a_member',
        reach: () => ben.ask('GET', '/v1/tracks', undefined, south.id),
      },
    },
    'POST /v1/assets': {
      '403 a read-only role cannot write': {
        code: 'read_only',
        reach: () => ben.ask('POST', '/v1/assets', { name: 'a', spec: {} }),
      },
    },
    'GET /v1/assets/{id}': {
      '404 the named resource is not in this workspace': {
        ...missing,
        reach: () => anna.ask('GET', `/v1/assets/${known.id}`, undefined, south.id),
      },
    },
    'POST /api/links': {
      '409 a port already bound': {
        ...conflict,
        says: /in use/,
        reach: async () => {
          const socket = createSocket('udp4');
          await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
          const address = `127.0.0.1:${socket.address().port}`;
          const answer = await to('POST', '/api/links', {
            name: 'gate',
            transport: 'udp',
            address,
            protocol: 'mavlink',
          });
          socket.close();
          return answer;
        },
      },
    },
    'DELETE /api/sensors/{id}': {
      '409 anything that is not a sensor': {
        ...conflict,
        says: /asset/,
        reach: () => to('DELETE', `/api/sensors/${known.id}`),
      },
    },
  };
}

/** The head of a stream and its first bytes. */
async function streamOf(url: string): Promise<Answer> {
  const leaving = new AbortController();
  const response = await fetch(url, { signal: leaving.signal });
  const reader = response.body?.getReader();
  const text = Buffer.from((await reader?.read())?.value ?? []).toString();
  leaving.abort();
  return { status: response.status, headers: response.headers, text, body: {} };
}
