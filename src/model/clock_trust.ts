/** Sources of the box's UTC, the least trusted first. */
export const clockTrusts = ['none', 'rtc', 'ntp', 'gps'] as const;
export type ClockTrust = (typeof clockTrusts)[number];
