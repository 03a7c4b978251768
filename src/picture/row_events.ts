/** The lists of the registry, and how a change of a row of each is told. */
export type RegistryList = 'assets' | 'assignments' | 'zones' | 'regions';

export const rowEvents = {
  assets: { update: 'asset_update', removed: 'asset_removed' },
  assignments: { update: 'assignment_update', removed: 'assignment_removed' },
  zones: { update: 'zone_update', removed: 'zone_removed' },
  regions: { update: 'region_update', removed: 'region_removed' },
} as const;
