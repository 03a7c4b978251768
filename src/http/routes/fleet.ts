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
  id: textUpTo(120).describe('UUID of the asset, its adoption key, or `twin:` and the actor id of a simulated vehicle'),
});
const here = ' in this workspace';
const commandParams = z.strictObject({ id: textUpTo(120).describe('the command_id') });
const one = { text: 'the command', data: commandSchema, example: sampleCommand };
const oneTask = { text: 'the task', data: taskSchema, example: sampleTask };
const cancelBody = namedObject('TaskCancel', {
  reason: words(500).optional(),
  operator: words(120).optional().describe('name of the person who cancels, without a sign-in'),
});

const { viewers, operators } = audience('fleet');

export const fleetRoutes = [
  route('GET /fleet', {
    ...viewers,
    summary: 'List friendly vehicles, received or adopted',
    description:
      'One row for each vehicle, however many links it has. `verbs` lists the advertised verbs. An unavailable verb ' +
      'has the reason, in the sentence with which a command would be refused. Vehicles without an asset are shown ' +
      'but cannot be commanded; bind their `key` to an asset to adopt them.',
    query: listQuery,
    answer: listOf('the vehicles', fleetRowSchema, sampleFleetRow),
    handler: ({ query }, { shown: { fleet } }) => firstRows(fleet.rows(), query),
  }),
  route('POST /assets/{id}/command', {
    ...operators,
    summary: 'Command a vehicle with an advertised verb',
    description:
      'Answers when the first datagram was sent, without waiting for the vehicle. The outcome follows as ' +
      '`command_update` and in `GET /commands/{id}`. `done` follows from telemetry, not from the acknowledgement. ' +
      'With the same `command_id`, a request may safely be repeated. Movements need a signed-in person or a key ' +
      'with `may_command`. On an open surface that allows movements, `operator` and `reason` are required. A key ' +
      'without `may_command` may use only the camera verbs, `request_status`, and `hold` for a vehicle that flies ' +
      'under an order of this service. On an open surface of `observe_only`, a caller may do the same; `hold` then ' +
      'needs `operator`.',
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
  throw invalidInput("'cursor' is not valid: use the value of X-Next-Cursor from the previous page");
}
