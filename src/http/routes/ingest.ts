import { z } from 'zod';
import { observationSchema } from '../../model/observation.ts';
import { count } from '../../model/scalar.ts';
import { readRows } from '../ingest/rows.ts';
import { takeRows } from '../ingest/take.ts';
import { sampleObservation } from '../openapi/samples.ts';
import { route } from '../route.ts';

const observation = observationSchema.meta({ id: 'Observation' });

const ingestAnswer = z
  .strictObject({
    accepted: count,
    duplicates: count,
    rejected: z.array(
      z.strictObject({ index: count.describe('of the row; blank lines do not count'), error: z.string() }),
    ),
  })
  .meta({ id: 'IngestAnswer' });

export const ingestRoutes = [
  route({
    method: 'POST',
    path: '/ingest/obs',
    summary: 'Hand in observations',
    description:
      'As `{obs: [...]}`, or one observation a line with `Content-Type: application/x-ndjson`. ' +
      'Each row is judged by itself: good rows count even when others fail. At most 10 000 rows and 4 MiB a request.',
    tag: 'ingest',
    body: {
      schema: z.strictObject({ obs: z.array(observation) }).meta({ id: 'ObservationList' }),
      lines: observation,
      example: { obs: [sampleObservation] },
    },
    answer: {
      text: 'what became of the rows',
      data: ingestAnswer,
      example: { accepted: 1, duplicates: 0, rejected: [] },
    },
    role: 'operator',
    write: true,
    inRecovery: true,
    handler: async ({ ctx, from }, room) => takeRows(await readRows(ctx.req, ctx.res, room), from, room.service),
  }),
];
