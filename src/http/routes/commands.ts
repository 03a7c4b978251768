import { z } from 'zod';
import { assetCommandSchema, commandSchema } from '../../model/command.ts';
import { Fault } from '../../model/fault.ts';
import { taskSchema } from '../../model/task.ts';
import { sampleCommand, sampleCommandBody, sampleTask } from '../openapi/fleet_samples.ts';
import { idParams, route } from '../route.ts';

/** An asset by its uuid, or a vehicle by any name it is known by. */
const whom = z.strictObject({
  id: z.string().min(1).max(120).describe('uuid of the asset, adoption key, or id of a twin'),
});
const commandParams = z.strictObject({ id: z.string().min(1).max(120).describe('the command_id') });
const page = z.strictObject({
  limit: z.int().min(1).max(1_000).default(200).meta({ description: 'rows in an answer' }),
  cursor: z.string().min(1).max(500).optional().meta({ description: 'X-Next-Cursor of the answer before' }),
});
const one = { text: 'the command', data: commandSchema, example: sampleCommand };
const oneTask = { text: 'the task', data: taskSchema, example: sampleTask };
const cancelBody = z
  .strictObject({
    reason: z.string().trim().min(1).max(500).optional(),
    operator: z.string().trim().min(1).max(120).optional().describe('who ends it, where nobody signed in'),
  })
  .meta({ id: 'TaskCancel' });

export const commandRoutes = [
  route({
    method: 'POST',
    path: '/assets/{id}/command',
    summary: 'Tell a vehicle to do something that it advertises',
    description:
      'Answers once the first datagram has left, without waiting for the vehicle; what becomes of it is told by ' +
      '`command_update` and by `GET /commands/{id}`. `done` follows from its telemetry and not from its acknowledgement. The ' +
      '`command_id` makes sending it again harmless. Movements take a person who signed in, a key with `may_command`, or on an ' +
      'open surface that allows them `operator` and `reason`. A key without `may_command`, and on an open surface of ' +
      '`observe_only` a caller who gives `operator`, may only hold a vehicle that flies under our own order.',
    tag: 'fleet',
    params: whom,
    body: { schema: assetCommandSchema, example: sampleCommandBody },
    answer: one,
    errors: ['forbidden', 'not_found', 'conflict', 'rate_limited', 'not_built', 'unavailable'],
    role: 'operator',
    write: true,
    inRecovery: ({ verb }) => verb === 'hold',
    handler: ({ params, body, by }, { commands }) =>
      commands.command(params.id, body, {
        ...{ by: by.actor, key: by.key, operator: body.operator ?? null, why: body.reason ?? null, engagementId: null },
      }),
  }),
  route({
    method: 'GET',
    path: '/assets/{id}/commands',
    summary: 'What an asset was told, the newest first',
    tag: 'fleet',
    params: idParams,
    query: page,
    answer: { text: 'the commands', data: z.array(commandSchema), example: [sampleCommand], paged: true },
    role: 'viewer',
    write: false,
    handler: ({ params, query, ctx }, { commands, registry }) => {
      if (!registry.assets.find(params.id)) {
        throw new Fault('not_found', `there is no asset with the id ${params.id} in this workspace`);
      }
      const { rows, next } = commands.book.ofAsset(params.id, query.limit, cursorOf(query.cursor));
      if (next !== null) ctx.set('X-Next-Cursor', String(next));
      return rows;
    },
  }),
  route({
    method: 'GET',
    path: '/commands/{id}',
    summary: 'One command, and what became of it',
    tag: 'fleet',
    params: commandParams,
    answer: one,
    errors: ['not_found'],
    role: 'viewer',
    write: false,
    handler: ({ params }, { commands }) => {
      const command = commands.book.get(params.id);
      if (!command) throw new Fault('not_found', `there is no command with the id ${params.id} in this workspace`);
      return command;
    },
  }),
  route({
    method: 'GET',
    path: '/tasks',
    summary: 'What vehicles do for a while, and did, the newest first',
    tag: 'fleet',
    query: page.pick({ limit: true }),
    answer: { text: 'the tasks', data: z.array(taskSchema), example: [sampleTask] },
    role: 'viewer',
    write: false,
    handler: ({ query }, { commands }) => commands.tasks(query.limit),
  }),
  route({
    method: 'GET',
    path: '/tasks/{id}',
    summary: 'One task',
    tag: 'fleet',
    params: idParams,
    answer: oneTask,
    role: 'viewer',
    write: false,
    handler: ({ params }, { commands }) => {
      const task = commands.task(params.id);
      if (!task) throw new Fault('not_found', `there is no task with the id ${params.id} in this workspace`);
      return task;
    },
  }),
  route({
    method: 'POST',
    path: '/tasks/{id}/cancel',
    summary: 'End a task: a vehicle that it moves holds',
    tag: 'fleet',
    params: idParams,
    body: { schema: cancelBody, example: { reason: 'the owner was reached' } },
    answer: oneTask,
    errors: ['conflict', 'unavailable'],
    role: 'operator',
    write: true,
    handler: ({ params, body, by }, { commands }) =>
      commands.cancel(params.id, body.reason ?? null, by.actor, { key: by.key, operator: body.operator ?? null }),
  }),
];

function cursorOf(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new Fault('invalid_input', "'cursor' is none that an answer carried");
}
