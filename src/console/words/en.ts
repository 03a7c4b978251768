import type { Alert } from '../../model/alert.ts';
import type { DismissalEnd, Threat } from '../../model/threat.ts';
import type { Track } from '../../model/track.ts';
import type { Zone } from '../../model/zone.ts';
import type { VerbField } from '../state/verb_form.ts';
import type { LinkState } from '../stream/messages.ts';
import { terms } from './terms.ts';
import { clockText, distanceText, durationText } from './units.ts';

/** All texts of the console. Sentences of the daemon are shown unchanged. */

/** Symbol of each level, so that levels are never distinguished by colour alone. */
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

const verbFields: Record<VerbField, string> = {
  place: 'Latitude, longitude',
  track: 'Track',
  asset: 'Escorted asset',
  zone: 'Zone',
  height_m: 'Height above take-off, m',
  speed_mps: 'Speed, m/s',
  radius_m: 'Radius, m',
  direction: 'Direction',
  standoff_m: 'Standoff, m',
  zoom: 'Zoom, %',
  mode: 'Mode',
};

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
  showHealth: 'Show health',
  stopAll: 'STOP ALL',
  holdFor: (s: number) => `Hold for ${s} s`,
  pressAgain: 'Press again',
  stopped: (held: number, engagements: number, tasks: number) =>
    `Stopped: ${held} ${held === 1 ? 'vehicle holds' : 'vehicles hold'}, ` +
    `${engagements} ${engagements === 1 ? 'engagement' : 'engagements'} and ${tasks} ${tasks === 1 ? 'task' : 'tasks'} cancelled.`,
  notHeld: (text: string) => ` Not held: ${text}.`,
  signIn: 'Sign in',
  signOut: 'Sign out',
  userName: 'User name',
  password: 'Password',
  belowLow: (count: number) => `${count} more with a score below low`,
  threatOrder: 'by level, time to zone, score',
  menu: 'Menu',
  more: (count: number) => `${count} more`,
  pages: 'Pages of the table',
  rowsOf: (first: number, last: number, count: number) => `${first} to ${last} of ${count}`,
  previousPage: 'Previous',
  nextPage: 'Next',
  title: (mode: string, critical: number) =>
    `${mode === 'live' ? '' : `${mode.toUpperCase()} · `}${critical > 0 ? `(${critical}) ` : ''}Dunlin`,
  world: (mode: string) => mode.toUpperCase(),
  noWorldYet: 'WORLD ?',
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
    return best ? terms.type(best.type) : 'type unknown';
  },
  affiliation: ({ affiliation, affiliation_basis: basis }: Track): string =>
    affiliation === 'friend' && basis === 'remote_id' ? 'friend as claimed by Remote ID' : affiliation,
  /** Position of a threat relative to its nearest zone, with the zone's name. */
  whereabouts: ({ nearest_zone: zone }: Threat, nameOf: (id: string) => string): string => {
    if (zone === null) return 'no zone near';
    if (zone.inside) return `inside ${nameOf(zone.id)}, ${distanceText(zone.depth_m ?? 0)}`;
    const away = `${distanceText(zone.distance_m)} to ${nameOf(zone.id)}`;
    if (zone.eta_s === null) return away;
    const sigma = zone.eta_sigma_s === null ? '' : `\u00a0±\u00a0${Math.round(zone.eta_sigma_s)}`;
    return `${away}, ${Math.round(zone.eta_s)}${sigma}\u00a0s`;
  },
  evidence: 'Save evidence',
  baseMap: 'Base map',
  baseMapAuto: 'the most detailed one of the site',
  baseMapNone: 'outline of the land',
  noBaseMap: 'No base map installed. Land: Natural Earth.',
  noWebGl: 'This browser draws no base map (it lacks WebGL 2). Land: Natural Earth.',
  baseMapFault: (name: string, sentence: string): string => `Base map ${name}: ${sentence}`,
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
  receivedNoPlace: 'Received without a position: no place is known.',
  position: 'Position',
  heightAgl: 'Above ground',
  heightMsl: 'Above sea level',
  heightHints: {
    agl: 'AGL: above the ground under it',
    msl: 'MSL: above mean sea level',
    takeoff: 'Above the place where it took off',
  },
  heightTakeoff: 'Above take-off',
  speed: 'Speed',
  course: 'Course',
  climb: 'Climb',
  uncertainty: 'Uncertainty',
  quality: 'Track quality',
  qualityHint: '0 to 15: 15 for a track that is seen often and precisely',
  uncertaintyHint: 'Standard deviation: it is farther from the drawn place than this about as often as nearer',
  whyScore: 'Why this score',
  integrity: 'Its claims',
  integrityHint: 'Whether sensors agree with what it transmits about itself',
  pilot: 'Pilot',
  takeoff: 'Take-off point',
  noPlace: 'no place reported',
  claims: 'What it transmits about itself',
  noClaims: 'It transmits no identity.',
  whoSawIt: 'Seen by',
  unknownSensor: 'a removed sensor',
  history: 'Height and speed',
  noHistory: 'No history yet.',
  actions: 'Actions',
  investigate: 'Propose a look',
  dismiss: 'Dismiss …',
  dismissTrack: (number: string) => `Dismiss ${number} as harmless`,
  otherReason: 'other',
  dismissalEnds: 'It ends early if the level rises.',
  dismissed: ({ by, reason, until }: NonNullable<Threat['dismissed']>) =>
    `dismissed by ${by}${until === null ? '' : ` until ${clockText(until).slice(0, 5)}Z`}: ${reason}`,
  dismissalEnded: ({ reason, from_level, to_level }: DismissalEnd) =>
    reason === 'expired'
      ? 'dismissal ended: its time is over'
      : `dismissal ended: level rose from ${from_level} to ${to_level}`,
  dismissalEndedBy: ({ by, at }: DismissalEnd) => `${by} had dismissed it; the dismissal ended ${clockText(at)}`,
  acknowledgedBy: (by: string) => `acknowledged by ${by}`,
  takeBack: 'Take the dismissal back',
  setAffiliation: 'Set affiliation …',
  drop: 'Drop track …',
  reason: 'Reason',
  howLong: 'For how long',
  minutes: 'Minutes (empty: until the track ends)',
  noEngagements: 'No plan waits for approval.',
  unknownVehicle: 'a removed vehicle',
  approve: 'Hold to approve',
  cannotApprove: 'Cannot be approved now',
  noPlanPossible: 'No vehicle can do anything about it now: there is nothing to approve.',
  expired: 'expired',
  planHash: 'Check number of the plan: two persons can compare that they read the same plan',
  reject: 'Reject',
  cancel: 'Cancel',
  rejectedHere: 'rejected on the console',
  approvedHere: 'approved on the console',
  cancelledHere: 'cancelled on the console',
  orderedHere: 'ordered on the console',
  plan: 'plan',
  vehicle: 'Vehicle',
  there: 'Arrives',
  closest: 'Closest',
  distance: 'Distance',
  breaches: 'Times too close',
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
  notAdopted: 'Not adopted: it belongs to none of your assets yet, so it takes no orders from here.',
  selectTrackFirst: 'Select a track first.',
  box: 'This box',
  sensors: 'Sensors',
  links: 'Links',
  noSensorsDeclared: 'No sensor is declared and no link has one.',
  noLinks: 'There is no link.',
  neverReceived: 'never received',
  yourName: 'Your name for the log',
  yourNameShort: 'Your name',
  startWatch: 'Start watch',
  soundOn: (pct: number) => `SOUND ON ${pct} %`,
  soundOff: 'SOUND OFF',
  silenced: (s: number) => `SILENCED ${s} s`,
  silence: 'Silence 30 s',
  zones: 'Zones',
  newZone: 'New zone',
  noZones: 'No zone is drawn: the box does not know what to protect.',
  regions: 'Regions',
  newRegion: 'New region',
  noRegions: 'No region is drawn: heights above ground are known only where a source reports them.',
  regionFacts: (groundM: number | null, tz: string, posture: string | null) =>
    [
      groundM === null ? 'ground not known' : `ground ${groundM} m above the ellipsoid (HAE)`,
      tz,
      ...(posture === null ? [] : [posture]),
    ].join(' · '),
  deleteRegion: 'Delete region',
  groundIsLost: 'Tracks over it lose the height above ground that comes from it.',
  regionNameMissing: 'The region needs a name.',
  ground: 'Ground, m above the ellipsoid (empty: not known)',
  timeZone: 'Time zone',
  timeZoneMissing: 'The region needs a time zone.',
  posture: 'Posture',
  postureOfWorkspace: 'that of the workspace',
  firstView: 'What a map shows first',
  wholeRegion: 'The whole region.',
  viewOf: ({ lat, lon, zoom }: { lat: number; lon: number; zoom: number }) => `${lat}, ${lon}, zoom ${zoom}.`,
  takeView: 'Take the map as it stands',
  showWholeRegion: 'Whole region',
  editorStarts: 'The editor is loaded …',
  editorMissing: 'The editor could not be loaded from the box. A newer console may be installed: reload the page.',
  tryAgain: 'Try again',
  edit: 'Edit',
  delete: 'Delete …',
  deleteForGood: 'Delete zone',
  off: 'off',
  save: 'Save',
  undo: 'Undo',
  discard: 'Discard',
  name: 'Name',
  kind: 'Kind',
  shape: 'Shape',
  radius: 'Radius, m',
  width: 'Width, m',
  floor: 'Floor, m (empty: ground)',
  ceiling: 'Ceiling, m (empty: open)',
  datum: 'Heights above',
  datums: { agl: 'ground (AGL)', msl: 'sea level (MSL)', hae: 'ellipsoid (HAE)' },
  heightLine: (of: 'floor' | 'ceiling' | 'ground', m: number | null, datum: Zone['datum'], openM: number | null) => {
    if (m === null && of === 'ground') return 'Ground: not known';
    if (m === null) return openM === null ? 'Ceiling: open' : `Open: ${openM} m AGL`;
    if (of === 'ground' && datum === 'agl') return 'Ground';
    return `${of === 'floor' ? 'Floor' : of === 'ceiling' ? 'Ceiling' : 'Ground'} ${Math.round(m)} m ${datum.toUpperCase()}`;
  },
  /** Text of a zone's side view, for people who cannot see it. */
  profile: (of: { floorM: number | null; ceilingM: number | null; datum: Zone['datum']; groundM: number | null }) => {
    const from = of.floorM === null ? 'from the ground' : `from ${of.floorM} m`;
    const to = of.ceilingM === null ? 'upwards, open above' : `to ${of.ceilingM} m`;
    const ground = of.groundM === null ? 'not known' : `at ${Math.round(of.groundM)} m`;
    const bounds = of.datum === 'agl' ? '' : ` The ground is ${ground}.`;
    return `Side view: the zone reaches ${from} ${to}. Heights are above ${words.datums[of.datum]}.${bounds}`;
  },
  nothingDrawn: 'Tracks are shown once the outline is drawn.',
  tracksOver: (count: number, inside: number): string =>
    count === 0
      ? 'No track is over this outline.'
      : `${count === 1 ? '1 track is' : `${count} tracks are`} over this outline, ${inside} within its heights:`,
  heightOf: (number: string, m: number | null, side: string, datum: Zone['datum']): string =>
    m === null
      ? `${number}: no height, counts as inside`
      : `${number}: ${Math.round(m)} m ${datum.toUpperCase()}, ${side}`,
  alarmLevel: 'Alarm',
  alarmOn: 'An alert is raised when a track',
  transitions: { approach: 'approaches', enter: 'enters', dwell: 'stays inside', exit: 'leaves (log only)' },
  transitionMissing: 'Choose at least one event of the alarm.',
  dwell: 'Time inside, s',
  approach: 'Predicted time until entry, s',
  appliesTo: 'Applies to (none checked: to all)',
  hours: 'Hours',
  onlyAtHours: 'Active only at these hours',
  hoursFrom: 'From',
  hoursTo: 'To (earlier than From: the next day)',
  days: 'Days on which the hours begin',
  hoursMissing: 'The hours need a begin and an end.',
  hoursEqual: 'The hours must not begin and end at the same time.',
  dayMissing: 'The hours need at least one day.',
  pasteGeojson: 'Paste GeoJSON',
  takeOutline: 'Take this outline',
  pasteFaults: {
    noJson: () => 'The text is no JSON.',
    noGeojson: () => 'The text is no GeoJSON.',
    oneFeature: () => 'A collection must have exactly one feature.',
    types: () => 'The GeoJSON must be a Polygon, a Point or a LineString.',
    oneRing: () => 'The Polygon must have one ring: holes cannot be edited here.',
    noCoordinates: () => 'The geometry has no coordinates.',
    badPosition: (index: number) => `Position ${index} must be [longitude, latitude] in degrees.`,
  },
  noCorridor: 'A region is a polygon or a circle.',
  enabled: 'Enabled',
  addPoint: 'Add point',
  clickCentre: 'Click the map, or type the centre. Drag it to move it.',
  clickPoints: 'Click the map for each point, or type it. Drag a point to move it.',
  manyParts: 'Its geometry has holes or several parts: it is kept, and cannot be edited here.',
  nameMissing: 'The zone needs a name.',
  nameDiffers: 'The name differs.',
  floorAboveCeiling: 'The floor must be below the ceiling.',
  pointsMissing: (least: number) => `It needs at least ${least} ${least === 1 ? 'point' : 'points'} and a size.`,
  typeName: (name: string) => `Type its name to delete it: ${name}`,
  latitude: (index: number) => `Latitude of point ${index}`,
  longitude: (index: number) => `Longitude of point ${index}`,
  crosses: 'crosses',
  removePoint: (index: number) => `Remove point ${index}`,
  timeline: 'Timeline',
  log: 'Log',
  span: '30 min',
  chooseMinute: 'Timeline: click a minute, or use the arrow keys, to read its events',
  inMinute: (minuteMs: number, count: number) =>
    `${new Date(minuteMs).toISOString().slice(11, 16)}Z: ${count} ${count === 1 ? 'event' : 'events'}`,
  wholeLog: 'Show all',
  emptyLog: 'Nothing was logged since this page was opened.',
  alertRaised: 'Alert:',
  showTrack: (number: string) => `Show ${number}`,
  close: 'Close',
  criticalAbove: (count: number) => `↑ ${count} new critical ${count === 1 ? 'alert' : 'alerts'} above`,
  vectorLegend: (s: number) => `Line ahead: place in ${s} s`,
  settings: 'Settings',
  keys: 'Keys',
  shown: 'Shown',
  volume: 'Volume',
  testSound: 'Play a test tone',
  noKeyApproves: 'No key approves: an approval is held on its button.',
  lastHalfHour: (count: number) => `${count} events in the last 30 minutes`,
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
  /** Name of a factor with its points, kept on one line. */
  part: (name: string, contribution: number) => `${name} ${words.points(contribution)}`.replaceAll(' ', '\u00a0'),
  scoreSum: 'score, from 0 to 100',
  scoreHint: (version: number) =>
    version === 0
      ? 'Computed with the weights as delivered'
      : `Computed with version ${version} of this site’s weights`,
  rssiHint: 'Strength of the signal at the receiver',
  rate: (perS: number) => `${perS.toFixed(1)}\u00a0reports/s`,
  delay: (ms: number) => `${Math.round(ms)}\u00a0ms\u00a0late`,
  response: (response: string) => response.replaceAll('_', ' '),
  verb: (verb: string) => verb.replaceAll('_', ' '),
  planFor: (number: string) => `Plan about ${number}`,
  engagementOf: (number: string) => `Engagement of ${number}`,
  impossible: (response: string) => `${response.replaceAll('_', ' ')} is not possible`,
  expiresIn: (s: number) => `expires in ${durationText(s)}`,
  approvalsOf: (given: number, needed: number) => `${given} of ${needed} approvals`,
  owner: (owner: string) => (owner === 'pilot' ? 'the pilot has it' : 'another station has it'),
  aboutTrack: (number: string) => `About ${number}`,
  verbField: (field: VerbField): string => verbFields[field],
  fieldMissing: (field: VerbField, bounds: { min: number; max: number } | null): string =>
    `${verbFields[field]} is missing${bounds === null ? '' : ` or not between ${bounds.min} and ${bounds.max}`}.`,
  paramKind: (kind: string): string => (kind === 'point' ? 'a place' : `the selected ${kind}`),
  about: 'About',
  optional: 'may be left out',
  pickOnMap: 'Click on the map',
  clockwise: 'clockwise',
  counterClockwise: 'counter-clockwise',
  rejected: (text: string) => `rejected ${text}`,
  counters: (received: number, sent: number) => `${received} messages in, ${sent} out`,
  retryIn: (text: string) => `retry in ${text}`,
  swarm: (count: number) => `swarm of ${count}`,
  counts: (tracks: number, threats: number, working: number, sensors: number) =>
    `${tracks} tracks · ${threats} threats · ${working}/${sensors} sensors`,
  over: (at: string) => `over since ${at.slice(11, 16)}Z`,
  newest: (count: number) => `${count} new`,
};
