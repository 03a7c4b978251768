import type { Alert } from '../../model/alert.ts';
import type { FleetRow } from '../../model/fleet.ts';
import type { Track } from '../../model/track.ts';
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

type Row = Pick<FleetRow, 'key' | 'name' | 'asset_id' | 'connection' | 'landed' | 'velocity' | 'position'>;

/** Rate of climb or descent up to which a vehicle stands, m/s. */
const STANDS_MPS = 1;

/**
 * Whether nothing more can be ordered to give way: the own vehicle of an alert stands, or the aircraft moves away from
 * it. False for several aircraft, and where the link to the vehicle is lost: its last velocity says nothing.
 */
export function isAnswered(
  alert: Parameters<typeof vehicleOf>[0] & Pick<Alert, 'track_ids'>,
  track: Pick<Track, 'position' | 'velocity'> | undefined,
  rows: readonly Row[],
): boolean {
  const key = vehicleOf(alert, rows);
  const row = rows.find((one) => one.key === key);
  if (row === undefined || row.velocity === null || row.connection !== 'online' || alert.track_ids.length !== 1)
    return false;
  const stands = !isMoving(row) && Math.abs(row.velocity.climb_mps ?? 0) < STANDS_MPS;
  return stands || isReceding(track, row);
}

const METRES_PER_DEG = 111_195;
/** Rate of the distance from which an aircraft moves away, m/s. */
const RECEDES_MPS = 2;

/** Whether an aircraft moves away from an own vehicle; false where a position or a velocity is unknown. */
export function isReceding(
  track: Pick<Track, 'position' | 'velocity'> | undefined,
  { position: own, velocity: ownVelocity }: Pick<FleetRow, 'position' | 'velocity'>,
): boolean {
  if (!track?.position || !own) return false;
  const [theirs, ours] = [eastNorth(track.velocity), eastNorth(ownVelocity)];
  if (theirs === null || ours === null) return false;
  const eastM = (track.position.lon - own.lon) * METRES_PER_DEG * Math.cos((own.lat * Math.PI) / 180);
  const northM = (track.position.lat - own.lat) * METRES_PER_DEG;
  const rate = (theirs[0] - ours[0]) * eastM + (theirs[1] - ours[1]) * northM;
  return rate >= RECEDES_MPS * Math.hypot(eastM, northM);
}

/** Velocity along the ground, m/s east and north; null where it is unknown. */
function eastNorth(velocity: Track['velocity'] | FleetRow['velocity']): readonly [number, number] | null {
  const { speed_mps: speed = null, course_deg: course = null } = velocity ?? {};
  if (speed === null) return null;
  if (course === null) return speed < RECEDES_MPS ? [0, 0] : null;
  const angle = (course * Math.PI) / 180;
  return [speed * Math.sin(angle), speed * Math.cos(angle)];
}
