import type { Alert } from '../../../src/model/alert.ts';
import type { StreamClient } from '../http/stream_client.ts';
import type { Daemon } from './daemon.ts';

/** The `data` of a request that must succeed. */
export async function must<T>(daemon: Daemon, path: string, body: object, method = 'POST'): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const { status, body: answer } = await daemon.request(path, { method, headers, body: JSON.stringify(body) });
  if (status !== 200) throw new Error(`${method} ${path}: ${status} ${answer.error}`);
  return answer.data as T;
}

/** Published alert events of this kind, in order: those of one rule, or all. */
export function alertsPublished(
  stream: StreamClient,
  kind: 'alert' | 'alert_update' | 'live_alert',
  rule?: string,
): Alert[] {
  return stream.events
    .filter(({ event, data }) => event === kind && (rule === undefined || data.body.rule_id === rule))
    .map(({ data }) => data.body as Alert);
}

/** Waits for an alert that fits, raised or changed. */
export async function nextAlert(
  stream: StreamClient,
  fits: (alert: Alert) => boolean,
  withinMs?: number,
): Promise<Alert> {
  const { data } = await stream.next(
    ({ event, data }) => (event === 'alert' || event === 'alert_update') && fits(data.body as Alert),
    withinMs,
  );
  return data.body as Alert;
}

/** Rule and severity of each, for a message or a comparison. */
export const inShort = (alerts: readonly Alert[]): string[] =>
  alerts.map(({ rule_id, severity, text }) => `${rule_id} ${severity}: ${text}`);

/** Transitions of a track and a zone, in the order of their events. */
export function zoneEvents(stream: StreamClient, trackId: string, zoneId: string): string[] {
  return stream.events
    .filter(
      ({ event, data: { body } }) => event === 'zone_event' && body.track_id === trackId && body.zone_id === zoneId,
    )
    .map(({ data }) => String(data.body.transition));
}
