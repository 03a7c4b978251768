import { unknownTrack } from '../../../src/model/affiliation.ts';
import type { WorldDeps } from '../../../src/world/world_deps.ts';

/** Dependencies of a world without a registry and services: it knows nobody, no ground and no engagement. */
export const worldAlone: Pick<WorldDeps, 'affiliator' | 'groundAltHaeM' | 'engagements' | 'fleetRegistry'> = {
  affiliator: { generation: 0, match: () => [], moves: () => false, decide: () => unknownTrack, received: () => {} },
  groundAltHaeM: () => null,
  engagements: () => [],
  fleetRegistry: () => null,
};
