import type { Provenance } from '../model/track.ts';
import type { Environment } from '../store/workspaces.ts';

/** Returns the provenance of the rows of an environment. A replay has its own (`RegistryDeps.provenance`). */
export function provenanceOf(environment: Environment): Provenance {
  return environment === 'live' ? 'live' : 'simulated';
}

/**
 * Returns the provenance of an audit row about an object of an environment. Rows about simulated assets are in the log
 * of the live world, whose provenance would be wrong for them.
 */
export function ofDeed(environment: Environment): { provenance?: Provenance } {
  return environment === 'live' ? {} : { provenance: provenanceOf(environment) };
}
