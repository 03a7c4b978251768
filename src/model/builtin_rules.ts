import type { alertSeverities } from './zone.ts';

/** A number that a person may set of a built-in rule. */
export type RuleParameter = { default: number; min: number; max: number; unit: string | null; description: string };

export type BuiltinRule = {
  id: string;
  severity: (typeof alertSeverities)[number];
  description: string;
  /** It has to hold for so long; once it is over, the same is not raised again for so long. */
  forS: number;
  cooldownS: number;
  parameters: Readonly<Record<string, RuleParameter>>;
};

const near = (metres: number, description: string): RuleParameter => ({
  default: metres,
  min: 10,
  max: 50_000,
  unit: 'm',
  description,
});

/** The rules that every workspace has. A rule tells and proposes; it never commands an asset. */
export const builtinRules = [
  {
    id: 'zone_entry',
    severity: 'warning',
    description: 'A track enters a zone whose alarm asks for it.',
    forS: 0,
    cooldownS: 60,
    parameters: {},
  },
  {
    id: 'zone_dwell',
    severity: 'warning',
    description: 'A track stays in a zone for its dwell time.',
    forS: 0,
    cooldownS: 60,
    parameters: {},
  },
  {
    id: 'zone_approach',
    severity: 'notice',
    description: 'A track will be in a zone within its time of warning.',
    forS: 1,
    cooldownS: 60,
    parameters: {},
  },
  {
    id: 'unidentified_in_protected_zone',
    severity: 'critical',
    description: 'A track that nobody knows is in a protected zone.',
    forS: 0,
    cooldownS: 60,
    parameters: {},
  },
  {
    id: 'suspect_remote_id',
    severity: 'warning',
    description: 'What an aircraft says of itself is not borne out by what is seen of it.',
    forS: 0,
    cooldownS: 60,
    parameters: {
      flood_n: {
        default: 5,
        min: 3,
        max: 100,
        unit: null,
        description: 'from so many on that nobody sees they are one event',
      },
      crowd_n: {
        default: 10,
        min: 5,
        max: 1_000,
        unit: null,
        description: 'so many that nobody sees and that nothing speaks against are one event too',
      },
      flood_window_s: {
        default: 60,
        min: 5,
        max: 600,
        unit: 's',
        description: 'that began within so long of each other',
      },
    },
  },
  {
    id: 'friend_cloned',
    severity: 'critical',
    description: 'A serial of ours is heard where our aircraft is not.',
    forS: 0,
    cooldownS: 60,
    parameters: {},
  },
  {
    id: 'swarm',
    severity: 'critical',
    description: 'Several tracks fly close together and to the same place.',
    forS: 1,
    cooldownS: 60,
    parameters: {
      n: { default: 5, min: 3, max: 100, unit: null, description: 'so many at least' },
      within_m: { default: 600, min: 10, max: 5000, unit: 'm', description: 'of one of them' },
      distance_m: near(5_000, 'to what is protected, at most'),
    },
  },
  {
    id: 'loitering',
    severity: 'notice',
    description: 'A track circles or stands about the same place.',
    forS: 0,
    cooldownS: 300,
    parameters: {
      loiter_s: { default: 120, min: 10, max: 86400, unit: 's', description: 'it has done so for' },
      distance_m: near(3_000, 'to what is protected, at most'),
    },
  },
  {
    id: 'repeat_visitor',
    severity: 'notice',
    description: 'An identity that was here on another day is here again.',
    forS: 0,
    cooldownS: 3600,
    parameters: {
      visits: { default: 1, min: 1, max: 1000, unit: null, description: 'earlier days on which it was here, at least' },
    },
  },
  {
    id: 'rapid_descent',
    severity: 'warning',
    description: 'A track comes down fast towards what is protected.',
    forS: 1,
    cooldownS: 60,
    parameters: {
      descent_mps: { default: 4, min: 0.5, max: 100, unit: 'm/s', description: 'it sinks at least so fast' },
      distance_m: near(1_000, 'to what is protected, at most'),
    },
  },
  {
    id: 'sensor_silent',
    severity: 'warning',
    description: 'A sensor gives no sign of life: the sky there is not watched.',
    forS: 0,
    cooldownS: 60,
    parameters: {},
  },
  {
    id: 'sensor_table_full',
    severity: 'warning',
    description: 'More sources speak on a link than have places: unproven ones displace each other.',
    forS: 0,
    cooldownS: 300,
    parameters: {},
  },
  {
    id: 'own_platform_close',
    severity: 'warning',
    description: 'A vehicle of ours is close to a contact.',
    forS: 1,
    cooldownS: 30,
    parameters: { distance_m: near(150, 'between the two, at most') },
  },
  {
    id: 'crewed_aircraft_near',
    severity: 'critical',
    description: 'A crewed aircraft is near a vehicle of ours, which must give way.',
    forS: 0,
    cooldownS: 30,
    parameters: { distance_m: near(2_000, 'between the two, at most') },
  },
] as const satisfies readonly BuiltinRule[];

export type BuiltinRuleId = (typeof builtinRules)[number]['id'];
export const builtinRuleIds = builtinRules.map(({ id }) => id) as [BuiltinRuleId, ...BuiltinRuleId[]];

export function builtinRule(id: string): BuiltinRule | undefined {
  return builtinRules.find((rule) => rule.id === id);
}
