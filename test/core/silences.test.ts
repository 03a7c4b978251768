import t from 'tap';
import { TRACK } from '../../src/model/rows/layouts.ts';
import { type Flight, straight } from '../support/sky/flight.ts';
import { apartM, SiteAxes, type Vector } from '../support/sky/site_axes.ts';
import { Sky } from '../support/sky/sky.ts';
import { WatchedSky } from '../support/sky/watched_sky.ts';

const site = new SiteAxes(46.2, 6.1, 400);
const SILENT_FROM_S = 80;

const watchedFlight = straight([-2200, 300, 110], [11, 6, 0]);
const others: readonly Flight[] = [-1500, -900, -300, 300, 900, 1500].map((east) =>
  straight([east, 1800, 100], [4, -9, 0]),
);

/** Each a little after the one before it, the others are not seen from 30 s on: for 14 s, or for good. */
function seenAt(i: number, s: number, returns: boolean): boolean {
  const from = 30 + 3 * i;
  return s < from || (returns && s >= from + 14);
}

/** Seconds for which the watched aircraft is still likely to be there, once nobody sees it any more. */
function believedS(seed: number, seen: (i: number, s: number) => boolean, beside?: Vector): number {
  const sky = new Sky(site, seed);
  const radar = sky.eye([0, 0, 10]);
  const companions = beside
    ? others.map(
        (flight): Flight =>
          (s) =>
            moved(flight(s), beside),
      )
    : [];
  for (let s = 0; s < SILENT_FROM_S + 25; s++) {
    const flown = [...others.filter((_, i) => seen(i, s)), ...companions];
    sky.look(radar, s, s < SILENT_FROM_S ? [watchedFlight, ...flown] : flown);
  }
  const watched = new WatchedSky(sky);
  watched.until(SILENT_FROM_S - 0.5);
  const [track] = watched
    .confirmed()
    .filter(({ place }) => apartM(place, watchedFlight(SILENT_FROM_S - 0.5).place) < 100);
  for (let s = 1; s < 25; s++) {
    watched.until(SILENT_FROM_S + s + 0.5);
    const row = watched.rows.get(track?.number ?? -1);
    if (!((row?.[TRACK.confidence] ?? 0) >= 0.5)) return s;
  }
  return 25;
}

function moved({ place, velocity }: ReturnType<Flight>, [e, n, u]: Vector): ReturnType<Flight> {
  return { place: [place[0] + e, place[1] + n, place[2] + u], velocity };
}

for (let seed = 1; seed <= 6; seed++) {
  t.test(
    `how long a silent aircraft is believed in follows how the silences of others ended (seed ${seed})`,
    async (t) => {
      const unknown = believedS(seed, () => true);
      const back = believedS(seed, (i, s) => seenAt(i, s, true));
      const gone = believedS(seed, (i, s) => seenAt(i, s, false));
      const said = `${gone} s where all had gone, ${unknown} s where nobody was silent, ${back} s where all came back`;
      t.ok(gone < unknown && unknown + 2 <= back, said);
    },
  );

  t.test(`what is seen again near others tells nothing of silences (seed ${seed})`, async (t) => {
    const beside: Vector = [60, 40, 0];
    const unknown = believedS(seed, () => true, beside);
    const crowded = believedS(seed, (i, s) => seenAt(i, s, true), beside);
    t.ok(crowded <= unknown + 2, `${crowded} s, ${unknown} s where nobody was silent`);
  });
}
