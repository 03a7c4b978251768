import { z } from 'zod';
import { detectionSchema } from '../../model/detection.ts';
import { Fault } from '../../model/fault.ts';
import { uuid } from '../../model/scalar.ts';
import { trackPointSchema, trackSchema } from '../../model/track.ts';
import { type HistoryFormat, historyTypes, writeHistory } from '../history.ts';
import { sampleDetection, sampleHistory, sampleTrack, sampleTrackInto } from '../openapi/samples.ts';
import { hidesPilot, withoutPilot } from '../privacy.ts';
import { FileAnswer, idParams, route } from '../route.ts';
import type { HistoryQuery, Service } from '../service.ts';
import { answerPage, firstRows, listQuery, pageQuery, readPage } from './paging.ts';
import { worldQuery } from './picture.ts';

/** A history asked for as a file without a limit is whole, up to so many points. */
const filePoints = 10_000;

const reason = z.string().trim().min(1).max(500);
const mergeBody = z.strictObject({ into: uuid, reason: reason.nullable().optional() }).meta({ id: 'TrackMerge' });
const dropBody = z.strictObject({ reason }).meta({ id: 'TrackDrop' });
const droppedSchema = z.strictObject({ dropped: z.literal(true) }).meta({ id: 'Dropped' });

export const trackRoutes = [
  route({
    method: 'GET',
    path: '/tracks',
    summary: 'All tracks',
    tag: 'tracks',
    query: worldQuery.extend(listQuery.shape),
    answer: { text: 'the tracks', data: z.array(trackSchema), example: [sampleTrack] },
    role: 'viewer',
    write: false,
    handler: ({ query, by }, { service, settings }) => {
      const tracks = firstRows(service.tracks.list(query.world), query);
      return hidesPilot(by, settings) ? tracks.map(withoutPilot) : tracks;
    },
  }),
  route({
    method: 'GET',
    path: '/tracks/{id}',
    summary: 'One track',
    tag: 'tracks',
    params: idParams,
    query: worldQuery,
    answer: { text: 'the track', data: trackSchema, example: sampleTrack },
    role: 'viewer',
    write: false,
    handler: ({ params, query, by }, { service, settings }) => {
      const track = service.tracks.get(params.id, query.world);
      if (track === undefined) throw new Fault('not_found', `there is no track with the id ${params.id}`);
      return hidesPilot(by, settings) ? withoutPilot(track) : track;
    },
  }),
  route({
    method: 'GET',
    path: '/tracks/{id}/history',
    summary: 'Where a track has been',
    description: `As a file without \`limit\`, the history is whole up to ${filePoints} points; else it is paged.`,
    tag: 'tracks',
    params: idParams,
    query: pageQuery.extend({
      limit: pageQuery.shape.limit.unwrap().optional().meta({ description: 'points in an answer; 200 in a page' }),
      step_s: z.number().min(0.1).max(86_400).optional().meta({ description: 'at most one point in so many seconds' }),
      format: z.enum(['json', 'geojson', 'kml', 'csv']).default('json').meta({ description: 'json is the envelope' }),
    }),
    answer: {
      text: 'the points, oldest first',
      data: z.array(trackPointSchema),
      example: sampleHistory,
      paged: true,
      files: {
        [historyTypes.geojson]: {
          schema: { type: 'object' },
          example: JSON.parse(await writeHistory('geojson', sampleTrack.id, sampleHistory)),
        },
        [historyTypes.kml]: { example: await writeHistory('kml', sampleTrack.id, sampleHistory) },
        [historyTypes.csv]: { example: await writeHistory('csv', sampleTrack.id, sampleHistory) },
      },
    },
    errors: ['rate_limited', 'unavailable'],
    role: 'viewer',
    write: false,
    handler: async ({ params, query, ctx }, { service }) => {
      const { format, limit, step_s, ...rest } = query;
      const asked = { ...readPage({ ...rest, limit: limit ?? 200 }), trackId: params.id, stepS: step_s ?? null };
      if (format === 'json') return answerPage(ctx, await service.tracks.history(asked));
      const page = await (limit === undefined ? wholeHistory(service, asked) : service.tracks.history(asked));
      const label = await service.tracks.label(params.id);
      return historyFile(format, params.id, label, answerPage(ctx, page));
    },
  }),
  route({
    method: 'POST',
    path: '/tracks/{id}/merge',
    summary: 'Say that two tracks are one aircraft',
    description:
      'The track of the path ends in `into`, which keeps its name and takes over what was known of both. Refused where each ' +
      'tells a serial of its own.',
    tag: 'tracks',
    params: idParams,
    body: { schema: mergeBody, example: { into: sampleTrackInto, reason: 'seen by eye' } },
    answer: { text: 'the track that stays', data: trackSchema, example: sampleTrack },
    errors: ['conflict', 'unavailable'],
    role: 'operator',
    write: true,
    handler: ({ params, body, by }, { service }) =>
      service.tracks.merge(params.id, body.into, body.reason ?? null, by.actor),
  }),
  route({
    method: 'POST',
    path: '/tracks/{id}/drop',
    summary: 'End a track that is none',
    description: 'What is heard of its aircraft afterwards begins a new track.',
    tag: 'tracks',
    params: idParams,
    body: { schema: dropBody, example: { reason: 'a kite' } },
    answer: { text: 'done', data: droppedSchema, example: { dropped: true } },
    errors: ['unavailable'],
    role: 'operator',
    write: true,
    handler: async ({ params, body, by }, { service }) => {
      await service.tracks.drop(params.id, body.reason, by.actor);
      return { dropped: true };
    },
  }),
  route({
    method: 'GET',
    path: '/detections',
    summary: 'Observations as normalised, and the tracks they went to',
    tag: 'tracks',
    query: pageQuery.extend({
      track_id: uuid.optional().meta({ description: 'of this track alone' }),
      sensor_id: uuid.optional().meta({ description: 'of this sensor alone' }),
    }),
    answer: { text: 'the detections', data: z.array(detectionSchema), example: [sampleDetection], paged: true },
    errors: ['rate_limited', 'unavailable'],
    role: 'viewer',
    write: false,
    handler: async ({ query, by, ctx }, { service, settings }) => {
      const { track_id, sensor_id, ...page } = query;
      const asked = { ...readPage(page), trackId: track_id ?? null, sensorId: sensor_id ?? null };
      const rows = answerPage(ctx, await service.detections(asked));
      return hidesPilot(by, settings) ? rows.map(withoutPilot) : rows;
    },
  }),
];

async function wholeHistory(service: Service, asked: HistoryQuery): ReturnType<Service['tracks']['history']> {
  const rows = [];
  let cursor = asked.cursor;
  do {
    const page = await service.tracks.history({ ...asked, cursor, limit: Math.min(1_000, filePoints - rows.length) });
    rows.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== null && rows.length < filePoints);
  return { rows, nextCursor: cursor };
}

async function historyFile(
  format: HistoryFormat,
  trackId: string,
  label: string | null,
  points: Parameters<typeof writeHistory>[2],
): Promise<FileAnswer> {
  const name = `history-${label ?? trackId}.${format}`;
  return new FileAnswer(historyTypes[format], await writeHistory(format, trackId, points), name);
}
