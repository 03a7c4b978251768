import type { Context } from 'koa';
import { z } from 'zod';
import { scenarioPatchSchema, scenarioSchema, scenarioSpecSchema } from '../../model/scenario.ts';
import type { Registry } from '../../registry/registry.ts';
import { ScenarioDesk } from '../../worlds/sim/scenarios/desk.ts';
import { readText, requireMediaType } from '../body.ts';
import { sampleScenario, sampleScenarioSpec, sampleScenarioText } from '../openapi/scenario_samples.ts';
import { FileAnswer, idParams, type Room, route } from '../route.ts';
import { deleted } from './answers.ts';
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

function deskOf(registry: Registry): ScenarioDesk {
  return new ScenarioDesk(registry);
}

/** The document as it came: what is wrong with it is told by line and column. */
function textOf(ctx: Context, { settings, budget }: Room): Promise<string> {
  requireMediaType(ctx.req, [json, yaml]);
  return readText(ctx.req, ctx.res, settings.limits.bodyBytes, budget);
}

export const scenarioRoutes = [
  route({
    method: 'GET',
    path: '/scenarios',
    summary: 'All scenarios',
    tag: 'simulator',
    query: listQuery,
    answer: {
      text: 'those that are built in, then the others by name',
      data: z.array(scenarioSchema),
      example: [sampleScenario],
    },
    role: 'viewer',
    write: false,
    handler: ({ query }, { registry }) => firstRows(deskOf(registry).list(), query),
  }),
  route({
    method: 'POST',
    path: '/scenarios',
    summary: 'Make a scenario',
    description:
      'As JSON or as YAML. Who flies, what is looked at with, and what must come of it; places are metres from `origin`. A ' +
      'document that does not fit together is 400, and its sentence names every fault with line, column and path.',
    tag: 'simulator',
    body: { schema: scenarioSpecSchema, example: sampleScenarioSpec, files },
    answer,
    errors: ['conflict', 'unavailable'],
    role: 'operator',
    write: true,
    handler: async ({ ctx, by }, room) => deskOf(room.registry).create(await textOf(ctx, room), by.actor),
  }),
  route({
    method: 'POST',
    path: '/scenarios/check',
    summary: 'Say what is wrong with a scenario',
    description:
      'Nothing is kept. Takes what making a scenario takes; a text that is no scenario at all is answered too.',
    tag: 'simulator',
    body: {
      schema: z.string(),
      example: sampleScenarioText,
      text: { type: yaml, bytes: 1024 * 1024, also: json },
    },
    answer: { text: 'its faults', data: checkedSchema, example: { ok: true, faults: [] } },
    role: 'viewer',
    write: false,
    handler: ({ body }, { registry }) => {
      const faults = deskOf(registry).check(body);
      return { ok: faults.length === 0, faults };
    },
  }),
  route({
    method: 'GET',
    path: '/scenarios/{id}',
    summary: 'One scenario',
    description: 'With `format=yaml`, or where `Accept` asks for it, as a document that can be changed and sent again.',
    tag: 'simulator',
    params: idParams,
    query: z.strictObject({ format: z.enum(['json', 'yaml']).optional().meta({ description: 'stands above Accept' }) }),
    answer: { ...answer, files },
    role: 'viewer',
    write: false,
    handler: ({ params, query, ctx }, { registry }) => {
      const format = query.format ?? (ctx.accepts(json, yaml) === yaml ? 'yaml' : 'json');
      const desk = deskOf(registry);
      return format === 'json' ? desk.get(params.id) : new FileAnswer(`${yaml}; charset=utf-8`, desk.text(params.id));
    },
  }),
  route({
    method: 'POST',
    path: '/scenarios/{id}',
    summary: 'Change a scenario',
    description:
      'As JSON or as YAML. Lists are replaced whole; what is absent stays unchanged. What is built in is a conflict: make a copy of it.',
    tag: 'simulator',
    params: idParams,
    body: { schema: scenarioPatchSchema, example: { duration_s: 180 }, files },
    answer,
    errors: ['conflict', 'unavailable'],
    role: 'operator',
    write: true,
    handler: async ({ params, ctx, by }, room) =>
      deskOf(room.registry).update(params.id, await textOf(ctx, room), by.actor),
  }),
  route({
    method: 'DELETE',
    path: '/scenarios/{id}',
    summary: 'Take away a scenario',
    tag: 'simulator',
    params: idParams,
    answer: deleted,
    errors: ['conflict', 'unavailable'],
    role: 'operator',
    write: true,
    handler: ({ params, by }, { registry }) => {
      deskOf(registry).remove(params.id, by.actor);
      return { deleted: true };
    },
  }),
];
