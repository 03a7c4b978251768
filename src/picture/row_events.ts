/** Lists of the registry whose rows have events. */
export type RegistryList = 'assets' | 'assignments' | 'zones' | 'regions';

/** Whether the picture lists a row. Ended assignments are not listed; their last event states the end. */
export function isShown(list: RegistryList, row: object): boolean {
  return list !== 'assignments' || !('active' in row) || row.active !== false;
}

export const rowEvents = {
  assets: { update: 'asset_update', removed: 'asset_removed' },
  assignments: { update: 'assignment_update', removed: 'assignment_removed' },
  zones: { update: 'zone_update', removed: 'zone_removed' },
  regions: { update: 'region_update', removed: 'region_removed' },
} as const;
