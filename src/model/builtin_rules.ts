import type { alertSeverities } from './zone.ts';

/** A number of a built-in rule that an owner may set. */
type RuleParameter = { default: number; min: number; max: number; unit: string | null; description: string };

export type BuiltinRule<Id extends string = string> = {
  id: Id;
  /** Name for people, in lists, logs and alerts. */
  title: string;
  severity: (typeof alertSeverities)[number];
  description: string;
  /** Time for which the condition must hold before the rule fires, s. */
  forS: number;
  /** Time after the end of an event in which the event is raised again only if it is more severe, s. */
  cooldownS: number;
  parameters: Readonly<Record<string, RuleParameter>>;
};

function rule<const Id extends string>(
  id: Id,
  title: string,
  severity: BuiltinRule['severity'],
  description: string,
  { forS = 0, cooldownS = 60, parameters = {} }: Partial<BuiltinRule> = {},
): BuiltinRule<Id> {
  return { id, title, severity, description, forS, cooldownS, parameters };
}

function number(value: number, min: number, max: number, unit: string | null, description: string): RuleParameter {
  return { default: value, min, max, unit, description };
}

function near(metres: number, description: string): RuleParameter {
  return number(metres, 10, 50_000, 'm', description);
}

/** The rules of every workspace. They raise alerts; they propose no plans and command no assets. */
export const builtinRules = [
  rule('zone_entry', 'Zone entry', 'warning', 'A track enters a zone whose alarm includes entry.'),
  rule('zone_dwell', 'Zone dwell', 'warning', 'A track stays in a zone for the dwell time of the zone.'),
  rule('zone_approach', 'Zone approach', 'notice', 'A track will enter a zone within the warning time of the zone.', {
    forS: 1,
  }),
  rule(
    'unidentified_in_protected_zone',
    'Unidentified in a protected zone',
    'critical',
    'A hostile track, or an unknown track without a trusted identity, is in a protected zone.',
  ),
  rule(
    'suspect_remote_id',
    'Suspect Remote ID',
    'warning',
    'The claims of an aircraft are suspect, or many unconfirmed claims begin together.',
    {
      parameters: {
        flood_n: number(5, 3, 100, null, 'least number of suspect identities unseen by sensors that become one alert'),
        crowd_n: number(
          10,
          5,
          1_000,
          null,
          'least number of unchecked identities unseen by sensors that become one alert',
        ),
        flood_window_s: number(60, 5, 600, 's', 'window within which the identities of one alert appear'),
      },
    },
  ),
  rule('friend_cloned', 'Cloned friend', 'critical', 'Another aircraft transmits the serial of an own asset.'),
  rule('swarm', 'Swarm', 'critical', 'Several tracks fly close together towards the same place.', {
    forS: 1,
    parameters: {
      n: number(5, 3, 100, null, 'least number of tracks'),
      within_m: number(600, 10, 5_000, 'm', 'greatest distance between one of the tracks and the others'),
      distance_m: near(5_000, 'greatest distance to a protected place'),
    },
  }),
  rule('loitering', 'Loitering', 'notice', 'A track circles or hovers at one place.', {
    cooldownS: 300,
    parameters: {
      loiter_s: number(120, 10, 86_400, 's', 'least time at the place'),
      distance_m: near(3_000, 'greatest distance to a protected place'),
    },
  }),
  rule(
    'repeat_visitor',
    'Repeat visitor',
    'notice',
    'An unknown or hostile identity that was here on earlier days is here again.',
    {
      cooldownS: 3_600,
      parameters: { visits: number(1, 1, 1_000, null, 'least number of earlier days with a visit') },
    },
  ),
  rule('rapid_descent', 'Rapid descent', 'warning', 'A track descends fast near a protected place.', {
    forS: 1,
    parameters: {
      descent_mps: number(4, 0.5, 100, 'm/s', 'least rate of descent'),
      distance_m: near(1_000, 'greatest distance to a protected place'),
    },
  }),
  rule(
    'sensor_silent',
    'Silent sensor',
    'warning',
    'A sensor is silent or reports a fault: its coverage is not watched.',
  ),
  rule(
    'sensor_table_full',
    'Sensor table full',
    'warning',
    'A link has more sources than places in the sensor table: unproven sources displace each other.',
    { cooldownS: 300 },
  ),
  rule('own_platform_close', 'Own vehicle close to a contact', 'warning', 'An own vehicle is close to a contact.', {
    forS: 1,
    cooldownS: 30,
    parameters: { distance_m: near(150, 'greatest distance between the two') },
  }),
  rule(
    'crewed_aircraft_near',
    'Crewed aircraft near',
    'critical',
    'A crewed aircraft is near an own vehicle, which must give way.',
    {
      cooldownS: 30,
      parameters: { distance_m: near(2_000, 'greatest distance between the two') },
    },
  ),
] as const;

export type BuiltinRuleId = (typeof builtinRules)[number]['id'];
export const builtinRuleIds = builtinRules.map(({ id }) => id) as [BuiltinRuleId, ...BuiltinRuleId[]];

export function builtinRule(id: string): BuiltinRule | undefined {
  return builtinRules.find((rule) => rule.id === id);
}
