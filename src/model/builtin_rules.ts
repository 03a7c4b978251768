import type { alertSeverities } from './zone.ts';

/** A number that a person may set of a built-in rule. */
type RuleParameter = { default: number; min: number; max: number; unit: string | null; description: string };

export type BuiltinRule<Id extends string = string> = {
  id: Id;
  severity: (typeof alertSeverities)[number];
  description: string;
  /** Seconds for which the condition must hold; seconds after its end in which the same is not raised again. */
  forS: number;
  cooldownS: number;
  parameters: Readonly<Record<string, RuleParameter>>;
};

function rule<const Id extends string>(
  id: Id,
  severity: BuiltinRule['severity'],
  description: string,
  { forS = 0, cooldownS = 60, parameters = {} }: Partial<BuiltinRule> = {},
): BuiltinRule<Id> {
  return { id, severity, description, forS, cooldownS, parameters };
}

function number(value: number, min: number, max: number, unit: string | null, description: string): RuleParameter {
  return { default: value, min, max, unit, description };
}

function near(metres: number, description: string): RuleParameter {
  return number(metres, 10, 50_000, 'm', description);
}

/** The rules that every workspace has. A rule raises alerts and proposes plans; it never commands an asset. */
export const builtinRules = [
  rule('zone_entry', 'warning', 'A track enters a zone whose alarm asks for it.'),
  rule('zone_dwell', 'warning', 'A track stays in a zone for its dwell time.'),
  rule('zone_approach', 'notice', 'A track will be in a zone within its time of warning.', { forS: 1 }),
  rule('unidentified_in_protected_zone', 'critical', 'A track that nobody knows is in a protected zone.'),
  rule('suspect_remote_id', 'warning', 'What an aircraft says of itself is not borne out by what is seen of it.', {
    parameters: {
      flood_n: number(5, 3, 100, null, 'from so many on that nobody sees they are one event'),
      crowd_n: number(10, 5, 1_000, null, 'so many that nobody sees and that nothing speaks against are one event too'),
      flood_window_s: number(60, 5, 600, 's', 'that began within so long of each other'),
    },
  }),
  rule('friend_cloned', 'critical', 'A serial of ours is heard where our aircraft is not.'),
  rule('swarm', 'critical', 'Several tracks fly close together and to the same place.', {
    forS: 1,
    parameters: {
      n: number(5, 3, 100, null, 'so many at least'),
      within_m: number(600, 10, 5_000, 'm', 'of one of them'),
      distance_m: near(5_000, 'to what is protected, at most'),
    },
  }),
  rule('loitering', 'notice', 'A track circles or stands about the same place.', {
    cooldownS: 300,
    parameters: {
      loiter_s: number(120, 10, 86_400, 's', 'it has done so for'),
      distance_m: near(3_000, 'to what is protected, at most'),
    },
  }),
  rule('repeat_visitor', 'notice', 'An identity that was here on another day is here again.', {
    cooldownS: 3_600,
    parameters: { visits: number(1, 1, 1_000, null, 'earlier days on which it was here, at least') },
  }),
  rule('rapid_descent', 'warning', 'A track comes down fast towards what is protected.', {
    forS: 1,
    parameters: {
      descent_mps: number(4, 0.5, 100, 'm/s', 'it sinks at least so fast'),
      distance_m: near(1_000, 'to what is protected, at most'),
    },
  }),
  rule('sensor_silent', 'warning', 'A sensor gives no sign of life: the sky there is not watched.'),
  rule(
    'sensor_table_full',
    'warning',
    'More sources speak on a link than have places: unproven ones displace each other.',
    { cooldownS: 300 },
  ),
  rule('own_platform_close', 'warning', 'A vehicle of ours is close to a contact.', {
    forS: 1,
    cooldownS: 30,
    parameters: { distance_m: near(150, 'between the two, at most') },
  }),
  rule('crewed_aircraft_near', 'critical', 'A crewed aircraft is near a vehicle of ours, which must give way.', {
    cooldownS: 30,
    parameters: { distance_m: near(2_000, 'between the two, at most') },
  }),
] as const;

export type BuiltinRuleId = (typeof builtinRules)[number]['id'];
export const builtinRuleIds = builtinRules.map(({ id }) => id) as [BuiltinRuleId, ...BuiltinRuleId[]];

export function builtinRule(id: string): BuiltinRule | undefined {
  return builtinRules.find((rule) => rule.id === id);
}
