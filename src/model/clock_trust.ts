/** Trust in the box's UTC: its source. */
export const clockTrusts = ['none', 'rtc', 'ntp', 'gps'] as const;
export type ClockTrust = (typeof clockTrusts)[number];
