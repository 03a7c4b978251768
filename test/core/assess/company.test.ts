import t from 'tap';
import { Company } from '../../../src/core/assess/company.ts';
import { nobodysWord, Watched } from '../../../src/core/assess/watched.ts';
import { TrackRecord } from '../../../src/core/tracks/track_record.ts';
import { placeAt } from '../../support/basics/place.ts';

/** A forged position, at which the first track is. */
const forged = { lat: 0, lon: 0 };
/** Longitudes of the site on the equator, degrees. */
const longitudes = [0.5, 10, 60, 89, 135, 179];
/** The place with the same east and north from `forged`, on the other side of its horizon. */
const mirrored = (lon: number) => ({ lat: 0, lon: 180 - lon });

/** A confirmed track so many metres east of a place. */
function trackAt(number: number, place: { lat: number; lon: number }, eastM = 0): Watched {
  const watched = new Watched(new TrackRecord(`track ${number}`, number, 0));
  const { lat: latDeg, lon: lonDeg } = placeAt(place, 90, eastM);
  return Object.assign(watched, {
    state: 'confirmed',
    latDeg,
    lonDeg,
    altHaeM: 100,
    eastMps: 10,
    northMps: 0,
    upMps: 0,
  });
}

function ownAt(number: number, place: { lat: number; lon: number }): Watched {
  const own = trackAt(number, place);
  const asset = { id: 'asset', name: 'Mavic' };
  own.word = { ...nobodysWord(number), affiliation: 'friend', affiliationBasis: 'telemetry', asset };
  return own;
}

const evaluated = (tracks: readonly Watched[]): Company => {
  const company = new Company();
  company.evaluate(new Map(tracks.map((watched) => [watched.number, watched])));
  return company;
};

for (const lon of longitudes)
  t.test(`the first track does not decide who flies together ${lon} degrees away from it`, async (t) => {
    const site = { lat: 0, lon };
    const first = trackAt(1, forged);
    const apart = [2, 3, 4].map((number) => trackAt(number, site, number * 5_000));
    evaluated([first, ...apart]);
    t.same(
      apart.map(({ group }) => group),
      [null, null, null],
      '5 km from each other they are no group',
    );
    const pair = [trackAt(2, site), trackAt(3, site, 150), trackAt(4, mirrored(lon), 75)];
    evaluated([first, ...pair]);
    t.same(
      pair.map(({ group }) => group),
      [null, null, null],
      'nor is a pair with one on the other side of the earth',
    );
    const together = [2, 3, 4].map((number) => trackAt(number, site, number * 150));
    evaluated([first, ...together]);
    t.same(
      together.map(({ group }) => group?.size),
      [3, 3, 3],
    );
  });

for (const lon of longitudes)
  t.test(`the first track does not decide who is near an own vehicle ${lon} degrees away from it`, async (t) => {
    const site = { lat: 0, lon };
    const tracks = [trackAt(1, forged), ownAt(2, site), trackAt(3, site, 2_000), trackAt(4, site, 9_000)];
    const company = evaluated([...tracks, trackAt(5, mirrored(lon))]);
    const near = company.nearOf(2);
    t.same(
      near.map(({ trackId }) => trackId),
      ['track 3'],
    );
    t.ok(Math.abs((near[0]?.distanceM ?? 0) - 2_000) < 10, `${near[0]?.distanceM} m`);
    t.same(company.nearOf(4), []);
  });
