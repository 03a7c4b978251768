/** Which of the built-in scenarios are played in which file of tests, so that the files run side by side. */
export const byThemselves = ['lone_intruder', 'pilot_and_drone', 'sensor_outage_clutter', 'swarm'];
/** Vehicles of ours fly in these, by order or by themselves. */
export const withOurs = [
  'crewed_aircraft',
  'crossing_friends',
  'hide_and_evade',
  'patrol_tasking',
  'spoofed_remote_id',
];
/** The long ones, and the one with 300 aircraft. */
export const elsewhere = ['busy_airport', 'demo'];
