import type { CapabilityProfile, CatalogSpec } from '../../model/catalog.ts';
import { modalityOfPayload, type PayloadSpec } from '../../model/payload.ts';
import type { PlatformPerformance } from '../../model/performance.ts';
import { type Verb, verbNames, verbs } from '../../model/verb.ts';

/** How often a vehicle that speaks MAVLink is asked to tell where it is. */
const MAVLINK_TELEMETRY_HZ = 4;

/** The figures that bound a verb, by the name a client sees. */
const limitsOf: Partial<Record<Verb, readonly (keyof PlatformPerformance)[]>> = {
  takeoff: ['ceiling_agl_m', 'climb_rate_mps'],
  goto: ['max_speed_mps', 'max_range_m', 'link_range_m', 'ceiling_agl_m'],
  orbit: ['min_speed_mps', 'max_speed_mps'],
  shadow: ['min_speed_mps', 'max_speed_mps', 'link_range_m'],
  escort: ['min_speed_mps', 'max_speed_mps', 'link_range_m'],
  search: ['cruise_speed_mps', 'endurance_s', 'link_range_m'],
  set_speed: ['min_speed_mps', 'max_speed_mps'],
};

/** What follows from a spec and a fit: which verbs, with which bounds, and what is seen how far. */
export function capabilityOf(
  spec: CatalogSpec,
  fit: { performance: PlatformPerformance; payloads: readonly PayloadSpec[] },
  evaluatedAt: string,
): CapabilityProfile {
  const working = fit.payloads.filter(({ state }) => state !== 'off' && state !== 'failed');
  const given = new Set([...(spec.verbs ?? []), ...working.flatMap(({ provides_verbs = [] }) => provides_verbs)]);
  const offered = verbNames.filter((verb) => given.has(verb));
  return {
    verbs: offered.map((verb) => ({ verb, params: [...verbs[verb].params], limits: boundsOf(verb, fit.performance) })),
    concurrent_tasks: offered.some((verb) => verbs[verb].class !== 'safer') ? 1 : 0,
    telemetry_hz: spec.control?.protocol === 'mavlink' ? MAVLINK_TELEMETRY_HZ : null,
    carries: [...new Set(fit.payloads.map(({ kind }) => kind))],
    detects: detects(working),
    evaluated_at: evaluatedAt,
  };
}

function boundsOf(verb: Verb, performance: PlatformPerformance): Record<string, number> {
  const known = (limitsOf[verb] ?? []).flatMap((figure) => {
    const value = performance[figure];
    return typeof value === 'number' ? [[figure, value] as const] : [];
  });
  return Object.fromEntries(known);
}

/** Each sense once, with the farthest reach that is known of it. */
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
