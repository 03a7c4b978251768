import { z } from 'zod';
import type { threatLevels } from './posture.ts';
import { conditionSchema, type RuleCondition } from './rule_condition.ts';
import { strayFields } from './rule_message.ts';
import { between, count, name, namedObject, patchOf, textUpTo, timestamp, uuid, words } from './scalar.ts';
import { alertSeverities } from './zone.ts';

export const MOST_RULES = 200;
const MOST_CONDITIONS = 20;

const conditions = z.array(conditionSchema).min(1).max(MOST_CONDITIONS);
export const ruleWhenSchema = z
  .strictObject({
    all: conditions.optional().describe('all conditions hold'),
    any: conditions.optional().describe('at least one condition holds'),
  })
  .superRefine(({ all, any }, context) => {
    if ((all === undefined) === (any === undefined))
      context.addIssue({ code: 'custom', message: 'must have either all or any, and not both; they cannot be nested' });
    const fields = (all ?? any ?? []).map(({ field }) => field.startsWith('sensor.'));
    const strange = fields.findIndex((ofSensor) => ofSensor !== fields[0]);
    if (strange > 0)
      context.addIssue({
        code: 'custom',
        path: [all ? 'all' : 'any', strange, 'field'],
        message: 'must be of the same kind as the first condition: a rule is either about tracks or about sensors',
      });
  })
  .meta({ id: 'RuleWhen', description: 'Conditions of which all or any hold; nesting is not possible' });
export type RuleWhen = z.infer<typeof ruleWhenSchema>;

export const raisableLevels = [
  'low',
  'medium',
  'high',
  'critical',
] as const satisfies readonly (typeof threatLevels)[number][];

const action = z
  .discriminatedUnion('do', [
    z.strictObject({ do: z.literal('alert') }),
    z.strictObject({ do: z.literal('log') }),
    z.strictObject({ do: z.literal('notify') }),
    z.strictObject({ do: z.literal('raise_level'), level: z.enum(raisableLevels) }),
    z.strictObject({ do: z.literal('propose_plan') }),
  ])
  .meta({ id: 'RuleAction' });
export type RuleAction = z.infer<typeof action>;

const then = z
  .array(action)
  .min(1)
  .max(5)
  .superRefine((actions, context) => {
    for (const [index, { do: what }] of actions.entries()) {
      const path = [index, 'do'];
      if (actions.findIndex((other) => other.do === what) < index)
        context.addIssue({ code: 'custom', path, message: `must not be listed twice: ${what}` });
    }
  })
  .describe('actions when the rule fires; a rule never commands an asset');

const forS = between(0, 3_600).describe('seconds for which the condition must hold without a break');
const cooldownS = between(0, 86_400).describe(
  'seconds after the end in which the same event is not raised again, unless it is more severe',
);
const message = words(500)
  .superRefine((text, context) => {
    for (const fault of strayFields(text)) context.addIssue({ code: 'custom', message: fault });
  })
  .describe('sentence for the operator; placeholders such as {track.label} are replaced by their values');

const common = {
  name,
  enabled: z.boolean(),
  when: ruleWhenSchema,
  for_s: forS,
  cooldown_s: cooldownS,
  then,
  severity: z.enum(alertSeverities),
  message,
};

/** Rule as a request contains it. */
export const ruleSpecSchema = namedObject('RuleSpec', {
  ...common,
  enabled: common.enabled.default(true),
  for_s: forS.default(0),
  cooldown_s: cooldownS.default(60),
  // biome-ignore lint/suspicious/noThenProperty: the interface calls it so, and a list is no function
  then: then.prefault([{ do: 'alert' }, { do: 'log' }, { do: 'notify' }]),
  severity: common.severity.default('warning'),
  message: message.default('{subject.label}: {rule.name}'),
});
export type RuleSpec = z.infer<typeof ruleSpecSchema>;

const parameterValues = z.record(textUpTo(60), z.number());

/** Change of a rule. Absent fields stay unchanged; `when` and `then` are replaced as a whole. */
export const rulePatchSchema = z
  .strictObject(
    patchOf({ ...common, parameters: parameterValues.optional().describe('changed numbers of a built-in rule') }),
  )
  .meta({
    id: 'RulePatch',
    description:
      'Absent fields stay unchanged. A built-in rule allows changes only of its numbers, severity and switch',
  });
export type RulePatch = z.infer<typeof rulePatchSchema>;

const counts = z.strictObject({
  fired: count.describe('raised events'),
  suppressed: count.describe('events that the cool-down suppressed'),
  last_at: timestamp.nullable(),
});

export const ruleSchema = z
  .strictObject({
    id: z.string().describe('fixed name of a built-in rule (`zone_entry`), else a UUID'),
    ...common,
    when: ruleWhenSchema.nullable().describe('null for a built-in rule'),
    message: z.string(),
    parameters: parameterValues.describe('numbers of a built-in rule'),
    builtin: z.boolean(),
    counts,
    version: z.int(),
    created_at: timestamp.nullable().describe('null for a built-in rule'),
    updated_at: timestamp.nullable().describe('null for a built-in rule that was never changed'),
  })
  .meta({ id: 'Rule', description: 'Condition on a track or a sensor, with the severity and text of its alert' });
export type Rule = z.infer<typeof ruleSchema>;

export const ruleIdSchema = z.union([uuid, z.string().regex(/^[a-z_]{1,60}$/)]);

/**
 * Returns the condition of `all` with the operator `inside`; undefined without one. A rule with this condition has its
 * own event for each zone that a track is inside.
 */
export function zoneConditionOf(when: RuleWhen): RuleCondition | undefined {
  return when.all?.find(({ op }) => op === 'inside');
}

/** Returns the first contradiction between fields of a rule, with its path; null without a contradiction. */
export function faultOfRule({ when, for_s, message, then }: RuleSpec): { path: PropertyKey[]; message: string } | null {
  const list = when.all ?? when.any ?? [];
  const changed = list.find(({ op }) => op === 'changed');
  if (changed && for_s > 0)
    return {
      path: ['for_s'],
      message: `must be 0 with the operator 'changed': a change of ${changed.field} lasts only a moment`,
    };
  const about = list[0]?.field.startsWith('sensor.') ? 'sensor' : zoneConditionOf(when) ? 'zone' : 'track';
  const [stray] = strayFields(message, about);
  if (stray) return { path: ['message'], message: stray };
  const raising = then.findIndex(({ do: what }) => what === 'raise_level');
  const ofThreats = then.findIndex(({ do: what }) => what === 'raise_level' || what === 'propose_plan');
  if (ofThreats >= 0 && about === 'sensor') {
    const message = `must not be ${then[ofThreats]?.do}: a sensor is no threat`;
    return { path: ['then', ofThreats, 'do'], message };
  }
  if (raising >= 0 && list.some(({ field }) => field === 'track.level'))
    return { path: ['then', raising, 'do'], message: 'must not be raise_level if a condition tests track.level' };
  return null;
}
