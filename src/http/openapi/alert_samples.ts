import type { Alert } from '../../model/alert.ts';
import type { Delivery, MadeWebhook, Webhook } from '../../model/webhook.ts';
import { sampleTrack } from './samples.ts';

/** Samples of alerts, for the quadcopter of samples.ts. */
const at = '2025-06-01T12:00:00.000Z';
const later = '2025-06-01T12:00:20.000Z';
const webhookId = '5e0f6a52-0d3c-4a11-9c55-0000000000b7';

export const sampleAlert: Alert = {
  id: '5e0f6a52-0d3c-4a11-9c55-0000000000a7',
  rule_id: 'unidentified_in_protected_zone',
  rule_version: 1,
  severity: 'critical',
  state: 'acknowledged',
  subject: { type: 'track', id: sampleTrack.id, label: sampleTrack.number },
  text: 'T-0042 (unknown, no identity) is in North field (protected), 60 m above ground, at 12 m/s, heading north.',
  steps: [
    {
      at,
      rule_id: 'zone_approach',
      zone_id: '5e0f6a52-0d3c-4a11-9c55-0000000000a1',
      severity: 'warning',
      text: 'T-0042 will be in North field in about 40 s',
    },
    {
      at: later,
      rule_id: 'unidentified_in_protected_zone',
      zone_id: '5e0f6a52-0d3c-4a11-9c55-0000000000a1',
      severity: 'critical',
      text: 'T-0042 (unknown, no identity) is in North field (protected), 60 m above ground, at 12 m/s, heading north.',
    },
  ],
  track_ids: [sampleTrack.id],
  zone_id: '5e0f6a52-0d3c-4a11-9c55-0000000000a1',
  count: 1,
  raised_at: at,
  updated_at: later,
  escalated_at: later,
  acknowledged: { by: 'user:anna', at: later, note: 'patrol two looks' },
  cleared_at: null,
  cleared_reason: null,
  settled_at: null,
};

export const sampleWebhookSpec = {
  name: 'duty phone',
  url: 'http://127.0.0.1:9/hooks/dunlin',
  events: ['alert', 'alert_update'],
  least_severity: 'warning',
} as const;

export const sampleWebhook: Webhook = {
  id: webhookId,
  ...sampleWebhookSpec,
  events: [...sampleWebhookSpec.events],
  enabled: true,
  include_private: false,
  has_secret: true,
  header_names: [],
  waiting: 0,
  dropped: 0,
  version: 1,
  created_at: at,
  updated_at: at,
};

export const sampleMadeWebhook: MadeWebhook = { ...sampleWebhook, secret: `whs_${'A'.repeat(43)}` };

export const sampleDelivery: Delivery = {
  id: '5e0f6a52-0d3c-4a11-9c55-0000000000d7',
  webhook_id: webhookId,
  kind: 'alert',
  severity: 'critical',
  status: 'done',
  attempts: 1,
  created_at: at,
  last_at: at,
  next_at: null,
  status_code: 200,
  error: null,
  took_ms: 31.5,
};
