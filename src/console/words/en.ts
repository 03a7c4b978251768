import type { Alert } from '../../model/alert.ts';
import type { Threat } from '../../model/threat.ts';
import type { Track } from '../../model/track.ts';
import type { LinkState } from '../stream/messages.ts';
import { distanceText, durationText } from './units.ts';

/** All words of the console. Sentences of the daemon are shown as they are. */

const typeNames: Record<string, string> = {
  multirotor: 'multirotor',
  fixed_wing: 'fixed-wing drone',
  vtol: 'VTOL drone',
  helicopter: 'helicopter',
  glider: 'glider',
  airship: 'airship',
  balloon: 'balloon',
  bird: 'bird',
  crewed_aircraft: 'crewed aircraft',
  person: 'person',
  vehicle: 'vehicle',
  other: 'other',
};

/** Shape and word of a level: never colour alone. */
export const levelMark: Record<Threat['level'], string> = {
  critical: '◆',
  high: '▲',
  medium: '●',
  low: '○',
  none: '·',
};
export const severityMark: Record<Alert['severity'], string> = { critical: '◆', warning: '▲', notice: '●', info: '○' };
export const trendMark: Record<Threat['trend'], string> = { rising: '↗', steady: '→', falling: '↘' };
export const trendWord: Record<Threat['trend'], string> = { rising: 'rising', steady: 'steady', falling: 'falling' };

export const words = {
  product: 'Dunlin',
  starting: 'The console is starting …',
  waiting: 'Waiting for the picture …',
  threats: 'Threats',
  alerts: 'Alerts',
  tracks: 'Tracks',
  noThreats: 'No threats',
  noSensors: 'Nothing can be seen: no sensor works',
  noAlerts: 'No alerts',
  noTracks: 'No tracks',
  acknowledge: 'Acknowledge',
  show: 'Show',
  stopAll: 'STOP ALL',
  signIn: 'Sign in',
  userName: 'User name',
  password: 'Password',
  belowLow: (count: number) => `${count} more below low`,
  more: (count: number) => `${count} more`,
  title: (mode: string, critical: number) =>
    `${mode === 'live' ? '' : `${mode.toUpperCase()} · `}${critical > 0 ? `(${critical}) ` : ''}Dunlin`,
  world: (mode: string) => mode.toUpperCase(),
  ribbon: (mode: 'sim' | 'replay', at: string) =>
    mode === 'sim'
      ? 'SIMULATION. Nothing on this screen is real'
      : `REPLAY of ${at.slice(0, 10)} ${at.slice(11, 19)}Z. This is not now`,
  link: ({ state, ageS }: LinkState): string =>
    ({ connecting: 'CONNECTING', up_to_date: 'UP TO DATE', stale: `STALE ${ageS} s`, no_link: 'NO LINK' })[state],
  level: (level: Threat['level']) => level,
  age: (s: number | null) => (s === null ? '' : durationText(s)),
  type: ({ classification }: Track): string => {
    const [best] = classification;
    return best ? (typeNames[best.type] ?? best.type) : 'type unknown';
  },
  affiliation: ({ affiliation, affiliation_basis: basis }: Track): string =>
    affiliation === 'friend' && basis === 'remote_id' ? 'friend as claimed by Remote ID' : affiliation,
  /** Relation of a threat to its nearest zone, with the zone's name. */
  whereabouts: ({ nearest_zone: zone }: Threat, nameOf: (id: string) => string): string => {
    if (zone === null) return 'no zone near';
    if (zone.distance_m <= 0) return `inside ${nameOf(zone.id)}`;
    const away = `${distanceText(zone.distance_m)} to ${nameOf(zone.id)}`;
    if (zone.eta_s === null) return away;
    const sigma = zone.eta_sigma_s === null ? '' : ` ± ${Math.round(zone.eta_sigma_s)}`;
    return `${away}, ${Math.round(zone.eta_s)}${sigma} s`;
  },
  map: 'Map of the site: drag or use the arrow keys to move, plus and minus to zoom',
  fit: 'Fit site',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  table: 'Tracks table',
  mapTab: 'Map',
  swarm: (count: number) => `swarm of ${count}`,
  counts: (tracks: number, threats: number, working: number, sensors: number) =>
    `${tracks} tracks · ${threats} threats · ${working}/${sensors} sensors`,
  over: (at: string) => `over since ${at.slice(11, 16)}Z`,
  newest: (count: number) => `${count} new`,
};
