import type { Alert } from '../../model/alert.ts';
import type { FleetRow } from '../../model/fleet.ts';
import { isMoving } from './movements.ts';

/** Rules about aircraft close to an own vehicle. */
const aboutVehicles: ReadonlySet<string> = new Set(['own_platform_close', 'crewed_aircraft_near']);

/**
 * Key of the own vehicle that an alert is about. It is the alert's subject, or for the rules of `aboutVehicles` the
 * vehicle that the alert's text names. Null for other alerts.
 */
export function vehicleOf(
  { rule_id, subject, text }: Pick<Alert, 'rule_id' | 'subject' | 'text'>,
  rows: readonly Pick<FleetRow, 'key' | 'name' | 'asset_id'>[],
): string | null {
  if (subject.type === 'asset') return rows.find(({ asset_id }) => asset_id === subject.id)?.key ?? null;
  if (!aboutVehicles.has(rule_id)) return null;
  const named = rows.filter(({ name }) => name !== '' && text.includes(name));
  // The longest matching name counts, since "Heron 2" also contains "Heron".
  return named.sort((a, b) => b.name.length - a.name.length)[0]?.key ?? null;
}

/** Whether the own vehicle of an alert stands: then nothing more can be ordered to give way. */
export function isStanding(
  alert: Parameters<typeof vehicleOf>[0],
  rows: readonly Pick<FleetRow, 'key' | 'name' | 'asset_id' | 'landed' | 'velocity'>[],
): boolean {
  const key = vehicleOf(alert, rows);
  const row = rows.find((one) => one.key === key);
  return row !== undefined && row.velocity !== null && !isMoving(row);
}
