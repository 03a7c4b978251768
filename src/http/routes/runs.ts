import { z } from 'zod';
import { runComparisonSchema, runSchema } from '../../model/run.ts';
import { uuid } from '../../model/scalar.ts';
import { sampleRun, sampleRunComparison } from '../openapi/run_samples.ts';
import { audience, route } from '../route.ts';
import { deleted, pageOf } from './answers.ts';
import { answerPage, pageQuery, readPage } from './paging.ts';

const one = { text: 'the run', data: runSchema, example: sampleRun };

const { viewers, operators } = audience('simulator');

export const runRoutes = [
  route('GET /simulation/runs', {
    ...viewers,
    summary: 'List runs and their results',
    description: 'Newest first, by start time. The newest thousand runs of a workspace are kept.',
    query: pageQuery,
    answer: pageOf('the runs, newest first', runSchema, sampleRun),
    handler: ({ query, ctx }, { registry }) => answerPage(ctx, registry.runs.list(readPage(query))),
  }),
  route('GET /simulation/runs/compare', {
    ...viewers,
    summary: 'Compare two runs',
    description:
      'Shows the better run for each metric, and the expectations of each run. It also shows whether scenario, ' +
      'seed, build and policy are equal; if all are equal, `log_hash` is equal too.',
    query: z.strictObject({
      a: uuid.describe('id of the first run'),
      b: uuid.describe('id of the second run'),
    }),
    answer: { text: 'the comparison', data: runComparisonSchema, example: sampleRunComparison },
    errors: ['not_found'],
    handler: ({ query }, { registry }) => registry.runs.compare(query.a, query.b),
  }),
  route('GET /simulation/runs/{id}', {
    ...viewers,
    summary: 'Get run',
    answer: one,
    handler: ({ params }, { registry }) => registry.runs.get(params.id),
  }),
  route('DELETE /simulation/runs/{id}', {
    ...operators,
    summary: 'Delete ended run',
    answer: deleted,
    handler: ({ params, by }, { registry }) => registry.runs.remove(params.id, by.actor),
  }),
];
