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
    description: 'The newest first, by when they were begun. The newest thousand of a workspace are kept.',
    query: pageQuery,
    answer: pageOf('the runs, newest first', runSchema, sampleRun),
    handler: ({ query, ctx }, { registry }) => answerPage(ctx, registry.runs.list(readPage(query))),
  }),
  route('GET /simulation/runs/compare', {
    ...viewers,
    summary: 'Compare two runs',
    description:
      'Metric by metric which of the two is better, what was to come about in each, and whether they had scenario, seed, ' +
      'build and policy in common: where all of these are the same, so is `log_hash`.',
    query: z.strictObject({
      a: uuid.describe('the id of a run'),
      b: uuid.describe('the id of the one beside it'),
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
