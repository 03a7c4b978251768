import { z } from 'zod';
import { assetKey } from './asset.ts';
import { name, namedObject, seenVersion, timestamp, uuid } from './scalar.ts';
import { affiliations } from './track.ts';

export type Affiliation = (typeof affiliations)[number];

export const assignmentSchema = z
  .strictObject({
    id: uuid,
    asset_id: uuid,
    serial: z.string().nullable().describe('the key that the asset carried then'),
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
    superseded_by: z.string().nullable().describe('the assignment that took its place'),
    expires_at: timestamp.nullable(),
    version: z.int(),
    updated_at: timestamp,
  })
  .meta({ id: 'Assignment', description: 'What a person holds an asset for. At most one of an asset is active.' });
export type Assignment = z.infer<typeof assignmentSchema>;

const text = z.string().trim().max(120).nullish();
const reason = z.string().trim().max(1_000).nullish();
const expires = timestamp.nullish().describe('from then on it is inactive');

export const assignmentCreateSchema = namedObject('AssignmentCreate', {
  asset_id: uuid,
  affiliation: z.enum(affiliations),
  active: z.boolean().nullish().describe('true where it is absent'),
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
    operator: text.describe('empty takes it away'),
    role: text.describe('empty takes it away'),
    reason,
    expires_at: z
      .union([timestamp, z.literal('')])
      .nullish()
      .meta({ type: 'string', description: 'from then on it is inactive; empty takes it away' }),
    version: seenVersion,
  })
  .meta({ id: 'AssignmentUpdate', description: 'What is absent or null stays unchanged' });
export type AssignmentUpdate = z.infer<typeof assignmentUpdateSchema>;
