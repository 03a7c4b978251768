import { z } from 'zod';
import type { Principal } from '../../access/principal.ts';
import {
  deliverySchema,
  madeWebhookSchema,
  webhookPatchSchema,
  webhookSchema,
  webhookSpecSchema,
} from '../../model/webhook.ts';
import { sampleDelivery, sampleMadeWebhook, sampleWebhook, sampleWebhookSpec } from '../openapi/alert_samples.ts';
import { idParams, route } from '../route.ts';
import { deleted } from './answers.ts';
import { answerPage, firstRows, listQuery, pageQuery } from './paging.ts';

const owners = { tag: 'webhooks', role: 'owner' } as const;
/** A webhook has a secret, and decides where things are told: people do that. */
const people = { ...owners, session: true, write: true } as const;

/** A path is often what lets one post there: owners who signed in see it, keys and the open surface do not. */
function seesAddress({ userId }: Principal): boolean {
  return userId !== null;
}

export const webhookRoutes = [
  route({
    ...owners,
    method: 'GET',
    path: '/webhooks',
    summary: 'All webhooks',
    query: listQuery,
    answer: { text: 'the webhooks, never their secrets', data: z.array(webhookSchema), example: [sampleWebhook] },
    write: false,
    handler: ({ query, by }, { webhooks }) => firstRows(webhooks.list(seesAddress(by)), query),
  }),
  route({
    ...people,
    method: 'POST',
    path: '/webhooks',
    summary: 'Make a webhook',
    description:
      'Each delivery is a POST of `{id, at, kind, workspace_id, body}` with the headers `dunlin-delivery` (the same in ' +
      'each attempt) and `dunlin-signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`. Where no `secret` is ' +
      'given one is made; it is in this answer and nowhere else.',
    body: { schema: webhookSpecSchema, example: sampleWebhookSpec },
    answer: { text: 'the webhook', data: madeWebhookSchema, example: sampleMadeWebhook },
    errors: ['conflict', 'not_configured', 'unavailable'],
    handler: ({ body, by }, { webhooks }) => webhooks.create(body, by.actor),
  }),
  route({
    ...owners,
    method: 'GET',
    path: '/webhooks/{id}',
    summary: 'One webhook',
    params: idParams,
    answer: { text: 'the webhook', data: webhookSchema, example: sampleWebhook },
    write: false,
    handler: ({ params, by }, { webhooks }) => webhooks.get(params.id, seesAddress(by)),
  }),
  route({
    ...people,
    method: 'POST',
    path: '/webhooks/{id}',
    summary: 'Change a webhook',
    description: 'What waits for it goes to where it points then. One that is switched off keeps what waits.',
    params: idParams,
    body: { schema: webhookPatchSchema, example: { enabled: false } },
    answer: { text: 'the webhook', data: webhookSchema, example: sampleWebhook },
    errors: ['conflict', 'not_configured', 'unavailable'],
    handler: ({ params, body, by }, { webhooks }) => webhooks.update(params.id, body, by.actor),
  }),
  route({
    ...people,
    method: 'DELETE',
    path: '/webhooks/{id}',
    summary: 'Take away a webhook, and what waits for it',
    params: idParams,
    answer: deleted,
    errors: ['unavailable'],
    handler: ({ params, by }, { webhooks }) => {
      webhooks.remove(params.id, by.actor);
      return { deleted: true };
    },
  }),
  route({
    ...owners,
    method: 'GET',
    path: '/webhooks/{id}/deliveries',
    summary: 'What became of deliveries',
    description: 'The newest thousand.',
    params: idParams,
    query: pageQuery.pick({ limit: true, cursor: true }),
    answer: { text: 'the newest first', data: z.array(deliverySchema), example: [sampleDelivery], paged: true },
    write: false,
    handler: ({ params, query, ctx }, { webhooks }) => {
      const { limit, cursor = null } = query;
      return answerPage(ctx, webhooks.deliveries(params.id, { limit, cursor }));
    },
  }),
  route({
    ...people,
    method: 'POST',
    path: '/webhooks/{id}/test',
    summary: 'Send one of kind test',
    description: 'At once and once, past what waits, also where the webhook is switched off. Answers what came of it.',
    params: idParams,
    answer: { text: 'the delivery', data: deliverySchema, example: { ...sampleDelivery, kind: 'test' } },
    errors: ['conflict', 'not_configured', 'unavailable'],
    handler: ({ params, by }, { webhooks }) => webhooks.test(params.id, by.actor),
  }),
];
