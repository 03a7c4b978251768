import { unavailable } from '../../model/fault.ts';
import { type HoldSpec, holdSchema, holdSpecSchema } from '../../model/hold.ts';
import { type Retention, retentionSchema, retentionSpecSchema } from '../../model/retention.ts';
import { requireFirst } from '../first_workspace.ts';
import { sampleHold, sampleRetention } from '../openapi/settings_samples.ts';
import { audience, type Room, route } from '../route.ts';
import { deleted, listOf } from './answers.ts';
import { firstRows, listQuery } from './paging.ts';

const holdExample: HoldSpec = { since: '2025-06-01T10:00:00Z', until: '2025-06-01T12:00:00Z', reason: 'case 17/25' };

const { viewers, owners } = audience('log');

const retentionAnswer = { text: 'the retention', data: retentionSchema, example: sampleRetention };
const holdAnswer = { text: 'the hold', data: holdSchema, example: sampleHold };

export const retentionRoutes = [
  route('GET /retention', {
    ...viewers,
    summary: 'Get retention limits and usage',
    answer: retentionAnswer,
    handler: (_call, room) => retentionOf(room),
  }),
  route('PUT /retention', {
    ...owners,
    summary: 'Set retention limits',
    description:
      'Takes effect at once: whole days are deleted, the oldest first, until both limits are met. Days under hold ' +
      'are kept.',
    body: { schema: retentionSpecSchema, example: { days: 60, bytes: 40_000_000_000 } },
    answer: retentionAnswer,
    errors: [],
    handler: ({ body, by }, room) => {
      room.registry.retention.set(body, by.actor);
      return retentionOf(room);
    },
  }),
  route('POST /retention/confirm-clock', {
    ...owners,
    summary: 'Confirm the clock of the box',
    description:
      'Nothing is pruned by age while the clock has no trusted source, or after a step of more than a day. Compare ' +
      'the clock with the true time first, because data pruned by a wrong clock is lost. Only owners of the first ' +
      'workspace may confirm.',
    answer: retentionAnswer,
    handler: ({ by }, room) => {
      requireFirst(by, room, true, 'the clock belongs to');
      const { clock } = room.registry.retention;
      if (clock === null) throw unavailable('the service has not checked the clock of the box yet');
      clock.confirm(by.actor);
      return retentionOf(room);
    },
  }),
  route('GET /holds', {
    ...owners,
    summary: 'List holds',
    query: listQuery,
    answer: listOf('the holds, newest first', holdSchema, sampleHold),
    handler: ({ query }, { registry }) => firstRows(registry.holds.list(), query),
  }),
  route('POST /holds', {
    ...owners,
    summary: 'Create hold of a track or a period',
    description: 'Days with data under hold are kept completely, and do not count against the size limit.',
    body: { schema: holdSpecSchema, example: holdExample },
    answer: holdAnswer,
    errors: ['not_found', 'conflict', 'rate_limited', 'unavailable'],
    handler: async ({ body, by }, { registry, shown }) => {
      if (body.track_id != null) await shown.tracks.requireKnown(body.track_id);
      return registry.holds.create(body, by.actor);
    },
  }),
  route('GET /holds/{id}', {
    ...owners,
    summary: 'Get hold',
    answer: holdAnswer,
    handler: ({ params }, { registry }) => registry.holds.get(params.id),
  }),
  route('DELETE /holds/{id}', {
    ...owners,
    summary: 'Delete hold',
    answer: deleted,
    errors: [],
    handler: ({ params, by }, { registry }) => registry.holds.remove(params.id, by.actor),
  }),
];

function clockOf({ registry }: Room): Retention['clock'] {
  const status = registry.retention.clock?.status();
  if (!status)
    return { trust: 'none', prunes: false, reason: 'the service has not checked the clock of the box yet', ran_s: 0 };
  const { ranMs, ...rest } = status;
  return { ...rest, ran_s: Math.floor(ranMs / 1_000) };
}

function retentionOf(room: Room): Retention {
  const { bytes, heldBytes, note } = room.workspace.history.status();
  return {
    ...room.registry.retention.get(),
    used_bytes: bytes,
    held_bytes: heldBytes,
    clock: clockOf(room),
    note,
  };
}
