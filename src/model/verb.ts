/** What the parameters of a command are about. */
export const paramKinds = ['none', 'point', 'track', 'asset', 'zone', 'value'] as const;
export type ParamKind = (typeof paramKinds)[number];

/** `safer` brings a platform to rest, `movement` moves it, `observation` turns what it carries. */
export type VerbClass = 'safer' | 'movement' | 'observation';

/** Every verb there is, and what it takes. There is none for arming, for release of a payload or for raw messages. */
export const verbs = {
  hold: { params: ['none'], class: 'safer' },
  return_home: { params: ['none'], class: 'safer' },
  land: { params: ['none'], class: 'movement' },
  takeoff: { params: ['value'], class: 'movement' },
  goto: { params: ['point'], class: 'movement' },
  orbit: { params: ['point', 'track'], class: 'movement' },
  shadow: { params: ['track'], class: 'movement' },
  escort: { params: ['asset'], class: 'movement' },
  search: { params: ['zone'], class: 'movement' },
  set_speed: { params: ['value'], class: 'movement' },
  look_at: { params: ['point', 'track'], class: 'observation' },
  zoom: { params: ['value'], class: 'observation' },
  take_image: { params: ['none'], class: 'observation' },
  start_video: { params: ['none'], class: 'observation' },
  stop_video: { params: ['none'], class: 'observation' },
  set_mode: { params: ['value'], class: 'observation' },
  request_status: { params: ['none'], class: 'observation' },
} as const satisfies Record<string, { params: readonly ParamKind[]; class: VerbClass }>;
export type Verb = keyof typeof verbs;
export const verbNames = Object.keys(verbs) as [Verb, ...Verb[]];
