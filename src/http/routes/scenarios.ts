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
    ok: z.boolean().describe('whether it is a scenario'),
    faults: z.array(
      z.strictObject({
        line: z.int().min(1),
        column: z.int().min(1),
        path: z.string().describe('empty: of the whole document'),
        text: z.string().describe('goes on from the path'),
      }),
    ),
  })
  .meta({
    id: 'ScenarioCheck',
    description: 'What is wrong with a scenario, up to 100 faults in the order of the text',
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
    answer: listOf('those that are built in, then the others by name', scenarioSchema, sampleScenario),
    handler: ({ query }, { registry }) => firstRows(serviceOf(registry).list(), query),
  }),
  route('POST /scenarios', {
    ...operators,
    summary: 'Create scenario',
    description:
      'As JSON or as YAML. Who flies, what is looked at with, and what must come of it; places are metres from `origin`. A ' +
      'document that does not fit together is 400, and its sentence names every fault with line, column and path.',
    body: { schema: scenarioSpecSchema, example: sampleScenarioSpec, files },
    answer,
    handler: async ({ ctx, by }, room) => serviceOf(room.registry).create(await textOf(ctx, room), by.actor),
  }),
  route('POST /scenarios/check', {
    ...viewers,
    summary: 'Check scenario',
    description:
      'Nothing is stored. Takes the same bodies as creating a scenario; a text that is no scenario at all is answered too.',
    body: {
      schema: z.string(),
      example: sampleScenarioText,
      text: { type: yaml, bytes: 1024 * 1024, also: json },
    },
    answer: { text: 'its faults', data: checkedSchema, example: { ok: true, faults: [] } },
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
    description: 'With `format=yaml`, or where `Accept` asks for it, as a document that can be changed and sent again.',
    query: z.strictObject({ format: z.enum(['json', 'yaml']).optional().describe('stands above Accept') }),
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
      'As JSON or as YAML. Lists are replaced whole; absent fields stay unchanged. What is built in is a conflict: make a copy of it.',
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
