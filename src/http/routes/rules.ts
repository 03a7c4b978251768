import { z } from 'zod';
import { ruleIdSchema, rulePatchSchema, ruleSchema, ruleSpecSchema } from '../../model/rule.ts';
import { sampleRule, sampleRuleSpec } from '../openapi/rule_samples.ts';
import { crudRoutes } from './crud.ts';

/** A built-in rule is called by its name. */
export const ruleParams = z.strictObject({ id: ruleIdSchema });

export const ruleRoutes = crudRoutes({
  path: '/rules',
  tag: 'rules',
  names: ['rule', 'rules'],
  says: {
    made:
      'It holds of a track or a sensor where all or any of its conditions do; there is one level of them. Where one of `all` ' +
      'is `inside`, it is about that zone, and each zone is told of by itself. What begins within 10 s of each other, and ' +
      'what flies as a group, is one event. `message` may name what it is about in braces. `raise_level` is a floor for ' +
      'the level of the threat. `propose_plan` proposes an engagement about each track that comes into the event, once, as the ' +
      'service itself might: where the doctrine offers something, autonomy is not off and none is open. A person approves it or ' +
      'nobody does. A rule never commands an asset.',
    changed:
      '`when` and `then` are replaced whole; what is absent stays unchanged. Of a built-in rule, called by its name, only ' +
      '`enabled`, `severity`, `for_s`, `cooldown_s` and `parameters` are changed; the first two are a new version of the doctrine.',
  },
  row: ruleSchema,
  spec: ruleSpecSchema,
  patch: rulePatchSchema,
  examples: { row: sampleRule, spec: sampleRuleSpec, patch: { for_s: 5 } },
  role: 'owner',
  params: ruleParams,
  part: ({ rules }) => rules,
});
