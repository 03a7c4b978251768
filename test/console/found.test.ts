import t from 'tap';
import { type Found, found, MOST_FOUND, placeOf, type Searched } from '../../src/console/state/found.ts';
import type { Asset } from '../../src/model/asset.ts';
import type { Track } from '../../src/model/track.ts';
import type { Zone } from '../../src/model/zone.ts';

const track = (number: string, values: readonly string[] = [], assetId: string | null = null): Track =>
  ({
    ...{ id: number, number, asset_id: assetId },
    identities: values.map((value) => ({ type: 'serial', value })),
  }) as Track;

const searched: Searched = {
  tracks: [track('T-0042', ['1581F5FKD2294D000001']), track('T-0420', ['RESCUE1']), track('T-0007', [], 'heron')],
  zones: [{ id: 'zone', name: 'Depot', geometry: { type: 'Point', coordinates: [4, 52], radius_m: 100 } } as Zone],
  assets: [{ id: 'heron', name: 'Heron' } as Asset],
};
const names = (text: string): string[] =>
  found(text, searched).map((one: Found) =>
    one.kind === 'track' ? one.track.number : one.kind === 'zone' ? one.name : 'place',
  );

t.test('a track is found by number, serial, callsign and the name of its vehicle, the best match first', async (t) => {
  t.same(names('42'), ['T-0042', 'T-0420'], 'the number without its zeros is equal');
  t.same(names('t-0042'), ['T-0042']);
  t.same(names('rescue'), ['T-0420']);
  t.same(names('000001'), ['T-0042']);
  t.same(names('heron'), ['T-0007']);
  t.same(names('depot'), ['Depot']);
  t.same(names('nothing of this'), []);
  t.same(names('  '), []);
});

t.test('a place is found by its latitude and longitude, and a place that is none is not', async (t) => {
  t.same(names('52.0, 4.0'), ['place']);
  t.same(placeOf(' -33.9 18.4 '), { lat: -33.9, lon: 18.4 });
  for (const text of ['91, 4', '52, 181', '52', '52,', 'a, b', '52, 4, 3']) t.equal(placeOf(text), null, text);
});

t.test('a list of results has an end', async (t) => {
  const tracks = Array.from({ length: 500 }, (_, index) => track(`T-${1_000 + index}`));
  t.equal(found('T-', { ...searched, tracks }).length, MOST_FOUND);
});
