import { z } from 'zod';
import { Fault } from '../../model/fault.ts';
import { linkBodySchema, linkPatchSchema, linkSchema, signingKeySchema } from '../../model/link.ts';
import { sampleLink, sampleSigningKey } from '../openapi/samples.ts';
import { idParams, route } from '../route.ts';
import { deleted } from './crud.ts';
import { firstRows, listQuery } from './paging.ts';

const answer = { text: 'the link', data: linkSchema, example: sampleLink };
const body = { name: 'gate', transport: 'udp', address: '0.0.0.0:14550', protocol: 'mavlink' } as const;

/** A key is a secret: people set it. */
const secret = { tag: 'links', role: 'owner', session: true, write: true, params: idParams } as const;

const able = (what: 'enable' | 'disable') =>
  route({
    method: 'POST',
    path: `/links/{id}/${what}`,
    summary: what === 'enable' ? 'Open a link that was disabled' : 'Close a link and leave it closed',
    description: 'A link of the configuration is as its file says again at the next start.',
    tag: 'links',
    params: idParams,
    answer,
    errors: ['conflict', 'unavailable'],
    role: 'owner',
    write: true,
    handler: ({ params, by }, { service }) => service.links.setEnabled(params.id, what === 'enable', by.actor),
  });

export const linkRoutes = [
  route({
    method: 'GET',
    path: '/links',
    summary: 'All links and how they are',
    tag: 'links',
    query: listQuery,
    answer: { text: 'the links', data: z.array(linkSchema), example: [sampleLink] },
    role: 'viewer',
    write: false,
    handler: ({ query }, { service }) => firstRows(service.links.list(), query),
  }),
  route({
    method: 'POST',
    path: '/links',
    summary: 'Make a link',
    description:
      'It is opened before it is answered: a port or device that another link or another program has is a conflict. What is merely not there yet is waited for. The answer tells how the first attempt went; `opening` where it takes over a second.',
    tag: 'links',
    body: { schema: linkBodySchema, example: body },
    answer,
    errors: ['not_found', 'conflict', 'unavailable'],
    role: 'owner',
    write: true,
    handler: ({ body, by }, { service }) => service.links.create(body, by.actor),
  }),
  able('enable'),
  able('disable'),
  route({
    ...secret,
    method: 'POST',
    path: '/links/{id}/signing-key',
    summary: 'Set the key that a link signs and checks with',
    description:
      'From now on, without the link being closed: what is sent is signed, and what is signed with the key, and no replay, ' +
      'is known to be from who has it. Where the link demands signatures (`signing: required`) nothing else is taken. The ' +
      'key is in no answer. Links of the configuration can have one too.',
    body: { schema: signingKeySchema, example: sampleSigningKey },
    answer,
    errors: ['not_configured', 'unavailable'],
    handler: ({ params, body, by }, { service }) => service.links.setSigningKey(params.id, body, by),
  }),
  route({
    ...secret,
    method: 'DELETE',
    path: '/links/{id}/signing-key',
    summary: 'Take the key of a link away',
    description: 'Nothing is signed any more. A link that demands signatures takes nothing and sends nothing then.',
    answer: deleted,
    errors: ['unavailable'],
    handler: async ({ params, by }, { service }) => {
      await service.links.removeSigningKey(params.id, by);
      return { deleted: true };
    },
  }),
  route({
    method: 'GET',
    path: '/links/{id}',
    summary: 'One link',
    tag: 'links',
    params: idParams,
    answer,
    role: 'viewer',
    write: false,
    handler: ({ params }, { service }) => {
      const link = service.links.get(params.id);
      if (link === undefined) throw new Fault('not_found', `there is no link with the id ${params.id}`);
      return link;
    },
  }),
  route({
    method: 'POST',
    path: '/links/{id}',
    summary: 'Change a link',
    description: 'The link is closed and opened again, no other is touched. Where it cannot be, it goes on as it was.',
    tag: 'links',
    params: idParams,
    body: { schema: linkPatchSchema, example: { address: '0.0.0.0:14551' } },
    answer,
    errors: ['conflict', 'unavailable'],
    role: 'owner',
    write: true,
    handler: ({ params, body, by }, { service }) => service.links.update(params.id, body, by.actor),
  }),
  route({
    method: 'DELETE',
    path: '/links/{id}',
    summary: 'Close a link and take it away, with the sensors that it declared',
    tag: 'links',
    params: idParams,
    answer: deleted,
    errors: ['conflict', 'unavailable'],
    role: 'owner',
    write: true,
    handler: async ({ params, by }, { service }) => {
      await service.links.remove(params.id, by.actor);
      return { deleted: true };
    },
  }),
];
