import { createHash, randomUUID } from 'node:crypto';
import type { Firing } from '../../../src/model/firing.ts';
import type { RegistryRig } from './registry.ts';

/** The id of a track of its own for each event that a test names. */
function trackOfKey(key: string): string {
  const hex = createHash('sha256').update(key).digest('hex').slice(0, 12);
  return `5e0f6a52-0d3c-8a11-9c55-${hex}`;
}

/** A rule tells of a track that nobody knows; events of different keys are about different tracks. */
export function firingOf(fields: Partial<Firing> = {}): Firing {
  const own = fields.key === undefined ? '5e0f6a52-0d3c-8a11-9c55-000000000001' : trackOfKey(fields.key);
  const id = fields.trackIds?.[0] ?? own;
  return {
    key: `zone_entry/${id}`,
    ruleId: 'zone_entry',
    ruleVersion: 1,
    change: 'raised',
    severity: 'warning',
    subject: { type: 'track', id, label: 'T-0001' },
    text: 'T-0001 is in North field',
    trackIds: [id],
    zoneId: null,
    count: 1,
    atMs: 0,
    does: { alert: true, log: true, notify: true, propose: false },
    ...fields,
  };
}

/** Raises one alert more, and returns its id. */
export function raisedIn({ alertBook, alerts }: RegistryRig): string {
  alertBook.take([firingOf({ key: randomUUID() })], 0);
  const page = { state: null, severity: null, sinceMs: null, untilMs: null, limit: 1, cursor: null };
  return alerts.list(page).rows[0]?.id ?? '';
}
