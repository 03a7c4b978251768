import type { DryRun } from '../../core/rules/dry_run.ts';
import { Fault } from '../../model/fault.ts';
import type { Firing } from '../../model/firing.ts';
import { dryRunBodySchema, dryRunSchema, type RuleDryRun } from '../../model/rule_dry_run.ts';
import { formatTime, parseTime } from '../../model/time.ts';
import { sampleRule } from '../openapi/rule_samples.ts';
import { route } from '../route.ts';
import { ruleParams } from './rules.ts';

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

/** Stands in the table once the service can say what was. */
export const ruleDryRunRoutes = [
  route({
    method: 'POST',
    path: '/rules/{id}/dry-run',
    summary: 'Try a rule on what was recorded',
    description:
      'As the rule is now, whether it is enabled or not. Nothing is raised, and nobody is told. It changes nothing: a viewer may.',
    tag: 'rules',
    params: ruleParams,
    body: { schema: dryRunBodySchema, example: { since: sample.since, until: sample.until } },
    answer: { text: 'what it would have told', data: dryRunSchema, example: sample },
    errors: ['unavailable'],
    role: 'viewer',
    write: false,
    handler: async ({ params, body }, { service, registry }) => {
      const rule = registry.rules.value(params.id);
      const [sinceMs, untilMs] = [parseTime(body.since) ?? 0, parseTime(body.until) ?? 0];
      if (untilMs <= sinceMs) throw new Fault('invalid_input', "'until' must be later than 'since'");
      if (untilMs - sinceMs > LONGEST_MS)
        throw new Fault('invalid_input', "'until' must be at most 24 h after 'since'");
      if (!service.dryRunRule) throw new Fault('unavailable', 'this service cannot try rules on what was recorded');
      return answerOf(rule.id, sinceMs, untilMs, await service.dryRunRule(rule, sinceMs, untilMs));
    },
  }),
];

/** Times of the firings are UTC, as those of the history are. */
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
