import { MOST_FLYING, type ScenarioActor, type ScenarioSpec } from '../../../model/scenario.ts';
import type { Finding } from '../fault.ts';
import { isMany } from './ids.ts';

/**
 * Limit of the messages per second of all sensors and transmitters together. It is needed because the simulator shares
 * the machine with the live world.
 */
export const MOST_MESSAGES_PER_S = 10_000;
/** Telemetry messages of a simulated vehicle per second. */
const TELEMETRY_PER_S = 20;

/** Checks the number of aircraft (`MOST_FLYING`) and of messages per second (`MOST_MESSAGES_PER_S`). */
export function checkLoad(spec: ScenarioSpec): Finding[] {
  const flying = spec.actors.reduce((sum, actor) => sum + numberOf(actor), 0);
  const found: Finding[] = [];
  if (flying > MOST_FLYING)
    found.push({
      path: ['actors'],
      text: `have ${flying} aircraft with all members of swarms; at most ${MOST_FLYING} may fly`,
    });
  const vehicles = spec.actors.filter(({ mavlink }) => mavlink).length * TELEMETRY_PER_S;
  const rates = spec.sensors.map((sensor) => rateOf(sensor, spec.actors));
  const all = rates.reduce((sum, rate) => sum + rate, vehicles);
  if (all <= MOST_MESSAGES_PER_S) return found;
  const loudest = rates.indexOf(Math.max(...rates));
  const text = `would send ${Math.round(all)} messages per second; the limit is ${MOST_MESSAGES_PER_S}`;
  const { id } = spec.sensors[loudest] ?? { id: '' };
  const most = `the largest share, ${Math.round(rates[loudest] ?? 0)}, comes from ${id}`;
  found.push({ path: ['sensors', loudest, 'period_s'], text: `is too short: all sensors together ${text}; ${most}` });
  return found;
}

function numberOf(actor: ScenarioActor): number {
  return isMany(actor) ? (actor.count ?? 1) : 1;
}

/** Returns the messages of a sensor per second when all actors are in its range. */
function rateOf(
  { modality, period_s, false_per_scan }: ScenarioSpec['sensors'][number],
  actors: readonly ScenarioActor[],
): number {
  const sum = (rate: (actor: ScenarioActor) => number): number =>
    actors.reduce((total, actor) => total + numberOf(actor) * rate(actor), 0);
  switch (modality) {
    case 'remote_id':
      // One location per period, and about one static message per second.
      return sum((actor) => (speaks(actor) ? 1 / (actor.remote_id?.period_s ?? 1) + 1 : 0));
    case 'adsb':
      // Position and velocity are separate lines.
      return sum(({ adsb }) => (adsb ? 2 / adsb.period_s : 0));
    default:
      return (sum(({ kind }) => (kind === 'spoofer' ? 0 : 1)) + false_per_scan) / period_s;
  }
}

function speaks({ kind, remote_id }: ScenarioActor): boolean {
  return remote_id !== undefined || kind === 'spoofer';
}
