import { systemActor } from '../../model/actor.ts';
import type { Registry } from '../../registry/registry.ts';
import type { TwinFacts } from '../../worlds/sim/engine.ts';

/** What of assets of the simulated environment tells people that a scenario brought them. */
const TWIN_TAG = 'twin';
/** What tells us, and what a twin is addressed by: nobody takes it from a row. */
export const TWIN_NAME = 'twin:';

/** Vehicles of ours in a scenario become assets of its environment, those of an earlier one first being taken away. Answers their ids by actor. */
export function adoptTwins(registry: Registry, twins: readonly TwinFacts[]): Map<string, string> {
  dismissTwins(registry);
  const assetOf = new Map<string, string>();
  try {
    for (const twin of twins) assetOf.set(twin.actorId, adopt(registry, twin));
  } catch (thrown) {
    // What begins no run leaves nobody behind.
    dismissTwins(registry);
    throw thrown;
  }
  return assetOf;
}

export function dismissTwins({ assets }: Registry): void {
  const twins = new Set(assets.namedLike(TWIN_NAME));
  // Whatever people had them carry stays.
  for (const { id, spec, placement } of assets.list())
    if (twins.has(placement?.carried_by ?? '')) assets.update(id, { spec, placement: {} }, systemActor);
  for (const id of twins) assets.remove(id, systemActor);
}

function adopt(registry: Registry, { actorId, name, catalog, sysid, compid, serial }: TwinFacts): string {
  const spec = {
    domain: 'air' as const,
    mavlink: { sysid, compid },
    tags: [TWIN_TAG],
    ...(catalog === null ? {} : { model: catalog }),
    ...(serial === null ? {} : { remote_id_serial: serial }),
  };
  const { id } = registry.assets.create({ name, kind: 'platform', spec }, systemActor);
  registry.assets.learnAlias(id, `${TWIN_NAME}${actorId}`, systemActor);
  return id;
}
