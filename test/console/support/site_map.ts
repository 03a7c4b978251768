import { gzipSync } from 'node:zlib';
import { type MadeTile, pmtilesOf } from '../../support/maps/pmtiles.ts';
import { type MadeFeature, vectorTile } from './vector_tile.ts';

const LEAST_ZOOM = 8;
const MOST_ZOOM = 15;

const whole: [number, number][] = [
  [0, 0],
  [4_096, 0],
  [4_096, 4_096],
  [0, 4_096],
];
const layers: Record<string, MadeFeature[]> = {
  earth: [{ type: 'polygon', points: whole, tags: { kind: 'earth' } }],
  water: [
    {
      type: 'polygon',
      points: [
        [600, 2_600],
        [1_800, 2_500],
        [1_700, 3_700],
        [500, 3_600],
      ],
      tags: { kind: 'lake' },
    },
  ],
  roads: [
    {
      type: 'line',
      points: [
        [0, 1_000],
        [1_900, 1_700],
        [4_096, 1_400],
      ],
      tags: { kind: 'highway', kind_detail: 'motorway' },
    },
    {
      type: 'line',
      points: [
        [2_300, 0],
        [2_000, 1_800],
        [2_600, 4_096],
      ],
      tags: { kind: 'major_road' },
    },
  ],
  places: [{ type: 'point', points: [[1_200, 1_200]], tags: { kind: 'locality', name: 'Fixture Town' } }],
};

/** Each tile of the map, as it is sent: gzip of a vector tile. */
export const siteTile = (): Buffer => gzipSync(vectorTile(layers));

/** A map of the Protomaps schema about a place: each tile has a lake, two roads and a town. */
export function siteMap({ lat, lon }: { lat: number; lon: number }): Buffer {
  const bytes = siteTile();
  const tiles: MadeTile[] = [];
  for (let z = LEAST_ZOOM; z <= MOST_ZOOM; z++) {
    const side = 2 ** z;
    const sine = Math.sin((lat * Math.PI) / 180);
    const [x0, y0] = [lon / 360 + 0.5, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
    const reach = z < 12 ? 1 : 2 ** (z - 11);
    for (let x = Math.floor(x0 * side) - reach; x <= Math.floor(x0 * side) + reach; x++)
      for (let y = Math.floor(y0 * side) - reach; y <= Math.floor(y0 * side) + reach; y++)
        tiles.push({ z, x, y, bytes });
  }
  const metadata = { name: 'Fixture', attribution: '© Fixture Survey' };
  return pmtilesOf({ tiles, metadata, bounds: [lon - 0.5, lat - 0.5, lon + 0.5, lat + 0.5] });
}
