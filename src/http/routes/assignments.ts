import { z } from 'zod';
import {
  assignmentConfirmSchema,
  assignmentCreateSchema,
  assignmentSchema,
  assignmentUpdateSchema,
} from '../../model/assignment.ts';
import { sampleAsset, sampleAssignment } from '../openapi/registry_samples.ts';
import { idParams, route, TextRows } from '../route.ts';
import { listQuery } from './paging.ts';

export const assignmentRoutes = [
  route({
    method: 'GET',
    path: '/assignments',
    summary: 'All assignments',
    tag: 'assignments',
    query: listQuery,
    answer: { text: 'the assignments, newest first', data: z.array(assignmentSchema), example: [sampleAssignment] },
    role: 'viewer',
    write: false,
    handler: ({ query }, { registry }) => new TextRows(registry.assignments.texts(query.limit)),
  }),
  route({
    method: 'POST',
    path: '/assignments',
    summary: 'Hold an asset for something',
    description: 'An active assignment, which it is unless `active` is false, takes the place of the one before.',
    tag: 'assignments',
    body: {
      schema: assignmentCreateSchema,
      example: { asset_id: sampleAsset.id, affiliation: 'friend', operator: 'watch north' },
    },
    answer: { text: 'the assignment', data: assignmentSchema, example: sampleAssignment },
    errors: ['not_found', 'unavailable'],
    role: 'operator',
    write: true,
    handler: ({ body, by }, { registry }) => registry.assignments.create(body, by.actor),
  }),
  route({
    method: 'POST',
    path: '/assignments/confirm',
    summary: 'Confirm what the bearer of a serial is',
    description:
      'A serial that no asset carries becomes one: a platform where it is a friend, else an emitter. ' +
      'Confirming a friend makes an emitter a platform.',
    tag: 'assignments',
    body: {
      schema: assignmentConfirmSchema,
      example: { serial: '1581F5FKD2294A000009', affiliation: 'hostile', operator: 'watch north' },
    },
    answer: { text: 'the assignment, now the active one', data: assignmentSchema, example: sampleAssignment },
    errors: ['conflict', 'unavailable'],
    role: 'operator',
    write: true,
    handler: ({ body, by }, { registry }) => registry.assignments.confirm(body, by.actor),
  }),
  route({
    method: 'GET',
    path: '/assignments/{id}',
    summary: 'One assignment',
    tag: 'assignments',
    params: idParams,
    answer: { text: 'the assignment', data: assignmentSchema, example: sampleAssignment },
    role: 'viewer',
    write: false,
    handler: ({ params }, { registry }) => registry.assignments.get(params.id),
  }),
  route({
    method: 'POST',
    path: '/assignments/{id}',
    summary: 'Change an assignment',
    tag: 'assignments',
    params: idParams,
    body: { schema: assignmentUpdateSchema, example: { active: false } },
    answer: { text: 'the changed assignment', data: assignmentSchema, example: sampleAssignment },
    errors: ['conflict', 'unavailable'],
    role: 'operator',
    write: true,
    handler: ({ params, body, by }, { registry }) => registry.assignments.update(params.id, body, by.actor),
  }),
];
