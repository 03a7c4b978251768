import { z } from 'zod';
import type { DryRun } from '../../app/rule_trial.ts';
import { invalidInput } from '../../model/fault.ts';
import type { Firing } from '../../model/firing.ts';
import { ruleIdSchema, rulePatchSchema, ruleSchema, ruleSpecSchema } from '../../model/rule.ts';
import { dryRunBodySchema, dryRunSchema, type RuleDryRun } from '../../model/rule_dry_run.ts';
import { formatTime, parseTime } from '../../model/time.ts';
import { sampleRule, sampleRuleSpec } from '../openapi/rule_samples.ts';
import { audience, route } from '../route.ts';
import { crudRoutes } from './crud.ts';

/** Path parameters; the id of a built-in rule is its name, not a UUID. */
const ruleParams = z.strictObject({ id: ruleIdSchema });

const LONGEST_MS = 24 * 3_600_000;

const sample: RuleDryRun = {
  rule_id: sampleRule.id,
  since: '2025-06-01T06:00:00.000Z',
  until: '2025-06-01T12:00:00.000Z',
  fired: 1,
  suppressed: 0,
  firings: [
    {
      at: '2025-06-01T09:12:31.250Z',
      change: 'raised',
      severity: 'critical',
      subject: { type: 'track', id: '5e0f6a52-0d3c-8a11-9c55-000000000001', label: 'T-0042' },
      text: 'T-0042 is 45 m over apron at 12 m/s.',
      track_ids: ['5e0f6a52-0d3c-8a11-9c55-000000000001'],
      zone_id: '5e0f6a52-0d3c-8a11-9c55-0000000000c1',
      count: 1,
    },
  ],
};

const { viewers } = audience('rules');

export const ruleRoutes = [
  ...crudRoutes({
    path: '/rules',
    tag: 'rules',
    names: ['rule', 'rules'],
    says: {
      made:
        'A rule applies to a track or sensor if all, or any, of its conditions are true; conditions cannot be nested. ' +
        'With an `inside` condition in `all`, the rule is about that zone, and each zone has its own events. ' +
        'Tracks that fly as a group are one event. After four events within 10 s, further tracks join the latest ' +
        'one. `message` ' +
        'may contain fields in braces. `raise_level` sets a lower limit for the threat level. `propose_plan` proposes ' +
        'an engagement once for each track of the event. This needs a response that the doctrine offers, an autonomy ' +
        'other than off, and no open engagement. Only a person can approve it. A rule never commands an asset.',
      changed:
        '`when` and `then` are replaced as a whole; absent fields stay unchanged. For a built-in rule, only ' +
        '`enabled`, `severity`, `for_s`, `cooldown_s` and `parameters` can be changed. A change of the first two ' +
        'makes a new version of the doctrine.',
    },
    row: ruleSchema,
    spec: ruleSpecSchema,
    patch: rulePatchSchema,
    examples: { row: sampleRule, spec: sampleRuleSpec, patch: { for_s: 5 } },
    role: 'owner',
    params: ruleParams,
    part: ({ rules }) => rules,
  }),
  route('POST /rules/{id}/dry-run', {
    ...viewers,
    summary: 'Dry-run a rule over recorded history',
    description:
      'Uses the present rule, whether it is enabled or not. No alert is raised and nothing is sent. Viewers may use ' +
      'this route, because it changes nothing.',
    params: ruleParams,
    body: { schema: dryRunBodySchema, example: { since: sample.since, until: sample.until } },
    answer: { text: 'the firings that the rule would have had', data: dryRunSchema, example: sample },
    errors: ['unavailable'],
    write: false,
    handler: async ({ params, body }, { workspace: { ruleTrials }, registry }) => {
      const rule = registry.rules.value(params.id);
      const [sinceMs, untilMs] = [parseTime(body.since) ?? 0, parseTime(body.until) ?? 0];
      if (untilMs <= sinceMs) throw invalidInput("'until' must be later than 'since'");
      if (untilMs - sinceMs > LONGEST_MS) throw invalidInput("'until' must be at most 24 h after 'since'");
      return answerOf(rule.id, sinceMs, untilMs, await ruleTrials.dryRun(rule, sinceMs, untilMs));
    },
  }),
];

/** Builds the answer of a dry run. Times of the firings are UTC, as in the history. */
function answerOf(ruleId: string, sinceMs: number, untilMs: number, { firings, byRule }: DryRun): RuleDryRun {
  const { fired, suppressed } = byRule[ruleId] ?? { fired: 0, suppressed: 0 };
  const own = firings.filter((firing) => firing.ruleId === ruleId).map(documentOf);
  return { rule_id: ruleId, since: formatTime(sinceMs), until: formatTime(untilMs), fired, suppressed, firings: own };
}

function documentOf({
  atMs,
  change,
  severity,
  subject,
  text,
  trackIds,
  zoneId,
  count,
}: Firing): RuleDryRun['firings'][number] {
  return { at: formatTime(atMs), change, severity, subject, text, track_ids: [...trackIds], zone_id: zoneId, count };
}
