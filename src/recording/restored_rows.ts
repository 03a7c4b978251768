import { z } from 'zod';
import { alertSchema, alertSubjects, presentAlert } from '../model/alert.ts';
import { assetSchema } from '../model/asset.ts';
import { assignmentSchema } from '../model/assignment.ts';
import { builtinRuleIds } from '../model/builtin_rules.ts';
import { decisionPolicySchema } from '../model/decision_config.ts';
import { doctrineBodySchema } from '../model/doctrine.ts';
import { linkSpecSchema, linkStates } from '../model/link.ts';
import { observationSchema } from '../model/observation.ts';
import { regionSchema } from '../model/region.ts';
import { raisableLevels, ruleWhenSchema } from '../model/rule.ts';
import { between, count, positiveUpTo, textUpTo, wholeBetween } from '../model/scalar.ts';
import { detectionModelSchema, modalities, placementSchema, sensorSchema } from '../model/sensor.ts';
import { affiliationBases, affiliations, storedTrackSchema } from '../model/track.ts';
import { alertSeverities, zoneSchema } from '../model/zone.ts';

const id = textUpTo(200);
const label = z.string().max(1_000);
const version = count;
const seconds = between(0, 86_400);
const named = z.object({ id, name: label });
const flag = z.boolean();

const ruleCommon = {
  ...{ id, version, name: label, severity: z.enum(alertSeverities), forS: seconds, cooldownS: seconds },
  does: z.object({ alert: flag, log: flag, notify: flag, propose: flag.default(false) }),
};
const builtinRule = z.object({
  ...ruleCommon,
  builtin: z.enum(builtinRuleIds),
  parameters: z.record(z.string().max(60), z.number()),
});
const writtenRule = z.object({
  ...ruleCommon,
  builtin: z.null(),
  when: ruleWhenSchema,
  message: label,
  raiseLevel: z.enum(raisableLevels).nullable(),
});

const { rules: doctrineRules, ...doctrineRest } = doctrineBodySchema.shape;

/**
 * Schemas of the rows. Recordings of earlier versions may lack fields that have a default here. They may also lack
 * newer built-in rules of the doctrine, which the registry adds.
 */
const schemas = {
  settings: z.object({
    id,
    feeds: z.object({
      maxAgeS: between(0.1, 3_600),
      aheadS: between(0, 3_600),
      senderMsgsPerS: wholeBetween(1, 100_000),
      maxSenders: wholeBetween(1, 100_000),
    }),
    tracking: z
      .object({
        confirmHits: wholeBetween(1, 8),
        confirmWindowS: between(0.1, 120),
        coastS: between(0.1, 3_600),
        lostS: between(0.1, 3_600),
        closeS: between(0.1, 86_400),
        maxTracks: wholeBetween(1, 20_000),
      })
      .refine(({ coastS, lostS, closeS }) => coastS < lostS && lostS < closeS),
    sysid: wholeBetween(1, 255),
  }),
  links: z.object({ id, spec: linkSpecSchema, issued_for: id.nullable(), of_file: flag }),
  link_states: z.object({ id, state: z.enum(linkStates), error: label.nullable() }),
  sensors: z.object({
    ...{ id, name: label, modality: z.enum(modalities), placement: placementSchema.nullable() },
    heartbeatS: positiveUpTo(86_400),
    quietOk: flag.exactOptional(),
    detection: detectionModelSchema.exactOptional(),
    declaredBy: sensorSchema.shape.declared_by,
    linkId: id.nullable(),
    assetId: id.exactOptional(),
    fit: z.enum(['operational', 'degraded', 'off', 'failed', 'unknown']).exactOptional(),
    ...{ version, createdAt: label, updatedAt: label },
  }),
  assets: assetSchema,
  assignments: assignmentSchema,
  zones: zoneSchema,
  regions: regionSchema,
  rules: z.discriminatedUnion('builtin', [builtinRule, writtenRule]),
  decision: z.object({ id, policy: decisionPolicySchema, version }),
  doctrine: z.object({ id, version, ...doctrineRest, rules: z.array(doctrineRules.element) }),
  words: z.object({
    ...{ id, number: count, affiliation: z.enum(affiliations), affiliationBasis: z.enum(affiliationBases) },
    ...{ asset: named.nullable(), clonedOf: named.nullable(), visits: count, dismissed: flag },
    setAffiliation: z.enum(affiliations).nullable().default(null),
  }),
  tracks: storedTrackSchema,
  alerts: z.object({
    ...{ id, alert: z.preprocess(presentAlert, alertSchema), key: label.default('') },
    events: z
      .array(
        z.object({
          ...{ key: label, ruleId: label, ruleVersion: version, severity: z.enum(alertSeverities), text: label },
          subject: z.object({ type: z.enum(alertSubjects), id: label, label }),
          ...{ trackIds: z.array(id).max(50), zoneId: id.nullable(), count },
        }),
      )
      .max(200)
      .default([]),
  }),
  core: z.object({ id, seed: z.string().max(64), last_number: count }),
  ingest: observationSchema,
  changes: z.discriminatedUnion('what', [
    z.object({ what: z.literal('drop'), number: count }),
    z.object({ what: z.literal('merge'), number: count, into: count }),
  ]),
};

/** Type of the rows of each table that a replay restores, and of the records `ingest` and `change`. */
export type RestoredRow = { [Kind in keyof typeof schemas]: z.infer<(typeof schemas)[Kind]> };
type RowKind = keyof RestoredRow;

const forms: { readonly [Kind in RowKind]: z.ZodType<RestoredRow[Kind]> } = schemas;

/** Parses a row of a file that anyone may have made. Returns null if the row does not fit the schema of its kind. */
export function restoredRow<Kind extends RowKind>(kind: Kind, row: unknown): RestoredRow[Kind] | null {
  return forms[kind].safeParse(row).data ?? null;
}

/** Counts the rows of a recording that do not fit their schemas. */
export class RefusedRows {
  readonly #counts = new Map<RowKind, number>();
  total = 0;

  add(kind: RowKind, rows = 1): void {
    if (rows === 0) return;
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + rows);
    this.total += rows;
  }

  /** Returns the rows that fit their schema, and counts the others. */
  fitting<Kind extends RowKind>(kind: Kind, rows: Iterable<unknown>): RestoredRow[Kind][] {
    const fitting: RestoredRow[Kind][] = [];
    for (const row of rows) {
      const restored = restoredRow(kind, row);
      if (restored === null) this.add(kind);
      else fitting.push(restored);
    }
    return fitting;
  }

  get sentence(): string {
    const kinds = [...this.#counts].map(([kind, rows]) => `${rows} of ${kind}`).join(', ');
    return `rows of the recording are left out, because they are not valid for their table: ${kinds}`;
  }
}
