import type { VerbField } from '../state/verb_form.ts';

export const verbFields: Record<VerbField, string> = {
  place: 'Latitude, longitude',
  track: 'Track',
  asset: 'Escorted asset',
  zone: 'Zone',
  height_m: 'Height above take-off, m',
  speed_mps: 'Speed, m/s',
  radius_m: 'Radius, m',
  direction: 'Direction',
  standoff_m: 'Distance to keep (standoff), m',
  zoom: 'Zoom, %',
  mode: 'Mode',
};
