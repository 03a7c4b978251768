import type { BaseMap } from '../../model/base_map.ts';

export const sampleMap: BaseMap = {
  id: 'site',
  file: 'site.pmtiles',
  name: 'Protomaps Basemap',
  format: 'pmtiles',
  kind: 'vector',
  tile_type: 'mvt',
  min_zoom: 0,
  max_zoom: 15,
  bounds: [16.18, 48.11, 16.58, 48.33],
  attribution: '© OpenStreetMap',
  bytes: 38_204_511,
  state: 'ready',
  error: null,
  version: 'mqua7-mbk3l2c8',
};
