import type { Provenance } from '../model/track.ts';
import type { Environment } from '../store/workspaces.ts';

/** Provenance of what a registry holds of an environment; a replay names its own (`RegistryRim.provenance`). */
export function provenanceOf(environment: Environment): Provenance {
  return environment === 'live' ? 'live' : 'simulated';
}

/**
 * Provenance of an audit row about a thing of an environment. Rows about simulated assets stand in the log of the live
 * world, whose own provenance would be wrong for them.
 */
export function ofDeed(environment: Environment): { provenance?: Provenance } {
  return environment === 'live' ? {} : { provenance: provenanceOf(environment) };
}
