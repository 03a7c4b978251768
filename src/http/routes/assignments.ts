import {
  assignmentConfirmSchema,
  assignmentCreateSchema,
  assignmentSchema,
  assignmentUpdateSchema,
} from '../../model/assignment.ts';
import { sampleAsset, sampleAssignment } from '../openapi/registry_samples.ts';
import { jsonRows } from '../own_answer.ts';
import { audience, route } from '../route.ts';
import { listOf } from './answers.ts';
import { listQuery } from './paging.ts';

const { viewers, operators } = audience('assignments');

const answer = { text: 'the assignment', data: assignmentSchema, example: sampleAssignment };

export const assignmentRoutes = [
  route('GET /assignments', {
    ...viewers,
    summary: 'List assignments',
    query: listQuery,
    answer: listOf('the assignments, newest first', assignmentSchema, sampleAssignment),
    handler: ({ query }, { registry }) => jsonRows(registry.assignments.texts(query.limit)),
  }),
  route('POST /assignments', {
    ...operators,
    summary: 'Create assignment: give an asset an affiliation',
    description:
      "A new assignment is active unless `active` is false. An active assignment replaces the asset's previous one.",
    body: {
      schema: assignmentCreateSchema,
      example: { asset_id: sampleAsset.id, affiliation: 'friend', operator: 'watch north' },
    },
    answer,
    errors: ['not_found', 'unavailable'],
    handler: ({ body, by }, { registry }) => registry.assignments.create(body, by.actor),
  }),
  route('POST /assignments/confirm', {
    ...operators,
    summary: 'Confirm the affiliation of a serial',
    description:
      'For a serial without an asset, an asset is created: a platform for the affiliation friend, else an emitter. ' +
      'Confirming an emitter as a friend makes it a platform.',
    body: {
      schema: assignmentConfirmSchema,
      example: { serial: '1581F5FKD2294A000009', affiliation: 'hostile', operator: 'watch north' },
    },
    answer: { ...answer, text: 'the assignment, which is now active' },
    handler: ({ body, by }, { registry }) => registry.assignments.confirm(body, by.actor),
  }),
  route('GET /assignments/{id}', {
    ...viewers,
    summary: 'Get assignment',
    answer,
    handler: ({ params }, { registry }) => registry.assignments.get(params.id),
  }),
  route('POST /assignments/{id}', {
    ...operators,
    summary: 'Update assignment',
    body: { schema: assignmentUpdateSchema, example: { active: false } },
    answer: { ...answer, text: 'the changed assignment' },
    handler: ({ params, body, by }, { registry }) => registry.assignments.update(params.id, body, by.actor),
  }),
];
