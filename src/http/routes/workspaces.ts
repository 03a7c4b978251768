import { z } from 'zod';
import { membershipSchema, workspaceSpecSchema } from '../../model/access.ts';
import { Fault, sentenceOf } from '../../model/fault.ts';
import { sampleMembership } from '../openapi/access_samples.ts';
import { route } from '../route.ts';

export const workspaceRoutes = [
  route({
    method: 'GET',
    path: '/workspaces',
    summary: 'The workspaces of the caller',
    tag: 'access',
    answer: { text: 'the workspaces', data: z.array(membershipSchema), example: [sampleMembership] },
    role: 'owner',
    write: false,
    handler: ({ by }, { access }) => access.me(by).workspaces,
  }),
  route({
    method: 'POST',
    path: '/workspaces',
    summary: 'Make a workspace',
    description: 'Who makes it is its owner. It works at once, and begins empty.',
    tag: 'access',
    body: { schema: workspaceSpecSchema, example: { name: 'north gate' } },
    answer: { text: 'the workspace', data: membershipSchema, example: sampleMembership },
    errors: ['conflict', 'unavailable'],
    session: true,
    role: 'owner',
    write: true,
    handler: async ({ by, body }, { access, workspaces }) => {
      const row = access.workspaces.create(body.name, by);
      try {
        await workspaces.open(row);
      } catch (thrown) {
        access.workspaces.takeBack(row, sentenceOf(thrown), by);
        throw new Fault('unavailable', `the workspace ${row.name} could not begin to work: ${sentenceOf(thrown)}`);
      }
      return { id: row.id, name: row.name, role: 'owner' };
    },
  }),
];
