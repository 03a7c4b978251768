import { z } from 'zod';
import type { Principal } from '../../access/principal.ts';
import { userChangeSchema, userSchema, userSpecSchema } from '../../model/access.ts';
import { Fault } from '../../model/fault.ts';
import { sampleUser } from '../openapi/access_samples.ts';
import { idParams, route } from '../route.ts';
import { firstRows, listQuery } from './paging.ts';

/** The workspace that users and keys are of; the guard let nobody through who named none. */
export function workspaceIdOf({ workspaceId }: Principal): string {
  if (workspaceId === null) throw new Fault('invalid_input', 'the request names no workspace');
  return workspaceId;
}

const owners = { tag: 'access', session: true, role: 'owner' } as const;

export const userRoutes = [
  route({
    ...owners,
    method: 'GET',
    path: '/users',
    summary: 'The users of the workspace',
    query: listQuery,
    answer: { text: 'the users', data: z.array(userSchema), example: [sampleUser] },
    write: false,
    handler: ({ by, query }, { access }) => firstRows(access.users.list(workspaceIdOf(by)), query),
  }),
  route({
    ...owners,
    method: 'POST',
    path: '/users',
    summary: 'Let somebody sign in',
    description: 'Without a password, a user of another workspace joins this one.',
    body: {
      schema: userSpecSchema,
      example: { username: 'ben', password: 'a sentence to remember', role: 'operator' },
    },
    answer: { text: 'the user', data: userSchema, example: sampleUser },
    errors: ['conflict', 'unavailable'],
    write: true,
    handler: ({ by, body }, { access }) => access.users.add(workspaceIdOf(by), body, by),
  }),
  route({
    ...owners,
    method: 'GET',
    path: '/users/{id}',
    summary: 'One user',
    params: idParams,
    answer: { text: 'the user', data: userSchema, example: sampleUser },
    write: false,
    handler: ({ by, params }, { access }) => access.users.get(workspaceIdOf(by), params.id),
  }),
  route({
    ...owners,
    method: 'POST',
    path: '/users/{id}',
    summary: "Change a user's role or password",
    description:
      "A password ends the user's sessions, streams and unspent tickets, another role streams and tickets. The last owner stays owner.",
    params: idParams,
    body: { schema: userChangeSchema, example: { role: 'operator' } },
    answer: { text: 'the changed user', data: userSchema, example: sampleUser },
    errors: ['conflict', 'unavailable'],
    write: true,
    handler: ({ by, params, body }, { access }) => access.users.update(workspaceIdOf(by), params.id, body, by),
  }),
  route({
    ...owners,
    method: 'DELETE',
    path: '/users/{id}',
    summary: 'Take a user out of the workspace',
    description: 'Who is a member of no other is gone, with his sessions. The last owner stays.',
    params: idParams,
    answer: {
      text: 'done',
      data: z.strictObject({ deleted: z.literal(true) }).meta({ id: 'Deleted' }),
      example: { deleted: true },
    },
    errors: ['conflict', 'unavailable'],
    write: true,
    handler: ({ by, params }, { access }) => {
      access.users.remove(workspaceIdOf(by), params.id, by);
      return { deleted: true };
    },
  }),
];
