import { z } from 'zod';
import { Fault } from '../../model/fault.ts';
import type { HoldSpec } from '../../model/hold.ts';
import { holdSchema, holdSpecSchema } from '../../model/hold.ts';
import { type Retention, retentionSchema, retentionSpecSchema } from '../../model/retention.ts';
import { requireFirst } from '../first_workspace.ts';
import { requireKnownTrack } from '../known_track.ts';
import { sampleHold, sampleRetention } from '../openapi/care_samples.ts';
import { idParams, type Room, route } from '../route.ts';
import { firstRows, listQuery } from './paging.ts';

const holdExample: HoldSpec = { since: '2025-06-01T10:00:00Z', until: '2025-06-01T12:00:00Z', reason: 'case 17/25' };

export const retentionRoutes = [
  route({
    method: 'GET',
    path: '/retention',
    summary: 'How much history is kept, and how much there is',
    tag: 'log',
    answer: { text: 'the retention', data: retentionSchema, example: sampleRetention },
    role: 'viewer',
    write: false,
    handler: (_call, room) => retentionOf(room),
  }),
  route({
    method: 'PUT',
    path: '/retention',
    summary: 'Say how much history is to be kept',
    description: 'Takes effect at once: whole days go, the oldest first, until both limits hold. Days under hold stay.',
    tag: 'log',
    body: { schema: retentionSpecSchema, example: { days: 60, bytes: 40_000_000_000 } },
    answer: { text: 'the retention', data: retentionSchema, example: sampleRetention },
    role: 'owner',
    write: true,
    handler: ({ body, by }, room) => {
      room.registry.retention.set(body, by.actor);
      return retentionOf(room);
    },
  }),
  route({
    method: 'POST',
    path: '/retention/confirm-clock',
    summary: 'Confirm that the clock of the box is right',
    description:
      'Nothing is pruned by age while the clock is unproven or after it stepped by over a day. Compare it with the time first: what a wrong clock prunes is gone. Only an owner of the first workspace may.',
    tag: 'log',
    answer: { text: 'the retention', data: retentionSchema, example: sampleRetention },
    errors: ['conflict', 'unavailable'],
    role: 'owner',
    write: true,
    handler: ({ by }, room) => {
      requireFirst(by, room, true, 'the clock is of');
      const { clock } = room.registry.retention;
      if (clock === null) throw new Fault('unavailable', 'the clock of the box is not watched yet');
      clock.confirm(by.actor);
      return retentionOf(room);
    },
  }),
  route({
    method: 'GET',
    path: '/holds',
    summary: 'What is kept from retention',
    tag: 'log',
    query: listQuery,
    answer: { text: 'the holds, newest first', data: z.array(holdSchema), example: [sampleHold] },
    role: 'owner',
    write: false,
    handler: ({ query }, { registry }) => firstRows(registry.holds.list(), query),
  }),
  route({
    method: 'POST',
    path: '/holds',
    summary: 'Keep a track or a period from retention',
    description: 'Days that have something under hold stay whole and do not count against the size limit.',
    tag: 'log',
    body: { schema: holdSpecSchema, example: holdExample },
    answer: { text: 'the hold', data: holdSchema, example: sampleHold },
    errors: ['not_found', 'conflict', 'rate_limited', 'unavailable'],
    role: 'owner',
    write: true,
    handler: async ({ body, by }, { registry, service }) => {
      if (body.track_id != null) await requireKnownTrack(service, body.track_id);
      return registry.holds.create(body, by.actor);
    },
  }),
  route({
    method: 'GET',
    path: '/holds/{id}',
    summary: 'One hold',
    tag: 'log',
    params: idParams,
    answer: { text: 'the hold', data: holdSchema, example: sampleHold },
    role: 'owner',
    write: false,
    handler: ({ params }, { registry }) => registry.holds.get(params.id),
  }),
  route({
    method: 'DELETE',
    path: '/holds/{id}',
    summary: 'Let retention have what was held',
    tag: 'log',
    params: idParams,
    answer: {
      text: 'done',
      data: z.strictObject({ deleted: z.literal(true) }).meta({ id: 'Deleted' }),
      example: { deleted: true },
    },
    role: 'owner',
    write: true,
    handler: ({ params, by }, { registry }) => {
      registry.holds.remove(params.id, by.actor);
      return { deleted: true };
    },
  }),
];

function clockOf({ registry }: Room): Retention['clock'] {
  const status = registry.retention.clock?.status();
  if (!status) return { trust: 'none', prunes: false, reason: 'the clock of the box is not watched yet', ran_s: 0 };
  const { ranMs, ...rest } = status;
  return { ...rest, ran_s: Math.floor(ranMs / 1_000) };
}

function retentionOf(room: Room): Retention {
  const { service, registry } = room;
  const { bytes, heldBytes, note } = service.stored();
  return { ...registry.retention.get(), used_bytes: bytes, held_bytes: heldBytes, clock: clockOf(room), note };
}
