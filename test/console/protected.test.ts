import t from 'tap';
import { placeAt } from '../../src/console/map/camera.ts';
import { fromProtected } from '../../src/console/map/protected.ts';
import type { Zone } from '../../src/model/zone.ts';

const site = { lat: 47.2, lon: 8.7 };
const zoneAt = (name: string, kind: Zone['kind'], { lat, lon }: typeof site): Zone =>
  ({ name, kind, geometry: { type: 'Point', coordinates: [lon, lat], radius_m: 300 } }) as Zone;

t.test('a pilot is placed from the centre of the nearest protected zone', async (t) => {
  const zones = [
    zoneAt('Far', 'protected', placeAt(site, 5_000, 0)),
    zoneAt('Depot', 'protected', site),
    zoneAt('Ring', 'warning', placeAt(site, 900, 90)),
  ];
  const seen = fromProtected(placeAt(site, 1_000, 90), zones);
  t.equal(seen?.name, 'Depot');
  t.ok(Math.abs((seen?.distanceM ?? 0) - 1_000) < 2, `${seen?.distanceM} m`);
  t.ok(Math.abs((seen?.courseDeg ?? 0) - 90) < 0.2, `${seen?.courseDeg}°`);
  t.equal(fromProtected(site, []), null);
});
