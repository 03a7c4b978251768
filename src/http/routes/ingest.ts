import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { IngestAnswer } from '../../app/ingest_service.ts';
import { parseObservation } from '../../edge/wire/obs_json/parse.ts';
import { type ObservationDocument, observationSchema } from '../../model/observation.ts';
import { count, namedObject } from '../../model/scalar.ts';
import { type Row, readRows } from '../ingest/rows.ts';
import { sampleObservation } from '../openapi/samples.ts';
import { audience, route } from '../route.ts';
import type { ServedWorkspace } from '../served.ts';

const observation = observationSchema.meta({ id: 'Observation' });

const ingestAnswer = namedObject('IngestAnswer', {
  accepted: count,
  duplicates: count,
  rejected: z.array(
    z.strictObject({ index: count.describe('index of the row, from 0; blank lines do not count'), error: z.string() }),
  ),
});

const { operators } = audience('ingest');

export const ingestRoutes = [
  route('POST /ingest/obs', {
    ...operators,
    summary: 'Submit observations',
    description:
      'The body is `{obs: [...]}`, or one observation per line with `Content-Type: application/x-ndjson`. Each row ' +
      'is validated separately: valid rows are accepted even if others are rejected. At most 10 000 rows and 4 MiB ' +
      'per request.',
    body: {
      schema: namedObject('ObservationList', { obs: z.array(observation) }),
      lines: observation,
      example: { obs: [sampleObservation] },
    },
    answer: {
      text: 'the outcome of the rows',
      data: ingestAnswer,
      example: { accepted: 1, duplicates: 0, rejected: [] },
    },
    errors: [],
    inRecovery: true,
    handler: async ({ ctx }, room) => takeRows(await readRows(ctx.req, ctx.res, room), room.workspace.ingest),
  }),
];

/**
 * Number of rows that are validated before the event loop gets a turn. Validating 500 rows takes a few milliseconds.
 * Without such turns, a long request would delay every stream.
 */
const sliceRows = 500;

/** Validates rows one by one and submits the valid ones. Invalid and refused rows are reported by their index. */
async function takeRows(rows: readonly Row[], ingest: ServedWorkspace['ingest']): Promise<IngestAnswer> {
  const answer: IngestAnswer = { accepted: 0, duplicates: 0, rejected: [] };
  for (let start = 0; start < rows.length; start += sliceRows) {
    if (start > 0) await setImmediate();
    const good: ObservationDocument[] = [];
    const indexes: number[] = [];
    for (const [offset, row] of rows.slice(start, start + sliceRows).entries()) {
      const judged = judge(row);
      if ('error' in judged) answer.rejected.push({ index: start + offset, error: judged.error });
      else {
        good.push(judged.observation);
        indexes.push(start + offset);
      }
    }
    if (good.length === 0) continue;
    const taken = ingest.take(good);
    answer.accepted += taken.accepted;
    answer.duplicates += taken.duplicates;
    for (const { index, error } of taken.rejected) answer.rejected.push({ index: indexes[index] ?? start, error });
  }
  answer.rejected.sort((a, b) => a.index - b.index);
  return answer;
}

function judge(row: Row): { observation: ObservationDocument } | { error: string } {
  if ('error' in row) return row;
  const parsed = parseObservation(row.value);
  return 'row' in parsed ? { observation: parsed.row } : { error: parsed.error };
}
