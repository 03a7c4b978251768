/** The lists of the registry, and how a change of a row of each is told. */
export type RegistryList = 'assets' | 'assignments' | 'zones' | 'regions';

/** An assignment that holds no more is history, which the picture does not show: the row that says so is its last. */
export function isShown(list: RegistryList, row: object): boolean {
  return list !== 'assignments' || !('active' in row) || row.active !== false;
}

export const rowEvents = {
  assets: { update: 'asset_update', removed: 'asset_removed' },
  assignments: { update: 'assignment_update', removed: 'assignment_removed' },
  zones: { update: 'zone_update', removed: 'zone_removed' },
  regions: { update: 'region_update', removed: 'region_removed' },
} as const;
