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
      'Every confirmed track that was seen between `since` and `until`, live or over, across days and restarts: the latest ' +
      'first seen first. A track that goes on is up to 2 s old here. An answer may be shorter than `limit` and still have a ' +
      'next page: one question reads at most 62 day files. Rows of earlier versions have no nearest approach.',
    query: pageQuery.extend({
      serial: z.string().trim().min(1).max(120).optional().meta({ description: 'that reported this serial number' }),
      zone_id: uuid.optional().meta({ description: 'that entered this zone, also one that was deleted' }),
      level: z.enum(threatLevels).optional().meta({ description: 'whose highest level was this one or above' }),
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
      'At most 10 000 points of 500 tracks. Where there are more points, `step_s` of the answer is longer than asked and ' +
      '`thinned` is true; where there are more tracks, the latest seen are given and `cut` says so. One track whole: ' +
      '`/tracks/{id}/history`.',
    query: z.strictObject({
      since: timestamp.meta({ description: 'from this time on (RFC 3339)' }),
      until: timestamp.optional().meta({ description: 'up to, and without, this time; now unless given' }),
      step_s: z.number().min(1).max(86_400).default(5).meta({ description: 'at most one point in so many seconds' }),
    }),
    answer: { text: 'the trails', data: trailsSchema, example: sampleTrails },
    errors: ['rate_limited', 'unavailable'],
    handler: ({ query }, { shown }) => {
      const until = query.until === undefined ? null : readTime(query.until);
      return shown.tracks.trails({ sinceMs: readTime(query.since), untilMs: until, stepS: query.step_s });
    },
  }),
];
