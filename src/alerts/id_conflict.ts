import type { Firing } from '../model/firing.ts';

/**
 * Rule id of alerts about address conflicts. The fleet raises these alerts, because the core knows no network
 * addresses.
 */
const ID_CONFLICT = 'id_conflict';

type Contested = { id: string; name: string };

/**
 * Returns a firing about another network address that claims to be a vehicle of the own fleet. A null `text` makes a
 * firing that ends the alert.
 */
export function idConflict({ id, name }: Contested, text: string | null, atMs: number): Firing {
  const change = text === null ? 'ended' : 'raised';
  return {
    ...{ key: `${ID_CONFLICT}:${id}`, ruleId: ID_CONFLICT, ruleVersion: 1, change, severity: 'warning' },
    subject: { type: 'asset', id, label: name },
    text:
      text === null
        ? `${name}: no other sender claims to be this vehicle any more.`
        : `${name}: ${text}. Find out who sends from there.`,
    ...{ trackIds: [], zoneId: null, count: 1, atMs },
    does: { alert: true, log: true, notify: true, propose: false },
  };
}
