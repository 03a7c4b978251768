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
  track: 'Track',
  approvals: 'Approvals',
  fleet: 'Fleet',
  health: 'Health',
  details: 'Details',
  nothingSelected: 'Select a threat, an alert or a symbol on the map.',
  trackGone: 'This track is closed.',
  trackLost: 'The track is lost: there is nothing to go to.',
  heardNoPlace: 'Received without a position: no place is known.',
  position: 'Position',
  heightAgl: 'Height AGL',
  heightMsl: 'Altitude MSL',
  heightTakeoff: 'Above take-off',
  heightAboveTakeoff: 'Height above take-off, m',
  speed: 'Speed',
  course: 'Course',
  climb: 'Climb',
  uncertainty: 'Uncertainty',
  quality: 'Quality',
  whyScore: 'Why this score',
  integrity: 'Integrity',
  pilot: 'Pilot',
  takeoff: 'Take-off point',
  withheld: 'withheld from your role',
  claims: 'Claims of the transmitter',
  noClaims: 'It transmits no identity.',
  whoSawIt: 'Seen by',
  unknownSensor: 'a removed sensor',
  history: 'Height and speed',
  noHistory: 'No history yet.',
  actions: 'Actions',
  investigate: 'Propose a look',
  dismiss: 'Dismiss …',
  takeBack: 'Take the dismissal back',
  setAffiliation: 'Set affiliation …',
  drop: 'Drop track …',
  reason: 'Reason',
  howLong: 'For how long',
  minutes: 'For so many minutes (empty: until the track ends)',
  noEngagements: 'No plan waits for approval.',
  unknownVehicle: 'a removed vehicle',
  approve: 'Hold to approve',
  reject: 'Reject',
  cancel: 'Cancel',
  rejectedHere: 'rejected on the console',
  approvedHere: 'approved on the console',
  cancelledHere: 'cancelled on the console',
  orderedHere: 'ordered on the console',
  plan: 'plan',
  vehicle: 'Vehicle',
  there: 'On station',
  closest: 'Closest',
  distance: 'Distance',
  breaches: 'Standoff breaches',
  energyHome: 'Energy when home',
  twoPersonsSignIn: 'Two persons must approve: sign in, so that both are known.',
  youProposed: 'You proposed it: another person must approve.',
  youApproved: 'You approved it: another person must approve too.',
  planChanged: 'The plan changed: read it again.',
  planExpired: 'The plan has expired.',
  noVehicles: 'No vehicle is received and none is adopted.',
  armed: 'armed',
  disarmed: 'disarmed',
  energy: 'Energy',
  notAdopted: 'Not adopted: bind it to an asset before it can be ordered.',
  selectTrackFirst: 'Select a track first.',
  place: 'Latitude, longitude',
  sensors: 'Sensors',
  links: 'Links',
  noSensorsDeclared: 'No sensor is declared and no link has one.',
  noLinks: 'There is no link.',
  neverReceived: 'never received',
  yourName: 'Your name for the log',
  startWatch: 'Start watch',
  soundOn: (pct: number) => `SOUND ON ${pct} %`,
  soundOff: 'SOUND OFF',
  silenced: (s: number) => `SILENCED ${s} s`,
  silence: 'Silence 30 s',
  showLive: 'Show live',
  liveAlert: (text: string) => `LIVE ALERT: ${text}`,
  flag: (flag: string) =>
    ({
      potential_false: 'possibly a false track',
      id_duplicate: 'identity used by more than one transmitter',
      inconsistent_sources: 'sensors disagree about it',
      emergency: 'it reports an emergency',
    })[flag] ?? flag,
  seen: (s: number | null) => (s === null ? '' : `seen ${durationText(s)} ago`),
  last: (s: number | null) => (s === null ? '' : `last ${durationText(s)} ago`),
  hits: (count: number) => `${count} reports`,
  points: (contribution: number) => `${contribution > 0 ? '+' : ''}${Math.round(contribution)}`,
  scoreSum: (version: number) => `score, by policy version ${version}`,
  response: (response: string) => response.replaceAll('_', ' '),
  verb: (verb: string) => verb.replaceAll('_', ' '),
  planFor: (number: string) => `Plan about ${number}`,
  engagementOf: (number: string) => `Engagement of ${number}`,
  impossible: (response: string) => `${response.replaceAll('_', ' ')} is not possible`,
  expiresIn: (s: number) => `expires in ${durationText(s)}`,
  approvalsOf: (given: number, needed: number) => `${given} of ${needed} approvals`,
  owner: (owner: string) => (owner === 'pilot' ? 'the pilot has it' : 'another station has it'),
  aboutTrack: (number: string) => `About ${number}`,
  incomplete: (verb: string) => `${verb.replaceAll('_', ' ')} needs all its fields.`,
  rejected: (text: string) => `rejected ${text}`,
  counters: (received: number, sent: number) => `received ${received}, sent ${sent}`,
  retryIn: (text: string) => `retry in ${text}`,
  swarm: (count: number) => `swarm of ${count}`,
  counts: (tracks: number, threats: number, working: number, sensors: number) =>
    `${tracks} tracks · ${threats} threats · ${working}/${sensors} sensors`,
  over: (at: string) => `over since ${at.slice(11, 16)}Z`,
  newest: (count: number) => `${count} new`,
};
