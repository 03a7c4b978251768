import type { CapabilityProfile, CatalogSpec } from '../../model/catalog.ts';
import { modalityOfPayload, type PayloadSpec } from '../../model/payload.ts';
import type { PlatformPerformance } from '../../model/performance.ts';
import { boundsOf, kindsOf, verbNames, verbs } from '../../model/verb.ts';

/**
 * Rate of positions that a capability profile states for a MAVLink vehicle, Hz. It is below the 5 Hz that
 * `fleet/contact.ts` requests.
 */
const MAVLINK_TELEMETRY_HZ = 4;

/** Derives capabilities from a spec and an asset's equipment: verbs with their limits, and sensing ranges. */
export function capabilityOf(
  spec: CatalogSpec,
  fit: { performance: PlatformPerformance; payloads: readonly PayloadSpec[] },
  evaluatedAt: string,
): CapabilityProfile {
  const working = fit.payloads.filter(({ state }) => state !== 'off' && state !== 'failed');
  const given = new Set([...(spec.verbs ?? []), ...working.flatMap(({ provides_verbs = [] }) => provides_verbs)]);
  const offered = verbNames.filter((verb) => given.has(verb));
  return {
    verbs: offered.map((verb) => ({ verb, params: kindsOf(verb), limits: boundsOf(verb, fit.performance) })),
    concurrent_tasks: offered.some((verb) => verbs[verb].class !== 'safer') ? 1 : 0,
    telemetry_hz: spec.control?.protocol === 'mavlink' ? MAVLINK_TELEMETRY_HZ : null,
    carries: [...new Set(fit.payloads.map(({ kind }) => kind))],
    detects: detects(working),
    evaluated_at: evaluatedAt,
  };
}

/** Lists each sensing modality once, with its longest known range, m; null if unknown. */
function detects(payloads: readonly PayloadSpec[]): CapabilityProfile['detects'] {
  const reach = new Map<CapabilityProfile['detects'][number]['modality'], number | null>();
  for (const { kind, range_m } of payloads) {
    const modality = modalityOfPayload[kind];
    if (!modality) continue;
    const known = reach.get(modality) ?? null;
    reach.set(modality, range_m === undefined ? known : Math.max(range_m, known ?? 0));
  }
  return [...reach].map(([modality, range_m]) => ({ modality, range_m }));
}
