/** Lists of the registry that have events for changes of their rows. */
export type RegistryList = 'assets' | 'assignments' | 'zones' | 'regions';

/** Whether the picture lists a row. Ended assignments are not listed: the row that ends one is published last. */
export function isShown(list: RegistryList, row: object): boolean {
  return list !== 'assignments' || !('active' in row) || row.active !== false;
}

export const rowEvents = {
  assets: { update: 'asset_update', removed: 'asset_removed' },
  assignments: { update: 'assignment_update', removed: 'assignment_removed' },
  zones: { update: 'zone_update', removed: 'zone_removed' },
  regions: { update: 'region_update', removed: 'region_removed' },
} as const;
