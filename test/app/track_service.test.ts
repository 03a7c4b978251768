import t from 'tap';
import { TrackService } from '../../src/app/track_service.ts';
import { sampleDetection, sampleHistory, sampleTrack } from '../../src/http/openapi/samples.ts';
import type { Track } from '../../src/model/track.ts';
import { noHistory } from '../../src/store/log/none.ts';
import { openRegistry } from '../support/registry/registry.ts';

const unknown = '11111111-2222-4333-8444-555555555555';
const page = { limit: 5, cursor: null, sinceMs: null, untilMs: 9 };

/** Tracks of a picture, and those of which only the history knows; what the history was asked. */
function serviceOf(t: Parameters<typeof openRegistry>[0], live: readonly Track[], over: readonly Track[]) {
  const { ledger, workspaceId } = openRegistry(t);
  const asked: object[] = [];
  const history = {
    ...noHistory,
    trackPoints: async (query: { trackId: string }) => {
      asked.push(query);
      return { rows: over.some(({ id }) => id === query.trackId) ? sampleHistory : [], next: 'more' };
    },
    detections: async (query: object) => {
      asked.push(query);
      return { rows: [sampleDetection], next: null };
    },
    lastTracks: async ({ trackId }: { trackId?: string | undefined }) => over.filter(({ id }) => id === trackId),
  };
  const world = {
    tracks: () => [...live],
    track: (id: string) => live.find((one) => one.id === id),
    byHand: {} as never,
  };
  return { tracks: new TrackService({ world, history, ledger, workspaceId }), asked };
}

t.test('a track that is over is known by its history, and one of which nothing is kept is not found', async (t) => {
  const { tracks } = serviceOf(t, [], [sampleTrack]);
  t.equal(tracks.get(sampleTrack.id), undefined);
  t.equal((await tracks.last(sampleTrack.id))?.number, sampleTrack.number);
  t.equal(await tracks.last(unknown), undefined);
  await tracks.requireKnown(sampleTrack.id);
  await t.rejects(tracks.requireKnown(unknown), { code: 'not_found' });
  await t.rejects(tracks.history({ trackId: unknown, stepS: null, ...page }), { code: 'not_found' });
});

t.test('a track of the picture is known before anything of it is kept', async (t) => {
  const { tracks, asked } = serviceOf(t, [sampleTrack], []);
  t.same(tracks.list(), [sampleTrack]);
  await tracks.requireKnown(sampleTrack.id);
  t.same(asked, [], 'the history is not asked');
  const { rows } = await tracks.history({ trackId: sampleTrack.id, stepS: null, ...page });
  t.same(rows, []);
});

t.test('pages of the history carry its cursor', async (t) => {
  const { tracks, asked } = serviceOf(t, [], [sampleTrack]);
  const points = await tracks.history({ trackId: sampleTrack.id, stepS: 2, ...page });
  t.same(points, { rows: sampleHistory, nextCursor: 'more' });
  const seen = await tracks.detections({ trackId: sampleTrack.id, sensorId: null, ...page });
  t.same(seen, { rows: [sampleDetection], nextCursor: null });
  t.match(asked, [
    { trackId: sampleTrack.id, stepS: 2, limit: 5, untilMs: 9 },
    { trackId: sampleTrack.id, sensorId: null, limit: 5, untilMs: 9 },
  ]);
});
