/** What an asset may be asked to do, and how much that is. */
export const verbClasses = {
  hold: 'safer',
  return_home: 'safer',
  land: 'movement',
  takeoff: 'movement',
  goto: 'movement',
  orbit: 'movement',
  shadow: 'movement',
  escort: 'movement',
  search: 'movement',
  set_speed: 'movement',
  look_at: 'observation',
  zoom: 'observation',
  take_image: 'observation',
  start_video: 'observation',
  stop_video: 'observation',
  set_mode: 'observation',
  request_status: 'observation',
} as const;
export type Verb = keyof typeof verbClasses;
export type VerbClass = (typeof verbClasses)[Verb];

export const verbs = Object.keys(verbClasses) as [Verb, ...Verb[]];

/** Whether a verb only looks: nothing moves by it. */
export function isObservationVerb(verb: Verb): boolean {
  return verbClasses[verb] === 'observation';
}
