import type { Track } from './track.ts';

type Integrity = Track['integrity'];

/** Integrity reasons whose sentences reveal the distance of the pilot. */
export const pilotReasons: ReadonlySet<Integrity['reasons'][number]['id']> = new Set(['operator_far']);
const FAR = 'the position that it reports for its pilot is too far away';

/** Returns the integrity without the distance of the pilot. Several distances would show where the pilot is. */
export function withoutPilotDistance(integrity: Integrity): Integrity {
  if (!integrity.reasons.some(({ id }) => pilotReasons.has(id))) return integrity;
  const reasons = integrity.reasons.map((one) => (pilotReasons.has(one.id) ? { ...one, text: FAR } : one));
  return { ...integrity, reasons };
}

type Named = { operator?: { operator_id?: string | null | undefined } | null | undefined };

/** Returns true if a value, such as an identity, repeats the operator id. Some transmitters send it as both. */
export function isOperatorId({ operator }: Named, value: string | null): boolean {
  return value !== null && value === operator?.operator_id;
}

type Lineage = Pick<Track['lineage'][number], 'identity'>;

/** Returns the lineage of a track without identities that repeat the operator id. */
export function lineageWithoutOperator<L extends Lineage>(of: Named, lineage: readonly L[]): L[] {
  return lineage.map((one) => (isOperatorId(of, one.identity) ? { ...one, identity: null } : one));
}

/** Returns identities without those that repeat the operator id. */
export function identitiesWithoutOperator<I extends { value: string }>(of: Named, identities: readonly I[]): I[] {
  return identities.filter(({ value }) => !isOperatorId(of, value));
}
