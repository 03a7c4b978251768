import { z } from 'zod';
import { assetKey } from './asset.ts';
import { name, namedObject, seenVersion, timestamp, uuid } from './scalar.ts';
import { affiliations } from './track.ts';

export type Affiliation = (typeof affiliations)[number];

export const assignmentSchema = z
  .strictObject({
    id: uuid,
    asset_id: uuid,
    serial: z.string().nullable().describe('key of the asset at the time of the assignment'),
    name: z.string().nullable(),
    affiliation: z.enum(affiliations),
    active: z.boolean(),
    operator: z.string().nullable(),
    role: z.string().nullable(),
    reason: z.string().nullable(),
    source: z.enum(['registry', 'operator', 'import']),
    confirmed: z.boolean(),
    created_at: timestamp,
    created_by: z.string(),
    superseded_at: timestamp.nullable(),
    superseded_by: z.string().nullable().describe('id of the assignment that replaced this one'),
    expires_at: timestamp.nullable(),
    version: z.int(),
    updated_at: timestamp,
  })
  .meta({
    id: 'Assignment',
    description:
      'Affiliation, role and operator that a person gave an asset. An asset has at most one active assignment.',
  });
export type Assignment = z.infer<typeof assignmentSchema>;

const text = z.string().trim().max(120).nullish();
const reason = z.string().trim().max(1_000).nullish();
const expires = timestamp.nullish().describe('time from which the assignment is inactive');

export const assignmentCreateSchema = namedObject('AssignmentCreate', {
  asset_id: uuid,
  affiliation: z.enum(affiliations),
  active: z.boolean().nullish().describe('default true'),
  operator: text,
  role: text,
  reason,
  expires_at: expires,
});
export type AssignmentCreate = z.infer<typeof assignmentCreateSchema>;

export const assignmentConfirmSchema = namedObject('AssignmentConfirm', {
  serial: assetKey,
  affiliation: z.enum(affiliations),
  name: name.nullish(),
  operator: text,
  role: text,
  reason,
  expires_at: expires,
});
export type AssignmentConfirm = z.infer<typeof assignmentConfirmSchema>;

export const assignmentUpdateSchema = z
  .strictObject({
    active: z.boolean().nullish(),
    affiliation: z.enum(affiliations).nullish(),
    operator: text.describe('an empty text removes the value'),
    role: text.describe('an empty text removes the value'),
    reason,
    expires_at: z
      .union([timestamp, z.literal('')])
      .nullish()
      .meta({
        type: 'string',
        description: 'time from which the assignment is inactive; an empty text removes the end',
      }),
    version: seenVersion,
  })
  .meta({ id: 'AssignmentUpdate', description: 'Absent and null fields stay unchanged' });
export type AssignmentUpdate = z.infer<typeof assignmentUpdateSchema>;
