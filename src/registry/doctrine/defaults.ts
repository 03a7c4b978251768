import { builtinRules } from '../../model/builtin_rules.ts';
import type { DoctrineBody, Response } from '../../model/doctrine.ts';
import type { Posture } from '../../model/posture.ts';

type Row = DoctrineBody['postures'][number]['matrix'][number];

function row(level: Row['level'], affiliation: Row['affiliation'], offer: Response[], automatic: Response[] = []): Row {
  return { level, affiliation, offer, automatic, approvals: 1 };
}

const nothing: Row = { level: 'none', affiliation: 'any', offer: ['none'], automatic: [], approvals: 0 };

/** Rows for friends: a friend with a high score is escorted or asked to return. */
const friends: Row[] = [
  row('critical', 'friend', ['observe', 'escort', 'return', 'notify']),
  row('high', 'friend', ['observe', 'escort', 'return']),
];

const matrices: Record<Posture, Row[]> = {
  normal: [
    ...friends,
    row('critical', 'any', ['observe', 'investigate', 'notify'], ['observe']),
    row('high', 'any', ['observe', 'investigate', 'notify'], ['observe']),
    row('medium', 'any', ['observe', 'investigate']),
    nothing,
  ],
  elevated: [
    ...friends,
    row('critical', 'any', ['observe', 'investigate', 'shadow', 'notify'], ['observe', 'notify']),
    row('high', 'any', ['observe', 'investigate', 'shadow', 'notify'], ['observe']),
    row('medium', 'any', ['observe', 'investigate'], ['observe']),
    row('low', 'any', ['observe']),
    nothing,
  ],
  high: [
    ...friends,
    row('critical', 'any', ['observe', 'investigate', 'shadow', 'notify'], ['observe', 'notify']),
    row('high', 'any', ['observe', 'investigate', 'shadow', 'notify'], ['observe', 'notify']),
    row('medium', 'any', ['observe', 'investigate', 'notify'], ['observe']),
    row('low', 'any', ['observe', 'investigate'], ['observe']),
    nothing,
  ],
  severe: [
    row('critical', 'friend', ['observe', 'return', 'notify'], ['notify']),
    row('high', 'friend', ['observe', 'return', 'notify']),
    row('critical', 'any', ['observe', 'shadow', 'return', 'notify'], ['observe', 'notify']),
    row('high', 'any', ['observe', 'shadow', 'return', 'notify'], ['observe', 'notify']),
    row('medium', 'any', ['observe', 'investigate', 'shadow', 'notify'], ['observe', 'notify']),
    row('low', 'any', ['observe', 'investigate'], ['observe']),
    nothing,
  ],
};

const descriptions: Record<Posture, string> = {
  normal: 'No threat is expected. Aircraft that come near are observed.',
  elevated: 'A threat is possible. Aircraft that come near are observed early, and followed if necessary.',
  high: 'A threat is likely. Every unknown aircraft is observed, and the people in charge are notified.',
  severe:
    'A threat is present. Own vehicles return, or stay with the aircraft that they follow; the people in charge are notified of every aircraft.',
};

/** Doctrine of a workspace that has saved none: it imported no doctrine, and changed no rule in it. */
export const defaultDoctrine: DoctrineBody = {
  postures: (['normal', 'elevated', 'high', 'severe'] as const).map((id) => ({
    id,
    description: descriptions[id],
    autonomy_cap: 'observe_auto',
    matrix: matrices[id],
  })),
  release_table: [
    { response: 'observe', class: 'observation', role: 'operator', approvals: 1, expires_s: 120 },
    { response: 'investigate', class: 'movement', role: 'operator', approvals: 1, expires_s: 120 },
    { response: 'shadow', class: 'movement', role: 'operator', approvals: 1, expires_s: 60 },
    { response: 'escort', class: 'movement', role: 'operator', approvals: 1, expires_s: 120 },
    { response: 'return', class: 'safer', role: 'operator', approvals: 1, expires_s: 120 },
    { response: 'notify', class: 'observation', role: 'operator', approvals: 0, expires_s: 300 },
    { response: 'none', class: 'none', role: 'viewer', approvals: 0, expires_s: 300 },
  ],
  rules: builtinRules.map(({ id, severity, description }) => ({ id, severity, enabled: true, description })),
  planning_profiles: [
    profile('balanced', { time: 0.4, energy: 0.2, sensor_fit: 0.2, link_range: 0.1, separation: 0.1 }, 2, 25),
    profile('fastest', { time: 0.8, energy: 0.05, sensor_fit: 0.05, link_range: 0.05, separation: 0.05 }, 1, 20),
    profile('sparing', { time: 0.1, energy: 0.5, sensor_fit: 0.2, link_range: 0.1, separation: 0.1 }, 1, 40),
  ],
};

type Profile = DoctrineBody['planning_profiles'][number];

function profile(id: string, weights: Profile['weights'], most: number, reservePct: number): Profile {
  return { id, weights, max_assets: most, reserve_pct: reservePct };
}
