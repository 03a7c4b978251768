import { z } from 'zod';
import { keySchema, keySpecSchema, madeKeySchema } from '../../model/access.ts';
import { sampleKey, sampleMadeKey } from '../openapi/access_samples.ts';
import { idParams, route } from '../route.ts';
import { firstRows, listQuery } from './paging.ts';
import { workspaceIdOf } from './users.ts';

const owners = { tag: 'access', session: true, role: 'owner' } as const;

export const keyRoutes = [
  route({
    ...owners,
    method: 'GET',
    path: '/keys',
    summary: 'The API keys of the workspace',
    description: 'The newest first, revoked ones among them; never their secrets.',
    query: listQuery,
    answer: { text: 'the keys', data: z.array(keySchema), example: [sampleKey] },
    write: false,
    handler: ({ by, query }, { access }) => firstRows(access.keys.list(workspaceIdOf(by)), query),
  }),
  route({
    ...owners,
    method: 'POST',
    path: '/keys',
    summary: 'Make an API key',
    description: 'The secret is in this answer and nowhere else. A key holds until it is revoked.',
    body: { schema: keySpecSchema, example: { name: 'radar feed', role: 'operator' } },
    answer: { text: 'the key and its secret', data: madeKeySchema, example: sampleMadeKey },
    errors: ['conflict', 'unavailable'],
    write: true,
    handler: ({ by, body }, { access }) => access.keys.add(workspaceIdOf(by), body, by),
  }),
  route({
    ...owners,
    method: 'DELETE',
    path: '/keys/{id}',
    summary: 'Revoke an API key',
    description: 'It is refused from now on, and its streams end.',
    params: idParams,
    answer: {
      text: 'done',
      data: z.strictObject({ revoked: z.literal(true) }).meta({ id: 'Revoked' }),
      example: { revoked: true },
    },
    errors: ['unavailable'],
    write: true,
    handler: ({ by, params }, { access }) => {
      access.keys.revoke(workspaceIdOf(by), params.id, by);
      return { revoked: true };
    },
  }),
];
