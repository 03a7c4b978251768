import t from 'tap';
import { MOST_OLDER_TRAILS, startOlderTrails } from '../../src/console/state/older_trails.ts';
import { Store } from '../../src/console/state/store.ts';
import { Trails } from '../../src/console/state/trails.ts';
import { samplePicture, sampleTrack } from '../../src/http/openapi/samples.ts';
import type { Track, TrackPoint } from '../../src/model/track.ts';

const nowMs = Date.parse('2026-11-28T12:00:00.000Z');
const at = (s: number): string => new Date(nowMs + s * 1_000).toISOString();
const keepS = 60;

/** A store whose picture has as many tracks, each with one point in its trail. */
function shown(tracks: number): { store: Store; trails: Trails } {
  const [store, trails] = [new Store(), new Trails()];
  for (let n = 0; n < tracks; n++) {
    const track: Track = { ...sampleTrack, id: `t${n}`, last_seen_at: at(0) };
    store.tracks.byId.set(track.id, track);
  }
  trails.take(store.tracks.byId, keepS);
  return { store, trails };
}

const point = (s: number, lat: number | null): TrackPoint =>
  ({ at: at(s), state: 'confirmed', lat, lon: lat === null ? null : 16 }) as TrackPoint;

/** Resolves once the answers that wait were taken. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const begin = (store: Store, trails: Trails, historySince: (id: string) => Promise<TrackPoint[]>) =>
  startOlderTrails({ store, trails, historySince, keepS: () => keepS, nowMs: () => nowMs });

const show = (store: Store, epoch: string): void => {
  store.situation.value = { ...samplePicture, epoch } as never;
};

t.test('a page that opens has the trail of the last minute', async (t) => {
  const { store, trails } = shown(1);
  begin(store, trails, async () => [point(-90, 47), point(-50, 48), point(-20, null), point(-10, 48.1), point(5, 49)]);
  show(store, 'a');
  await settled();
  const ages = trails.of('t0').map(({ atMs }) => (atMs - nowMs) / 1_000);
  t.same(ages, [-50, -10, 0], 'oldest first, none older than the trail, none after the first of the stream');
});

t.test('the trails of a world are read once, one after the other, and no more than so many', async (t) => {
  const { store, trails } = shown(MOST_OLDER_TRAILS + 20);
  let [asked, open, most] = [0, 0, 0];
  begin(store, trails, async () => {
    asked++;
    most = Math.max(most, ++open);
    await settled();
    open--;
    return [];
  });
  show(store, 'a');
  for (let n = 0; n < 200; n++) await settled();
  show(store, 'a');
  for (let n = 0; n < 50; n++) await settled();
  t.same([asked, most], [MOST_OLDER_TRAILS, 1]);
});

t.test('a refused trail is left out, and the next one is read', async (t) => {
  const { store, trails } = shown(2);
  begin(store, trails, async (id) => {
    if (id === 't0') throw new Error('refused');
    return [point(-10, 48)];
  });
  show(store, 'a');
  for (let n = 0; n < 20; n++) await settled();
  t.same([trails.of('t0').length, trails.of('t1').length], [1, 2]);
});

t.test('an answer that comes after the world changed is not used', async (t) => {
  const { store, trails } = shown(1);
  const answers: ((points: TrackPoint[]) => void)[] = [];
  begin(store, trails, () => new Promise((resolve) => answers.push(resolve)));
  show(store, 'a');
  await settled();
  show(store, 'b');
  await settled();
  answers[0]?.([point(-10, 48)]);
  await settled();
  t.same([answers.length, trails.of('t0').length], [2, 1]);
});

t.test(
  'a trail of full length takes no point of the past, and a longer one only as many as there is room',
  async (t) => {
    const trailOf = (held: number): Trails => {
      const trails = new Trails();
      const track: Track = { ...sampleTrack, id: 't0' };
      for (let n = 0; n < held; n++) {
        const position = { ...sampleTrack.position, lat: 48 + n / 1e5, lon: 16 } as Track['position'];
        trails.take(new Map([['t0', { ...track, position, last_seen_at: at(n / 100) }]]), keepS);
      }
      return trails;
    };
    const past = Array.from({ length: 50 }, (_, n) => ({ lat: 47, lon: 16, atMs: nowMs - 50_000 + n * 100 }));
    for (const [held, expected] of [
      [240, 240],
      [230, 240],
      [10, 60],
    ] as const) {
      const trails = trailOf(held);
      trails.prepend('t0', past, keepS);
      t.equal(trails.of('t0').length, expected, `${held} points before`);
    }
  },
);
