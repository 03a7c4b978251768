import { z } from 'zod';
import type { HistoryQuery } from '../../app/track_service.ts';
import { acknowledgeSchema, alertSchema } from '../../model/alert.ts';
import { detectionSchema } from '../../model/detection.ts';
import type { Page } from '../../model/page.ts';
import { between, namedObject, timestamp, uuid, words } from '../../model/scalar.ts';
import { affiliations, type TrackPoint, trackPointSchema, trackSchema } from '../../model/track.ts';
import { type FileSubject, type TrackFormat, trackFile } from '../../recording/evidence/track_files.ts';
import { sampleAlert } from '../openapi/alert_samples.ts';
import { sampleDetection, sampleHistory, sampleTrack, sampleTrackInto } from '../openapi/samples.ts';
import { file } from '../own_answer.ts';
import { hidesPilot, withoutPilot } from '../privacy.ts';
import { audience, route } from '../route.ts';
import type { ServedWorld } from '../served.ts';
import { done, found, listOf, pageOf } from './answers.ts';
import { answerPage, firstRows, listQuery, pageQuery, readPage } from './paging.ts';
import { worldQuery } from './picture.ts';

/** Limit of the points in a history file, if the request sets no limit. */
const filePoints = 10_000;

const historyTypes: Record<TrackFormat, string> = {
  geojson: 'application/geo+json',
  kml: 'application/vnd.google-earth.kml+xml',
  csv: 'text/csv; charset=utf-8',
};

const reason = words(500);
const mergeBody = namedObject('TrackMerge', { into: uuid, reason: reason.nullable().optional() });
const dropBody = namedObject('TrackDrop', { reason });

const affiliationBody = namedObject('TrackAffiliation', {
  affiliation: z.enum(affiliations),
  reason,
  expires_at: timestamp.nullish().describe('null for the life of the track; a time in the past ends the affiliation'),
});

const { viewers, operators } = audience('tracks');

const answer = { text: 'the track', data: trackSchema, example: sampleTrack };

export const trackRoutes = [
  route('POST /tracks/{id}/acknowledge', {
    ...operators,
    summary: 'Acknowledge all alerts of a track',
    description:
      'Acknowledges alerts about this track only. Alerts about its group stay unacknowledged, because they concern ' +
      'other tracks too. The alerts sound again only when their severity rises.',
    body: { schema: acknowledgeSchema, example: { note: 'patrol two looks' } },
    answer: listOf('the alerts that this request acknowledged', alertSchema, sampleAlert),
    errors: ['unavailable'],
    inRecovery: true,
    handler: async ({ params, body, by }, { shown: { alerts, tracks } }) => {
      const acknowledged = alerts.acknowledgeTrack(params.id, body.note ?? null, by.actor);
      if (acknowledged.length === 0) await tracks.requireKnown(params.id);
      return acknowledged;
    },
  }),
  route('POST /tracks/{id}/affiliation', {
    ...operators,
    summary: 'Set affiliation of one track',
    description:
      'For an expected flight. The affiliation is valid for this track only, until `expires_at` or the end of the ' +
      'track; no asset is created. A milder affiliation does not apply while the track is suspect or reports the ' +
      'key of another asset. If two tracks are merged, the stricter affiliation remains. An `expires_at` in the ' +
      'past ends the affiliation.',
    body: { schema: affiliationBody, example: { affiliation: 'friend', reason: 'roof survey, Ms Weber called' } },
    answer,
    errors: ['unavailable'],
    handler: ({ params, body, by }, { shown: { expectedFlights } }) =>
      expectedFlights.set(params.id, { ...body, expires_at: body.expires_at ?? null }, by.actor),
  }),
  route('GET /tracks', {
    ...viewers,
    summary: 'List tracks',
    query: worldQuery.extend(listQuery.shape),
    answer: listOf('the tracks', trackSchema, sampleTrack),
    handler: ({ query, by }, { workspace, settings }) => {
      const tracks = firstRows(workspace.worldOf(query.world).tracks.list(), query);
      return hidesPilot(by, settings) ? tracks.map(withoutPilot) : tracks;
    },
  }),
  route('GET /tracks/{id}', {
    ...viewers,
    summary: 'Get track',
    query: worldQuery,
    answer,
    handler: ({ params, query, by }, { workspace, settings }) => {
      const track = found(workspace.worldOf(query.world).tracks.get(params.id), 'track', params.id);
      return hidesPilot(by, settings) ? withoutPilot(track) : track;
    },
  }),
  route('GET /tracks/{id}/history', {
    ...viewers,
    summary: 'Get history of a track',
    description: `As a file without \`limit\`, a history of up to ${filePoints} points is complete; a longer one is paged. A file has the last reported pilot and take-off.`,
    query: pageQuery.extend({
      limit: pageQuery.shape.limit
        .unwrap()
        .optional()
        .describe(
          'greatest number of points in the answer; default 200 for JSON; without it, a file has all up to its limit',
        ),
      step_s: between(0.1, 86_400).optional().describe('at most one point per this number of seconds'),
      format: z
        .enum(['json', 'geojson', 'kml', 'csv'])
        .default('json')
        .describe('json: in the envelope; the others are files'),
    }),
    answer: {
      text: 'the points, oldest first',
      data: z.array(trackPointSchema),
      example: sampleHistory,
      paged: true,
      files: {
        [historyTypes.geojson]: {
          schema: { type: 'object' },
          example: JSON.parse(await writeHistory('geojson', sampleTrack, sampleHistory)),
        },
        [historyTypes.kml]: { example: await writeHistory('kml', sampleTrack, sampleHistory) },
        [historyTypes.csv]: { example: await writeHistory('csv', sampleTrack, sampleHistory) },
      },
    },
    errors: ['rate_limited', 'unavailable'],
    handler: async ({ params, query, by, ctx }, { shown, settings }) => {
      const { format, limit, step_s, ...rest } = query;
      const asked = { ...readPage({ ...rest, limit: limit ?? 200 }), trackId: params.id, stepS: step_s ?? null };
      if (format === 'json') return answerPage(ctx, await shown.tracks.history(asked));
      const page = await (limit === undefined ? wholeHistory(shown, asked) : shown.tracks.history(asked));
      const known = await shown.tracks.last(params.id);
      const subject = known ?? { id: params.id, number: params.id, operator: null, takeoff: null };
      const seen = hidesPilot(by, settings) ? withoutPilot(subject) : subject;
      const text = await writeHistory(format, seen, answerPage(ctx, page));
      return file(historyTypes[format], text, `history-${subject.number}.${format}`);
    },
  }),
  route('POST /tracks/{id}/merge', {
    ...operators,
    summary: 'Merge two tracks of one aircraft',
    description:
      'The track in the path ends. `into` keeps its number and takes over the data of both. The merge is refused if ' +
      'each track reports its own serial.',
    body: { schema: mergeBody, example: { into: sampleTrackInto, reason: 'seen by eye' } },
    answer: { ...answer, text: 'the remaining track' },
    handler: ({ params, body, by }, { shown }) =>
      shown.tracks.merge(params.id, body.into, body.reason ?? null, by.actor),
  }),
  route('POST /tracks/{id}/drop', {
    ...operators,
    summary: 'Drop a false track',
    description: 'Later observations of the same object begin a new track.',
    body: { schema: dropBody, example: { reason: 'a kite' } },
    answer: done('dropped', 'Dropped'),
    errors: ['unavailable'],
    handler: ({ params, body, by }, { shown }) => shown.tracks.drop(params.id, body.reason, by.actor),
  }),
  route('GET /detections', {
    ...viewers,
    summary: 'List normalised observations with their tracks',
    query: pageQuery.extend({
      track_id: uuid.optional().describe('only detections of this track'),
      sensor_id: uuid.optional().describe('only detections of this sensor'),
    }),
    answer: pageOf('the detections', detectionSchema, sampleDetection),
    errors: ['rate_limited', 'unavailable'],
    handler: async ({ query, by, ctx }, { shown, settings }) => {
      const { track_id, sensor_id, ...page } = query;
      const asked = { ...readPage(page), trackId: track_id ?? null, sensorId: sensor_id ?? null };
      const rows = answerPage(ctx, await shown.tracks.detections(asked));
      return hidesPilot(by, settings) ? rows.map(withoutPilot) : rows;
    },
  }),
];

async function wholeHistory({ tracks }: ServedWorld, asked: HistoryQuery): Promise<Page<TrackPoint>> {
  const rows: TrackPoint[] = [];
  let cursor = asked.cursor;
  do {
    const page = await tracks.history({ ...asked, cursor, limit: Math.min(1_000, filePoints - rows.length) });
    rows.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== null && rows.length < filePoints);
  return { rows, nextCursor: cursor };
}

async function writeHistory(format: TrackFormat, of: FileSubject, points: readonly TrackPoint[]): Promise<string> {
  let text = '';
  for await (const piece of trackFile(format, of, [points])) text += piece;
  return text;
}
