import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { MapService } from '../../../src/maps/map_service.ts';
import type { Ledger } from '../../../src/store/ledger.ts';
import { folderOf } from '../basics/folder.ts';
import type { Owner } from '../basics/owner.ts';
import { pmtilesOf } from './pmtiles.ts';

/** A vector tile with one layer without features, as it is stored. */
export const emptyTile = gzipSync(Buffer.from('1a0d780a0a6c616e6420636f766572', 'hex'));

/** A map of one tile, of the world. */
export const worldMap = pmtilesOf({
  tiles: [{ z: 0, x: 0, y: 0, bytes: emptyTile }],
  metadata: { name: 'World', attribution: '<a href="https://www.openstreetmap.org/copyright">© OpenStreetMap</a>' },
});

/** The service over a folder of its own with the map `site`. */
export async function mapsOf(t: Owner, { ledger }: { ledger: Ledger }): Promise<MapService> {
  const dataDir = folderOf(t);
  mkdirSync(join(dataDir, 'maps'));
  writeFileSync(join(dataDir, 'maps', 'site.pmtiles'), worldMap);
  const maps = new MapService({ dataDir, ledger, settings: { allBytes: 4_000_000, minFreeBytes: 0 } });
  await maps.start();
  t.teardown(() => maps.stop());
  return maps;
}
