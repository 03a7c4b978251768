import { formatTime } from '../model/time.ts';
import type { Delivery, Webhook } from '../model/webhook.ts';
import type { DeliveryRow, WebhookRow } from '../store/webhooks.ts';

/** A webhook without what is sealed of it and without what is on its way: of its `url` only what `shownUrl` leaves. */
export type Hook = Omit<Webhook, 'has_secret' | 'waiting' | 'dropped'>;
/** What is sealed. An earlier version kept the address in the document, where it is without `url` here. */
export type Hidden = { secret: string; headers: Record<string, string>; url?: string };

/** An address without its path and query, which often are the secret that lets one post there. */
export function shownUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return pathname === '/' && search === '' ? `${origin}/` : `${origin}/…`;
}

export function specOf({ id: _id, version: _v, created_at: _c, updated_at: _u, ...said }: Hook) {
  return said;
}

/** What the log may tell, which others read than owners. */
export function saidOf(hook: Hook): object {
  return { ...specOf(hook), url: new URL(hook.url).origin };
}

export function rowOf(hook: Hook, workspaceId: string): WebhookRow {
  const { id, name, version, created_at: createdAt, updated_at: updatedAt } = hook;
  return { id, workspaceId, name, document: specOf(hook), version, createdAt, updatedAt };
}

export function hookOf({ id, document, version, createdAt, updatedAt }: WebhookRow): Hook {
  return { ...(document as ReturnType<typeof specOf>), id, version, created_at: createdAt, updated_at: updatedAt };
}

export function toldOf(row: DeliveryRow): Delivery {
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
