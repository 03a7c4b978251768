import type { Context } from 'koa';
import { z } from 'zod';
import { scenarioPatchSchema, scenarioSchema, scenarioSpecSchema } from '../../model/scenario.ts';
import type { Registry } from '../../registry/registry.ts';
import { ScenarioService } from '../../sim/scenarios/scenario_service.ts';
import { isAbsent, readText, requireMediaType } from '../body.ts';
import { sampleScenario, sampleScenarioSpec, sampleScenarioText } from '../openapi/scenario_samples.ts';
import { file } from '../own_answer.ts';
import { audience, type Room, route } from '../route.ts';
import { deleted, listOf } from './answers.ts';
import { firstRows, listQuery } from './paging.ts';

const json = 'application/json';
const yaml = 'application/yaml';
const files = { [yaml]: { example: sampleScenarioText } };
const answer = { text: 'the scenario', data: scenarioSchema, example: sampleScenario };

const checkedSchema = z
  .strictObject({
    ok: z.boolean().describe('true if the document is a valid scenario'),
    faults: z.array(
      z.strictObject({
        line: z.int().min(1),
        column: z.int().min(1),
        path: z.string().describe('path of the fault; empty for the whole document'),
        text: z.string().describe('sentence that continues the path'),
      }),
    ),
  })
  .meta({
    id: 'ScenarioCheck',
    description: 'Faults of a scenario, at most 100, in the order of the text',
  });

function serviceOf(registry: Registry): ScenarioService {
  return new ScenarioService(registry);
}

/** Reads the document as text, because its faults are reported by line and column. */
function textOf(ctx: Context, { settings, budget }: Room): Promise<string> {
  requireMediaType(ctx.req, [json, yaml]);
  return readText(ctx.req, ctx.res, settings.limits.bodyBytes, budget);
}

const { viewers, operators } = audience('simulator');

export const scenarioRoutes = [
  route('GET /scenarios', {
    ...viewers,
    summary: 'List scenarios',
    query: listQuery,
    answer: listOf('the built-in scenarios, then the others by name', scenarioSchema, sampleScenario),
    handler: ({ query }, { registry }) => firstRows(serviceOf(registry).list(), query),
  }),
  route('POST /scenarios', {
    ...operators,
    summary: 'Create scenario',
    description:
      'The body is JSON or YAML: actors, sensors and expectations, with positions in metres from `origin`. A ' +
      'document with contradictions is refused with 400; the sentence names the first faults with line, column and ' +
      'path, and `faults` up to 100.',
    body: { schema: scenarioSpecSchema, example: sampleScenarioSpec, files },
    answer,
    handler: async ({ ctx, by }, room) => serviceOf(room.registry).create(await textOf(ctx, room), by.actor),
  }),
  route('POST /scenarios/check', {
    ...viewers,
    summary: 'Check scenario',
    description:
      'Nothing is stored. The body is the same as for creating a scenario. Text that cannot be parsed is answered ' +
      'with its faults too.',
    body: {
      schema: z.string(),
      example: sampleScenarioText,
      text: { type: yaml, bytes: 1024 * 1024, also: json },
    },
    answer: { text: 'the faults of the scenario', data: checkedSchema, example: { ok: true, faults: [] } },
    errors: [],
    write: false,
    handler: ({ body }, { registry }) => {
      const faults = serviceOf(registry).check(body);
      return { ok: faults.length === 0, faults };
    },
  }),
  route('GET /scenarios/{id}', {
    ...viewers,
    summary: 'Get scenario',
    description:
      'With `format=yaml`, or if `Accept` prefers YAML, the answer is a document that can be edited and sent again.',
    query: z.strictObject({ format: z.enum(['json', 'yaml']).optional().describe('takes precedence over Accept') }),
    answer: { ...answer, files },
    handler: ({ params, query, ctx }, { registry }) => {
      const format = query.format ?? (ctx.accepts(json, yaml) === yaml ? 'yaml' : 'json');
      const service = serviceOf(registry);
      return format === 'json' ? service.get(params.id) : file(`${yaml}; charset=utf-8`, service.text(params.id));
    },
  }),
  route('POST /scenarios/{id}', {
    ...operators,
    summary: 'Update scenario',
    description:
      'The body is JSON or YAML. Lists are replaced as a whole; absent fields stay unchanged. A built-in scenario ' +
      'is a conflict: copy it first.',
    body: { schema: scenarioPatchSchema, example: { duration_s: 180 }, files },
    answer,
    handler: async ({ params, ctx, by }, room) =>
      serviceOf(room.registry).update(params.id, isAbsent(ctx.req) ? '{}' : await textOf(ctx, room), by.actor),
  }),
  route('DELETE /scenarios/{id}', {
    ...operators,
    summary: 'Delete scenario',
    answer: deleted,
    handler: ({ params, by }, { registry }) => serviceOf(registry).remove(params.id, by.actor),
  }),
];
