import { z } from 'zod';
import { count, name, namedObject, patchOf, someOf, stored, timestamp, uuid } from './scalar.ts';
import { alertSeverities } from './zone.ts';

/** Events that webhooks can receive. Deliveries of the kind `test` are sent only on request. */
export const webhookEvents = ['alert', 'alert_update', 'firing', 'zone_event', 'log'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** Headers that a webhook may not declare: the service sets destination, length and signature of a delivery itself. */
const ownHeaders = /^(host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|keep-alive|dunlin-.*)$/i;

const url = z
  .string()
  .max(2_000)
  .refine(isHttpUrl, 'must be a URL that begins with http:// or https:// and contains no user name or password');
const secret = z
  .string()
  .regex(/^[\x21-\x7e]{16,200}$/, 'must be 16 to 200 visible characters without spaces')
  .describe('signing secret of deliveries; no later answer contains the secret');
const headers = z
  .record(
    z
      .string()
      .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,80}$/, 'must be the name of a header')
      .refine((header) => !ownHeaders.test(header), 'is a header that the service sets itself'),
    z.string().regex(/^[\x20-\x7e]{0,1000}$/, 'must be one line of at most 1000 printable ASCII characters'),
  )
  .refine((given) => Object.keys(given).length <= 10, 'must have at most 10 entries')
  .describe('headers of each delivery; their values are stored sealed, and no answer contains them');
const events = someOf(webhookEvents).min(1);
const leastSeverity = z.enum(alertSeverities).describe('least severity that is sent');
const includePrivate = z.boolean().describe('true to include positions and names of pilots');

/**
 * Webhook as a request contains it. Without `secret` the service generates one; only the answer to this request
 * contains that secret.
 */
export const webhookSpecSchema = namedObject('WebhookSpec', {
  name,
  url,
  events: events.default(['alert', 'alert_update']),
  least_severity: leastSeverity.default('info'),
  enabled: z.boolean().default(true),
  include_private: includePrivate.default(false),
  secret: secret.optional(),
  headers: headers.default({}),
});
export type WebhookSpec = z.infer<typeof webhookSpecSchema>;

export const webhookPatchSchema = z
  .strictObject(patchOf(webhookSpecSchema.shape))
  .meta({ id: 'WebhookPatch', description: 'Absent fields stay unchanged' });
export type WebhookPatch = z.infer<typeof webhookPatchSchema>;

const shown = {
  id: uuid,
  name,
  url: z.string().describe('URL; path and query are visible to signed-in owners only'),
  events: z.array(z.enum(webhookEvents)),
  least_severity: z.enum(alertSeverities),
  enabled: z.boolean(),
  include_private: z.boolean(),
  has_secret: z.boolean().describe('false if the present key of the service cannot open the secret'),
  header_names: z.array(z.string()),
  waiting: count.describe('waiting deliveries'),
  dropped: count.describe('deliveries dropped from a full queue since the start'),
  ...stored,
};

export const webhookSchema = namedObject('Webhook', shown);
export type Webhook = z.infer<typeof webhookSchema>;

export const madeWebhookSchema = namedObject('MadeWebhook', {
  ...shown,
  secret: z.string().nullable().describe('generated secret; null if the caller gave one'),
});
export type MadeWebhook = z.infer<typeof madeWebhookSchema>;

export const deliveryStatuses = ['due', 'done', 'given_up', 'dropped'] as const;

/** One document that is sent to one webhook, with its progress. */
export const deliverySchema = namedObject('Delivery', {
  id: uuid.describe('header dunlin-delivery, equal in each attempt'),
  webhook_id: uuid,
  kind: z.enum([...webhookEvents, 'test']),
  severity: z.enum(alertSeverities),
  status: z.enum(deliveryStatuses).describe('dropped: displaced from a full queue'),
  attempts: count,
  created_at: timestamp,
  last_at: timestamp.nullable().describe('time of the last attempt'),
  next_at: timestamp.nullable().describe('earliest time of the next attempt'),
  status_code: z.int().nullable().describe('status of the last answer'),
  error: z.string().nullable(),
  took_ms: z.number().nullable(),
});
export type Delivery = z.infer<typeof deliverySchema>;

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hostname } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '' && hostname !== '';
}

/** Event to be delivered to webhooks. */
export type Notice = { kind: WebhookEvent; severity: Delivery['severity']; at: string; body: object };
