import { credentialsBodySchema } from '../../model/credentials.ts';
import { linkBodySchema, linkPatchSchema, linkSchema, signingKeySchema } from '../../model/link.ts';
import { sampleCredentials } from '../openapi/outlet_samples.ts';
import { sampleLink, sampleSigningKey } from '../openapi/samples.ts';
import { audience, route } from '../route.ts';
import { deleted, found, listOf } from './answers.ts';
import { firstRows, listQuery } from './paging.ts';

const { viewers, owners } = audience('links');
/** Common fields of routes that set or delete secrets: only signed-in owners may use them. */
const people = { ...owners, session: true } as const;
const answer = { text: 'the link', data: linkSchema, example: sampleLink };
const body = { name: 'gate', transport: 'udp', address: '0.0.0.0:14550', protocol: 'mavlink' } as const;

const able = (what: 'enable' | 'disable') =>
  route(`POST /links/{id}/${what}`, {
    ...owners,
    summary: what === 'enable' ? 'Open a link that was disabled' : 'Close a link and leave it closed',
    description: 'A link of the configuration returns to the state in its file at the next start.',
    answer,
    handler: ({ params, by }, { workspace: { links } }) => links.setEnabled(params.id, what === 'enable', by.actor),
  });

export const linkRoutes = [
  route('GET /links', {
    ...viewers,
    summary: 'List links and their state',
    query: listQuery,
    answer: listOf('the links', linkSchema, sampleLink),
    handler: ({ query }, { workspace: { links } }) => firstRows(links.list(), query),
  }),
  route('POST /links', {
    ...owners,
    summary: 'Create link',
    description:
      'The link is opened before the answer: a port or device that another link or program uses is a conflict. The ' +
      'service waits for a missing device. The answer has the outcome of the first attempt, or `opening` if it ' +
      'takes more than a second.',
    body: { schema: linkBodySchema, example: body },
    answer,
    errors: ['not_found', 'conflict', 'unavailable'],
    handler: ({ body, by }, { workspace: { links } }) => links.create(body, by.actor),
  }),
  able('enable'),
  able('disable'),
  route('POST /links/{id}/signing-key', {
    ...people,
    summary: 'Set signing key of a link',
    description:
      'Takes effect at once, without closing the link. Sent messages are signed. A received message with a valid ' +
      'signature of the key, which is not a replay, proves its sender. With `signing: required`, unsigned messages ' +
      'are refused. No answer contains the key. Links of the configuration can have a key too.',
    body: { schema: signingKeySchema, example: sampleSigningKey },
    answer,
    errors: ['not_configured', 'unavailable'],
    handler: ({ params, body, by }, { workspace: { links } }) => links.setSigningKey(params.id, body, by),
  }),
  route('DELETE /links/{id}/signing-key', {
    ...people,
    summary: 'Delete signing key of a link',
    description: 'Messages are no longer signed. A link with `signing: required` then receives and sends nothing.',
    answer: deleted,
    errors: ['unavailable'],
    handler: ({ params, by }, { workspace: { links } }) => links.removeSigningKey(params.id, by),
  }),
  route('PUT /links/{id}/credentials', {
    ...people,
    summary: 'Set credentials of a link',
    description:
      'Replaces all earlier credentials and reconnects the link with the new ones. They are stored sealed, and no ' +
      'answer contains them. Certificates need the transport `tls_client`. A user name and a password of MQTT are ' +
      'possible over `tcp_client` too.',
    body: { schema: credentialsBodySchema, example: sampleCredentials },
    answer,
    errors: ['conflict', 'not_configured', 'unavailable'],
    handler: ({ params, body, by }, { workspace: { credentials } }) => credentials.setOfLink(params.id, body, by),
  }),
  route('DELETE /links/{id}/credentials', {
    ...people,
    summary: 'Delete credentials of a link',
    description: 'Reconnects the link without credentials.',
    answer: deleted,
    errors: ['conflict', 'unavailable'],
    handler: ({ params, by }, { workspace: { credentials } }) => credentials.removeOfLink(params.id, by),
  }),
  route('GET /links/{id}', {
    ...viewers,
    summary: 'Get link',
    answer,
    handler: ({ params }, { workspace: { links } }) => found(links.get(params.id), 'link', params.id),
  }),
  route('POST /links/{id}', {
    ...owners,
    summary: 'Update link',
    description:
      'The link is closed and opened again; other links are not affected. If it cannot be opened, the change is refused and the link continues as before.',
    body: { schema: linkPatchSchema, example: { address: '0.0.0.0:14551' } },
    answer,
    handler: ({ params, body, by }, { workspace: { links } }) => links.update(params.id, body, by.actor),
  }),
  route('DELETE /links/{id}', {
    ...owners,
    summary: 'Delete link and the sensors that it declared',
    answer: deleted,
    handler: ({ params, by }, { workspace: { links } }) => links.remove(params.id, by.actor),
  }),
];
