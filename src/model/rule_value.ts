import type { BuiltinRuleId } from './builtin_rules.ts';
import type { AlertSeverity, Firing } from './firing.ts';
import type { RuleWhen, raisableLevels } from './rule.ts';

export type RaisedLevel = (typeof raisableLevels)[number];

/** Rule in the form that the core uses. */
export type RuleValue = {
  id: string;
  version: number;
  name: string;
  severity: AlertSeverity;
  forS: number;
  cooldownS: number;
  does: Firing['does'];
} & (
  | { builtin: BuiltinRuleId; parameters: Readonly<Record<string, number>> }
  | { builtin: null; when: RuleWhen; message: string; raiseLevel: RaisedLevel | null }
);

/** Numbers of a rule's raised events (`fired`) and of events suppressed by the cool-down, since the previous count. */
export type RuleCount = {
  ruleId: string;
  fired: number;
  suppressed: number;
  /** World time of the last raised firing, ms. */
  lastMs: number | null;
  lastTrackId: string | null;
};

/** Lower limit that a rule sets for the threat level of a track. */
export type LevelFloor = { trackId: string; level: RaisedLevel };
