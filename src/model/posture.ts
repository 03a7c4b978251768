/** Postures of a workspace, lowest first; the doctrine has the responses that each permits. */
export const postures = ['normal', 'elevated', 'high', 'severe'] as const;
export type Posture = (typeof postures)[number];

/** Degrees of autonomy of the service: none, proposals, or turning cameras. */
export const autonomies = ['off', 'advise', 'observe_auto'] as const;
export type Autonomy = (typeof autonomies)[number];

export const threatLevels = ['none', 'low', 'medium', 'high', 'critical'] as const;
export type ThreatLevel = (typeof threatLevels)[number];

/** The lowest of several degrees of autonomy. */
export function leastAutonomy(...of: readonly Autonomy[]): Autonomy {
  return autonomies[Math.min(...of.map((autonomy) => autonomies.indexOf(autonomy)))] ?? 'off';
}
