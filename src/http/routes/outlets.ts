import { credentialsBodySchema } from '../../model/credentials.ts';
import { outletPatchSchema, outletSchema, outletSpecSchema, outletTestSchema } from '../../model/outlet.ts';
import { sampleCredentials, sampleOutlet, sampleOutletSpec } from '../openapi/outlet_samples.ts';
import { audience, route } from '../route.ts';
import { deleted, listOf } from './answers.ts';
import { firstRows, listQuery } from './paging.ts';

const { owners } = audience('outlets');
/**
 * Common fields of routes that only signed-in owners may use. An outlet decides which data leaves the box, and to whom.
 */
const people = { ...owners, session: true } as const;
const answer = { text: 'the outlet', data: outletSchema, example: sampleOutlet };

const able = (what: 'enable' | 'disable') =>
  route(`POST /outlets/{id}/${what}`, {
    ...people,
    summary: what === 'enable' ? 'Enable outlet' : 'Disable outlet',
    description: 'An outlet of the configuration returns to the state in its file at the next start.',
    answer,
    errors: ['conflict', 'unavailable'],
    handler: ({ params, by }, { workspace: { outlets } }) => outlets.setEnabled(params.id, what === 'enable', by.actor),
  });

export const outletRoutes = [
  route('GET /outlets', {
    ...owners,
    summary: 'List outlets and their state',
    query: listQuery,
    answer: listOf('the outlets', outletSchema, sampleOutlet),
    handler: ({ query }, { workspace: { outlets } }) => firstRows(outlets.list(), query),
  }),
  route('POST /outlets', {
    ...people,
    summary: 'Create outlet',
    description:
      'The outlet sends the live picture to another system, and never a simulated or replayed one. The outlet is ' +
      'opened before the answer. The answer has the outcome of the first attempt, or `opening` if it takes more ' +
      'than a second.',
    body: { schema: outletSpecSchema, example: sampleOutletSpec },
    answer,
    errors: ['conflict', 'unavailable'],
    handler: ({ body, by }, { workspace: { outlets } }) => outlets.create(body, by.actor),
  }),
  route('POST /outlets/{id}/test', {
    ...people,
    summary: 'Send test item',
    description:
      'Sends a test item at the position of the box, by which people find the outlet at the receiver. If it could not ' +
      'be sent, the answer is a conflict with the reason.',
    answer: { text: 'the number of receivers', data: outletTestSchema, example: { sent: 1 } },
    errors: ['conflict'],
    handler: async ({ params }, { workspace: { outlets } }) => ({ sent: await outlets.test(params.id) }),
  }),
  able('enable'),
  able('disable'),
  route('PUT /outlets/{id}/credentials', {
    ...people,
    summary: 'Set credentials of an outlet',
    description:
      'Replaces all earlier credentials and reconnects the outlet with the new ones. They are stored sealed, and no ' +
      'answer contains them. Certificates need the transport `tls_client`. A user name and a password of MQTT are ' +
      'possible over `tcp_client` too.',
    body: { schema: credentialsBodySchema, example: sampleCredentials },
    answer,
    errors: ['conflict', 'not_configured', 'unavailable'],
    handler: ({ params, body, by }, { workspace: { credentials } }) => credentials.setOfOutlet(params.id, body, by),
  }),
  route('DELETE /outlets/{id}/credentials', {
    ...people,
    summary: 'Delete credentials of an outlet',
    description: 'Reconnects the outlet without credentials.',
    answer: deleted,
    errors: ['conflict', 'unavailable'],
    handler: ({ params, by }, { workspace: { credentials } }) => credentials.removeOfOutlet(params.id, by),
  }),
  route('GET /outlets/{id}', {
    ...owners,
    summary: 'Get outlet',
    answer,
    handler: ({ params }, { workspace: { outlets } }) => outlets.get(params.id),
  }),
  route('POST /outlets/{id}', {
    ...people,
    summary: 'Update outlet',
    description:
      'A changed filter, redaction, pace or option applies at once: tracks that no longer pass are ended at the ' +
      'peer. A changed address closes the outlet and opens it again.',
    body: { schema: outletPatchSchema, example: { filter: { least_level: 'medium' } } },
    answer,
    errors: ['conflict', 'unavailable'],
    handler: ({ params, body, by }, { workspace: { outlets } }) => outlets.update(params.id, body, by.actor),
  }),
  route('DELETE /outlets/{id}', {
    ...people,
    summary: 'Delete outlet',
    answer: deleted,
    errors: ['conflict', 'unavailable'],
    handler: ({ params, by }, { workspace: { outlets } }) => outlets.remove(params.id, by.actor),
  }),
];
