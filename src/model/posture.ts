/** Postures of a workspace, lowest first. The doctrine lists the responses that each posture permits. */
export const postures = ['normal', 'elevated', 'high', 'severe'] as const;
export type Posture = (typeof postures)[number];

/**
 * Levels of the service's autonomy, lowest first. `off`: the service proposes and starts nothing by itself. `advise`:
 * it proposes plans. `observe_auto`: it may also start observing verbs.
 */
export const autonomies = ['off', 'advise', 'observe_auto'] as const;
export type Autonomy = (typeof autonomies)[number];

export const threatLevels = ['none', 'low', 'medium', 'high', 'critical'] as const;
export type ThreatLevel = (typeof threatLevels)[number];

/** Returns the lowest of several levels of autonomy. */
export function leastAutonomy(...of: readonly Autonomy[]): Autonomy {
  return autonomies[Math.min(...of.map((autonomy) => autonomies.indexOf(autonomy)))] ?? 'off';
}
