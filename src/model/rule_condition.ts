import { z } from 'zod';
import { isUuid } from './ids.ts';
import { factsOfField, opsOfField, type RuleField, ruleFieldNames, ruleOps } from './rule_fields.ts';
import { lat, lon, positiveUpTo, uuid } from './scalar.ts';
import { zoneKinds } from './zone.ts';

const MOST_IN_LIST = 50;
const MOST_TEXT = 120;

const m = positiveUpTo(1_000_000);
const places = {
  point: z.strictObject({ lat, lon, m }),
  asset: z.strictObject({ asset_id: uuid, m }),
  zone: z.strictObject({ zone_id: uuid, m }),
};
export type RulePlace = z.infer<typeof places.point> | z.infer<typeof places.asset> | z.infer<typeof places.zone>;

const point = {
  type: 'object',
  additionalProperties: false,
  required: ['m'],
  properties: {
    lat: { type: 'number' },
    lon: { type: 'number' },
    asset_id: { type: 'string', format: 'uuid' },
    zone_id: { type: 'string', format: 'uuid' },
    m: { type: 'number', description: 'distance to {lat, lon}, the asset or the zone, m' },
  },
};
const word = { type: 'string', maxLength: MOST_TEXT };

const conditionFields = z.strictObject({
  field: z.enum(ruleFieldNames),
  op: z.enum(ruleOps),
  value: z
    .unknown()
    .optional()
    .meta({
      description: 'compared value, of the type of the field; absent with `changed`',
      anyOf: [
        { type: 'number' },
        { type: 'boolean' },
        word,
        { type: 'array', minItems: 1, maxItems: MOST_IN_LIST, items: { anyOf: [word, { type: 'number' }] } },
        point,
      ],
    }),
});
export type RuleCondition = { field: RuleField; op: (typeof ruleOps)[number]; value?: unknown };

/** One condition about a track or a sensor. */
export const conditionSchema = conditionFields
  .superRefine((condition, context) => {
    const fault = faultOf(condition);
    if (fault) context.addIssue({ code: 'custom', path: fault.path, message: fault.message });
  })
  .meta({ id: 'RuleCondition' });

type Found = { path: PropertyKey[]; message: string };

function faultOf({ field, op, value }: RuleCondition): Found | null {
  const ops = opsOfField(field);
  if (!ops.includes(op))
    return { path: ['op'], message: `must be one of ${ops.join(', ')}, the operators of ${field}` };
  if (op === 'changed')
    return value === undefined
      ? null
      : { path: ['value'], message: "must be absent: the operator 'changed' compares with the previous value" };
  if (op !== 'in') return faultOfValue(field, value, ['value']);
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_IN_LIST)
    return { path: ['value'], message: `must be a list of 1 to ${MOST_IN_LIST} values for the operator 'in'` };
  for (const [index, entry] of value.entries()) {
    const fault = faultOfValue(field, entry, ['value', index]);
    if (fault) return fault;
  }
  return null;
}

function faultOfValue(field: RuleField, value: unknown, path: PropertyKey[]): Found | null {
  const facts = factsOfField(field);
  const wanted = (message: string): Found => ({ path, message: `${message} for the field ${field}` });
  switch (facts.kind) {
    case 'number':
      return typeof value === 'number' && value >= facts.min && value <= facts.max
        ? null
        : wanted(`must be a number from ${facts.min} to ${facts.max}${facts.unit ? ` ${facts.unit}` : ''}`);
    case 'flag':
      return typeof value === 'boolean' ? null : wanted('must be true or false');
    case 'words':
    case 'rank':
    case 'marks':
      return typeof value === 'string' && facts.words.includes(value)
        ? null
        : wanted(`must be one of ${facts.words.join(', ')}`);
    case 'texts':
      return typeof value === 'string' && value.trim() !== '' && value !== '*' && value.length <= MOST_TEXT
        ? null
        : wanted(
            `must be a text of 1 to ${MOST_TEXT} characters (one that ends in * matches every text with this beginning)`,
          );
    case 'zone':
      return typeof value === 'string' && (isUuid(value) || isZoneKind(value))
        ? null
        : wanted(`must be the id of a zone or one of ${zoneKinds.join(', ')}`);
    case 'position':
      return faultOfPlace(value, path);
  }
}

export function isZoneKind(word: string): boolean {
  return (zoneKinds as readonly string[]).includes(word);
}

function faultOfPlace(value: unknown, path: PropertyKey[]): Found | null {
  const message = 'must be {lat, lon, m}, {asset_id, m} or {zone_id, m}, m in metres above 0';
  if (typeof value !== 'object' || value === null) return { path, message };
  const shape = 'asset_id' in value ? places.asset : 'zone_id' in value ? places.zone : places.point;
  const read = shape.safeParse(value);
  if (read.success) return null;
  const at = read.error.issues[0]?.path ?? [];
  return { path: [...path, ...at], message: at.length === 0 ? message : `does not fit: a place ${message}` };
}

/**
 * Returns the place in a condition's value: a point, an asset or a zone; null if the value is no place. Ids are in
 * lower case.
 */
export function placeOf({ value }: RuleCondition): RulePlace | null {
  for (const shape of [places.point, places.asset, places.zone]) {
    const read = shape.safeParse(value);
    if (read.success) return read.data;
  }
  return null;
}
