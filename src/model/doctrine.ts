import { z } from 'zod';
import { roles } from './actor.ts';
import { builtinRuleIds } from './builtin_rules.ts';
import { autonomies, postures, threatLevels } from './posture.ts';
import {
  between,
  count,
  isOnceEach,
  name,
  namedObject,
  someOf,
  textUpTo,
  timestamp,
  uuid,
  wholeBetween,
} from './scalar.ts';
import { settingSchema } from './setting.ts';
import { alertSeverities } from './zone.ts';

/** Responses to a track. They use own vehicles, or notify a person. No response acts against the track. */
export const responses = ['observe', 'investigate', 'shadow', 'escort', 'return', 'notify', 'none'] as const;
export type Response = (typeof responses)[number];
/** Responses that may begin without a person, because no vehicle moves. */
const unmoving: ReadonlySet<Response> = new Set(['observe', 'notify', 'none']);

const approvals = wholeBetween(0, 2).describe('number of persons who must approve; two means two different users');
const someResponses = someOf(responses);

const matrixRow = z
  .strictObject({
    level: z.enum(threatLevels),
    affiliation: z.enum(['friend', 'hostile', 'neutral', 'unknown', 'any']),
    offer: someResponses.min(1),
    automatic: someResponses.describe('offered responses that start without a person, if autonomy allows it'),
    approvals,
  })
  .superRefine(({ offer, automatic }, context) => {
    for (const [index, response] of automatic.entries()) {
      const path = ['automatic', index];
      if (!unmoving.has(response))
        context.addIssue({
          code: 'custom',
          path,
          message: `must not be ${response}: a response that moves a vehicle needs a person`,
        });
      else if (!offer.includes(response))
        context.addIssue({
          code: 'custom',
          path,
          message: `must be one of the responses in 'offer' of this row; ${response} is not`,
        });
    }
  });

/**
 * Matrix of responses. The first row that fits a track applies; the last row must fit every track and offer nothing.
 */
const matrix = z
  .array(matrixRow)
  .min(1)
  .max(64)
  .superRefine((rows, context) => {
    const last = rows.at(-1);
    if (last?.level === 'none' && last.affiliation === 'any' && last.offer.join() === 'none') return;
    context.addIssue({
      code: 'custom',
      path: [Math.max(0, rows.length - 1)],
      message:
        'must have level none, affiliation any and offer [none], because it is the last row and must fit every track',
    });
  });

const posture = z.strictObject({
  id: z.enum(postures),
  description: textUpTo(500),
  autonomy_cap: z.enum(autonomies).describe('upper limit of autonomy for every decision config'),
  matrix,
});

const release = z.strictObject({
  response: z.enum(responses),
  class: z.enum(['none', 'safer', 'observation', 'movement']),
  role: z.enum(roles).describe('least role that may approve'),
  approvals,
  expires_s: between(5, 3_600).describe('seconds after which an unanswered plan expires'),
});

const share = between(0, 1);
const planningProfile = z.strictObject({
  id: name,
  weights: z
    .strictObject({ time: share, energy: share, sensor_fit: share, link_range: share, separation: share })
    .describe('weights of the assignment of vehicles to threats'),
  max_assets: wholeBetween(1, 16),
  reserve_pct: between(5, 90),
});

const ruleSwitch = { id: z.enum(builtinRuleIds), severity: z.enum(alertSeverities), enabled: z.boolean() };
const rule = z.strictObject({ ...ruleSwitch, description: z.string().max(500) });

const firing = z.strictObject({
  count,
  suppressed: count,
  last_at: timestamp.nullable(),
  last_track_id: uuid.nullable(),
});

const authored = {
  postures: z.array(posture).superRefine(exactly('id', postures)),
  release_table: z.array(release).superRefine(exactly('response', responses)),
  rules: z.array(rule).superRefine(exactly('id', builtinRuleIds)),
  planning_profiles: z
    .array(planningProfile)
    .min(1)
    .max(32)
    .refine((profiles) => isOnceEach(profiles.map(({ id }) => id)), 'contains an id twice'),
};

const hash = z.string().regex(/^sha256:[0-9a-f]{64}$/);

/** `GET /api/doctrine`: the whole doctrine in one answer. */
export const doctrineSchema = z
  .strictObject({
    version: count.describe('0 before the first import'),
    hash: hash.describe('hash of postures, release table, rules and planning profiles; equal for an equal doctrine'),
    ...authored,
    settings: z.array(settingSchema).describe('present settings, independent of the version'),
    firing: z.record(z.string(), firing).describe('present counts by rule id, independent of the version'),
  })
  .meta({
    id: 'Doctrine',
    description: 'Offered responses by threat level and affiliation, their approvals, and the settings in force',
  });
export type Doctrine = z.infer<typeof doctrineSchema>;

/** A saved version, without its content. */
export const doctrineVersionSchema = namedObject('DoctrineVersion', {
  version: count,
  hash,
  saved_at: timestamp,
  saved_by: z.string(),
});
export type DoctrineVersion = z.infer<typeof doctrineVersionSchema>;

/** Parts of a doctrine that people write. */
export const doctrineBodySchema = z.strictObject(authored);
export type DoctrineBody = z.infer<typeof doctrineBodySchema>;

/** Document to import. `version`, `settings` and `firing` are accepted and ignored. */
export const doctrineFileSchema = z.strictObject({
  hash: z.string().max(120).optional(),
  version: count.optional(),
  ...authored,
  settings: z.array(z.unknown()).max(10_000).optional(),
  firing: z.record(z.string().max(120), z.unknown()).optional(),
});
export type DoctrineFile = z.infer<typeof doctrineFileSchema>;

/** Builds the check of a list of rows: the field `key` must have each of `values` in exactly one row, in any order. */
function exactly<K extends string>(key: K, values: readonly string[]) {
  return (rows: readonly Record<K, string>[], context: z.RefinementCtx): void => {
    const seen = new Set<string>();
    for (const [index, row] of rows.entries()) {
      if (seen.has(row[key]))
        context.addIssue({
          code: 'custom',
          path: [index, key],
          message: `must not be listed twice: ${row[key]}`,
        });
      seen.add(row[key]);
    }
    const missing = values.filter((value) => !seen.has(value));
    if (missing.length > 0) context.addIssue({ code: 'custom', message: `has no entry for ${missing.join(', ')}` });
  };
}
