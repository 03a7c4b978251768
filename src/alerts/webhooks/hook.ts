import { createHmac } from 'node:crypto';
import { formatTime } from '../../model/time.ts';
import type { Delivery, Webhook } from '../../model/webhook.ts';
import { type Kept, specOf } from '../../store/documents.ts';
import type { DeliveryRow } from '../../store/webhooks.ts';

/**
 * A webhook as stored in its document: without sealed values and deliveries, and with `url` shortened by `shownUrl`.
 */
export type Hook = Kept<HookSpec>;
export type HookSpec = Omit<Webhook, 'has_secret' | 'waiting' | 'dropped' | keyof Kept<unknown>>;
/**
 * Sealed (encrypted) values of a webhook. `url` is absent if an earlier version stored the full URL in the document.
 */
export type Hidden = { secret: string; headers: Record<string, string>; url?: string };

/** Returns a URL without path and query, because these often contain a credential. */
export function shownUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return pathname === '/' && search === '' ? `${origin}/` : `${origin}/…`;
}

/** Returns the fields for the log. The URL is cut to its origin, because people other than owners read the log. */
export function saidOf(hook: Hook): object {
  return { ...specOf<HookSpec>(hook), url: new URL(hook.url).origin };
}

export function factsOf(row: DeliveryRow): Delivery {
  const at = (ms: number | null): string | null => (ms === null ? null : formatTime(ms));
  return {
    id: row.id,
    webhook_id: row.webhookId,
    kind: row.kind,
    severity: row.severity,
    status: row.status,
    attempts: row.attempts,
    created_at: formatTime(row.createdMs),
    last_at: at(row.lastMs),
    next_at: at(row.nextMs),
    status_code: row.statusCode,
    error: row.error,
    took_ms: row.tookMs,
  };
}

/**
 * Returns the signature header of a body: time `t` in s, and `v1`, the HMAC-SHA256 of the time, a full stop and the
 * body.
 */
export function signatureOf(secret: string, utcMs: number, body: string): string {
  const t = Math.floor(utcMs / 1000);
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
}
