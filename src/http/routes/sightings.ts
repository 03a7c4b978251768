import { z } from 'zod';
import { threatLevels } from '../../model/posture.ts';
import { timestamp, uuid } from '../../model/scalar.ts';
import { sightingSchema, trailsSchema } from '../../model/sighting.ts';
import { sampleSighting, sampleTrails } from '../openapi/sighting_samples.ts';
import { hidesPilot, withoutPilot } from '../privacy.ts';
import { audience, route } from '../route.ts';
import { pageOf } from './answers.ts';
import { answerPage, pageQuery, readPage, readTime } from './paging.ts';

const { viewers } = audience('tracks');

export const sightingRoutes = [
  route('GET /sightings', {
    ...viewers,
    summary: 'List past and present tracks, in summary',
    description:
      'Every confirmed track that was seen between `since` and `until`, present or past, across days and restarts. ' +
      'The track that was first seen latest comes first. Rows of present tracks are up to 2 s old. One query reads ' +
      'at most 62 day files, so an answer may have fewer than `limit` rows and still a next page. Rows of earlier ' +
      'versions have no nearest approach.',
    query: pageQuery.extend({
      serial: z
        .string()
        .trim()
        .min(1)
        .max(120)
        .optional()
        .meta({ description: 'only tracks that reported this serial number' }),
      zone_id: uuid.optional().meta({ description: 'only tracks that entered this zone, which may be deleted' }),
      level: z
        .enum(threatLevels)
        .optional()
        .meta({ description: 'only tracks whose highest level was at least this one' }),
    }),
    answer: pageOf('the sightings', sightingSchema, sampleSighting),
    errors: ['rate_limited', 'unavailable'],
    handler: async ({ query, by, ctx }, { shown, settings }) => {
      const { serial, zone_id, level, ...page } = query;
      const asked = { ...readPage(page), serial: serial ?? null, zoneId: zone_id ?? null, level: level ?? null };
      const rows = answerPage(ctx, await shown.tracks.sightings(asked));
      return hidesPilot(by, settings) ? rows.map(withoutPilot) : rows;
    },
  }),
  route('GET /tracks/history', {
    ...viewers,
    summary: 'List trails of all tracks in a period',
    description:
      'At most 10 000 points of 500 tracks. With more points, `step_s` of the answer is longer than requested and ' +
      '`thinned` is true. With more tracks, only the latest seen are returned, and `cut` names the omission. For ' +
      'the whole history of one track use `/tracks/{id}/history`.',
    query: z.strictObject({
      since: timestamp.meta({ description: 'begin of the period (RFC 3339), inclusive' }),
      until: timestamp.optional().meta({ description: 'end of the period (RFC 3339), exclusive; default now' }),
      step_s: z
        .number()
        .min(1)
        .max(86_400)
        .default(5)
        .meta({ description: 'at most one point per this number of seconds' }),
    }),
    answer: { text: 'the trails', data: trailsSchema, example: sampleTrails },
    errors: ['rate_limited', 'unavailable'],
    handler: ({ query }, { shown }) => {
      const until = query.until === undefined ? null : readTime(query.until);
      return shown.tracks.trails({ sinceMs: readTime(query.since), untilMs: until, stepS: query.step_s });
    },
  }),
];
