import type { Principal } from '../../access/principal.ts';
import {
  deliverySchema,
  madeWebhookSchema,
  webhookPatchSchema,
  webhookSchema,
  webhookSpecSchema,
} from '../../model/webhook.ts';
import { sampleDelivery, sampleMadeWebhook, sampleWebhook, sampleWebhookSpec } from '../openapi/alert_samples.ts';
import { audience, route } from '../route.ts';
import { deleted, listOf, pageOf } from './answers.ts';
import { answerPage, firstRows, listQuery, positionQuery } from './paging.ts';

const { owners } = audience('webhooks');
/**
 * Common fields of routes that only signed-in owners may use. A webhook has a secret and decides where data is sent.
 */
const people = { ...owners, session: true } as const;

/**
 * Returns true if the caller may see the path of a webhook's URL, which often acts as a credential. Signed-in owners
 * may; API keys and requests without a credential may not.
 */
function seesAddress({ userId }: Principal): boolean {
  return userId !== null;
}

const answer = { text: 'the webhook', data: webhookSchema, example: sampleWebhook };

export const webhookRoutes = [
  route('GET /webhooks', {
    ...owners,
    summary: 'List webhooks',
    query: listQuery,
    answer: listOf('the webhooks, without their secrets', webhookSchema, sampleWebhook),
    handler: ({ query, by }, { workspace: { webhooks } }) => firstRows(webhooks.list(seesAddress(by)), query),
  }),
  route('POST /webhooks', {
    ...people,
    summary: 'Create webhook',
    description:
      'Each delivery is a POST of `{id, at, kind, workspace_id, body}`. Its headers are `dunlin-delivery` (equal in ' +
      'each attempt) and `dunlin-signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`. Without `secret` ' +
      'one is generated; only this answer contains it.',
    body: { schema: webhookSpecSchema, example: sampleWebhookSpec },
    answer: { text: 'the webhook', data: madeWebhookSchema, example: sampleMadeWebhook },
    errors: ['conflict', 'not_configured', 'unavailable'],
    handler: ({ body, by }, { workspace: { webhooks } }) => webhooks.create(body, by.actor),
  }),
  route('GET /webhooks/{id}', {
    ...owners,
    summary: 'Get webhook',
    answer,
    handler: ({ params, by }, { workspace: { webhooks } }) => webhooks.get(params.id, seesAddress(by)),
  }),
  route('POST /webhooks/{id}', {
    ...people,
    summary: 'Update webhook',
    description: 'Waiting deliveries go to the new URL. A disabled webhook keeps its waiting deliveries.',
    body: { schema: webhookPatchSchema, example: { enabled: false } },
    answer,
    errors: ['conflict', 'not_configured', 'unavailable'],
    handler: ({ params, body, by }, { workspace: { webhooks } }) => webhooks.update(params.id, body, by.actor),
  }),
  route('DELETE /webhooks/{id}', {
    ...people,
    summary: 'Delete webhook with its waiting deliveries',
    answer: deleted,
    errors: ['unavailable'],
    handler: ({ params, by }, { workspace: { webhooks } }) => webhooks.remove(params.id, by.actor),
  }),
  route('GET /webhooks/{id}/deliveries', {
    ...owners,
    summary: 'List deliveries and their outcome',
    description: 'Newest first; the newest thousand are kept.',
    query: positionQuery,
    answer: pageOf('the deliveries, newest first', deliverySchema, sampleDelivery),
    handler: ({ params, query, ctx }, { workspace: { webhooks } }) => {
      const { limit, cursor = null } = query;
      return answerPage(ctx, webhooks.deliveries(params.id, { limit, cursor }));
    },
  }),
  route('POST /webhooks/{id}/test', {
    ...people,
    summary: 'Send test delivery',
    description:
      'Sent once and at once, before waiting deliveries, even if the webhook is disabled. The answer has the outcome.',
    answer: { text: 'the delivery', data: deliverySchema, example: { ...sampleDelivery, kind: 'test' } },
    errors: ['conflict', 'not_configured', 'unavailable'],
    handler: ({ params, by }, { workspace: { webhooks } }) => webhooks.test(params.id, by.actor),
  }),
];
