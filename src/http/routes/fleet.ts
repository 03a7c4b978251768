import { z } from 'zod';
import { assetCommandSchema, commandSchema } from '../../model/command.ts';
import { invalidInput } from '../../model/fault.ts';
import { fleetRowSchema } from '../../model/fleet.ts';
import { namedObject, textUpTo, words } from '../../model/scalar.ts';
import { taskSchema } from '../../model/task.ts';
import { sampleCommand, sampleCommandBody, sampleFleetRow, sampleTask } from '../openapi/fleet_samples.ts';
import { audience, route } from '../route.ts';
import { found, listOf, pageOf } from './answers.ts';
import { firstRows, listQuery, positionQuery } from './paging.ts';

/** Path parameters of a route that names an asset by its UUID, or a vehicle by any of its keys. */
const vehicleParams = z.strictObject({
  id: textUpTo(120).describe('uuid of the asset, adoption key, or twin: and the actor of a simulated vehicle'),
});
const here = ' in this workspace';
const commandParams = z.strictObject({ id: textUpTo(120).describe('the command_id') });
const one = { text: 'the command', data: commandSchema, example: sampleCommand };
const oneTask = { text: 'the task', data: taskSchema, example: sampleTask };
const cancelBody = namedObject('TaskCancel', {
  reason: words(500).optional(),
  operator: words(120).optional().describe('who ends it, where nobody signed in'),
});

const { viewers, operators } = audience('fleet');

export const fleetRoutes = [
  route('GET /fleet', {
    ...viewers,
    summary: 'List friendly vehicles, received or adopted',
    description:
      'One row a vehicle, whatever the number of its links. `verbs` lists what it advertises; one that is not available now ' +
      'has the reason, in the sentence that its command would be refused with. Vehicles without an asset are shown and never ' +
      'commanded; bind their `key` to an asset to adopt them.',
    query: listQuery,
    answer: listOf('the vehicles', fleetRowSchema, sampleFleetRow),
    handler: ({ query }, { shown: { fleet } }) => firstRows(fleet.rows(), query),
  }),
  route('POST /assets/{id}/command', {
    ...operators,
    summary: 'Command a vehicle with an advertised verb',
    description:
      'Answers once the first datagram has left, without waiting for the vehicle; its outcome follows as ' +
      '`command_update` and in `GET /commands/{id}`. `done` follows from its telemetry and not from its acknowledgement. The ' +
      '`command_id` makes a repeated request harmless. Movements need a signed-in person or a key with `may_command`. On an ' +
      'open surface that allows them they need `operator` and `reason`. A key without `may_command` may only hold a ' +
      'vehicle that flies under our own order. On an open surface of `observe_only` so may a caller that gives `operator`.',
    params: vehicleParams,
    body: { schema: assetCommandSchema, example: sampleCommandBody },
    answer: one,
    errors: ['forbidden', 'not_found', 'conflict', 'rate_limited', 'not_built', 'unavailable'],
    inRecovery: ({ verb }) => verb === 'hold',
    handler: ({ params, body, by }, { shown: { commands } }) =>
      commands.command(params.id, body, {
        ...{ by: by.actor, key: by.key, operator: body.operator ?? null, why: body.reason ?? null, engagementId: null },
      }),
  }),
  route('GET /assets/{id}/commands', {
    ...viewers,
    summary: 'List commands of an asset',
    query: positionQuery,
    answer: pageOf('the commands', commandSchema, sampleCommand),
    handler: ({ params, query, ctx }, { registry, shown: { commands } }) => {
      found(registry.assets.find(params.id), 'asset', params.id, here);
      const { rows, next } = commands.log.ofAsset(params.id, query.limit, cursorOf(query.cursor));
      if (next !== null) ctx.set('X-Next-Cursor', String(next));
      return rows;
    },
  }),
  route('GET /commands/{id}', {
    ...viewers,
    summary: 'Get command and its outcome',
    params: commandParams,
    answer: one,
    errors: ['not_found'],
    handler: ({ params }, { shown: { commands } }) => found(commands.log.get(params.id), 'command', params.id, here),
  }),
  route('GET /tasks', {
    ...viewers,
    summary: 'List tasks of vehicles',
    query: positionQuery.pick({ limit: true }),
    answer: listOf('the tasks', taskSchema, sampleTask),
    handler: ({ query }, { shown: { commands } }) => commands.tasks(query.limit),
  }),
  route('GET /tasks/{id}', {
    ...viewers,
    summary: 'Get task',
    answer: oneTask,
    handler: ({ params }, { shown: { commands } }) => found(commands.task(params.id), 'task', params.id, here),
  }),
  route('POST /tasks/{id}/cancel', {
    ...operators,
    summary: 'Cancel task; its vehicle holds',
    body: { schema: cancelBody, example: { reason: 'the owner was reached' } },
    answer: oneTask,
    handler: ({ params, body, by }, { shown: { commands } }) =>
      commands.cancel(params.id, body.reason ?? null, by.actor, { key: by.key, operator: body.operator ?? null }),
  }),
];

function cursorOf(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw invalidInput("'cursor' is none that an answer carried");
}
