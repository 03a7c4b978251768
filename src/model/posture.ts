/** How much is expected of the hour, and with it what may be offered; the doctrine says what each means. */
export const postures = ['normal', 'elevated', 'high', 'severe'] as const;
export type Posture = (typeof postures)[number];

/** What the service may do by itself: nothing, propose, or turn cameras. */
export const autonomies = ['off', 'advise', 'observe_auto'] as const;
export type Autonomy = (typeof autonomies)[number];

export const threatLevels = ['none', 'low', 'medium', 'high', 'critical'] as const;
export type ThreatLevel = (typeof threatLevels)[number];

/** The one that lets the least happen by itself. */
export function leastAutonomy(...of: readonly Autonomy[]): Autonomy {
  return autonomies[Math.min(...of.map((autonomy) => autonomies.indexOf(autonomy)))] ?? 'off';
}
