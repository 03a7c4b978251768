import { z } from 'zod';
import { runComparisonSchema, runSchema } from '../../model/run.ts';
import { uuid } from '../../model/scalar.ts';
import { sampleRun, sampleRunComparison } from '../openapi/run_samples.ts';
import { idParams, route } from '../route.ts';
import { deleted } from './answers.ts';
import { answerPage, pageQuery, readPage } from './paging.ts';

const one = { text: 'the run', data: runSchema, example: sampleRun };

export const runRoutes = [
  route({
    method: 'GET',
    path: '/simulation/runs',
    summary: 'Runs of scenarios, and what came of them',
    description: 'The newest first, by when they were begun. The newest thousand of a workspace are kept.',
    tag: 'simulator',
    query: pageQuery,
    answer: { text: 'the runs, newest first', data: z.array(runSchema), example: [sampleRun], paged: true },
    role: 'viewer',
    write: false,
    handler: ({ query, ctx }, { registry }) => answerPage(ctx, registry.runs.list(readPage(query))),
  }),
  route({
    method: 'GET',
    path: '/simulation/runs/compare',
    summary: 'Two runs side by side',
    description:
      'Metric by metric which of the two is better, what was to come about in each, and whether they had scenario, seed, ' +
      'build and policy in common: where all of these are the same, so is `log_hash`.',
    tag: 'simulator',
    query: z.strictObject({
      a: uuid.meta({ description: 'the id of a run' }),
      b: uuid.meta({ description: 'the id of the one beside it' }),
    }),
    answer: { text: 'the comparison', data: runComparisonSchema, example: sampleRunComparison },
    errors: ['not_found'],
    role: 'viewer',
    write: false,
    handler: ({ query }, { registry }) => registry.runs.compare(query.a, query.b),
  }),
  route({
    method: 'GET',
    path: '/simulation/runs/{id}',
    summary: 'One run',
    tag: 'simulator',
    params: idParams,
    answer: one,
    role: 'viewer',
    write: false,
    handler: ({ params }, { registry }) => registry.runs.get(params.id),
  }),
  route({
    method: 'DELETE',
    path: '/simulation/runs/{id}',
    summary: 'Take away a run that has ended',
    tag: 'simulator',
    params: idParams,
    answer: deleted,
    errors: ['conflict', 'unavailable'],
    role: 'operator',
    write: true,
    handler: ({ params, by }, { registry }) => {
      registry.runs.remove(params.id, by.actor);
      return { deleted: true };
    },
  }),
];
