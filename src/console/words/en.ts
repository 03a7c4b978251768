import type { Alert } from '../../model/alert.ts';
import type { DismissalEnd, Threat } from '../../model/threat.ts';
import type { Track } from '../../model/track.ts';
import type { Silences } from '../state/silences.ts';
import type { VerbField } from '../state/verb_form.ts';
import type { LinkState } from '../stream/messages.ts';
import { alertWords } from './alerts.ts';
import { areaWords } from './areas.ts';
import { modeHint, spoken, verbName } from './flight.ts';
import { levelWords } from './levels.ts';
import { logWords } from './log.ts';
import { orderWords } from './orders.ts';
import { person } from './person.ts';
import { soundWords } from './sounds.ts';
import { terms } from './terms.ts';
import { bearingText, clockText, distanceText, durationText, heightText, speedText, type Units } from './units.ts';
import { verbFields } from './verb_fields.ts';

/** Texts of the console. Sentences of the daemon are shown unchanged, except for the names of verbs and modes. */
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
  signIn: 'Sign in',
  signInMenu: 'Sign in …',
  signOut: 'Sign out',
  userName: 'User name',
  password: 'Password',
  orderHeld: 'order held',
  approvalsOrder: 'in execution, then by level and score',
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
    ({
      connecting: 'CONNECTING',
      up_to_date: 'UP TO DATE',
      stale: `STALE ${ageS} s`,
      no_link: ageS === 0 ? 'NO LINK' : `NO LINK ${durationText(ageS)}`,
    })[state],
  /** Sentence about a lost link; a link that never stood has only its cause. */
  noLink: ({ cause, ageS }: LinkState): string =>
    ageS === 0
      ? (cause ?? '')
      : `No link for ${durationText(ageS)}: ${cause ?? ''}. The picture is old. Stop a vehicle by its own remote control.`,
  level: (level: Threat['level']) => level,
  age: (s: number | null) => (s === null ? '' : durationText(s)),
  type: ({ classification }: Track): string => {
    const [best] = classification;
    return best ? terms.type(best.type) : 'type unknown';
  },
  affiliation: ({ affiliation, affiliation_basis: basis }: Track): string =>
    affiliation === 'friend' && basis === 'remote_id' ? 'friend as claimed by Remote ID' : affiliation,
  untold: 'No identity was received, and no sensor classified it: a drone, a bird or clutter. A look can tell.',
  standoff: (m: number) => `keeps ${m} m away`,
  /** One line about a track on the map, and the number of others at the same spot. */
  tip: (track: Track, others: number, units: Units): string => {
    const { position, velocity } = track;
    const agl = position?.alt_agl_m ?? null;
    const height = agl === null ? `${heightText(position?.alt_msl_m, units)} MSL` : `${heightText(agl, units)} AGL`;
    const more = others === 0 ? '' : ` · ${others} more here`;
    return `${track.number} · ${words.affiliation(track)} · ${height} · ${speedText(velocity?.speed_mps, units)}${more}`;
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
  aClosedTrack: 'a closed track',
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
  pilotOnBoard: 'on board',
  unknownPilot: 'unknown: no place was received',
  takeoff: 'Take-off point',
  takeoffMark: 'take-off',
  noPlace: 'no place reported',
  claims: 'What it transmits about itself',
  noClaims: 'It transmits no identity.',
  says: (affiliation: string, source: string) => `says: ${affiliation} (${source}, unproven)`,
  whoSawIt: 'Seen by',
  unknownSensor: 'a removed sensor',
  unknown: 'unknown',
  modeUnknown: 'mode unknown',
  history: 'Height and speed',
  heightAxis: {
    alt_agl_m: 'above ground, m',
    height_takeoff_m: 'above take-off, m',
    alt_msl_m: 'above the sea, m',
  },
  noHistory: 'No history yet.',
  actions: 'Actions',
  investigate: 'Propose a look',
  dismiss: 'Dismiss …',
  dismissFor: (period: string) => `Dismiss ${period.startsWith('until') ? '' : 'for '}${period}`,
  dismissTrack: (number: string) => `Dismiss ${number} as harmless`,
  otherReason: 'other',
  dismissalEnds: 'The dismissal ends early if the level rises.',
  dismissedUntil: ({ until }: NonNullable<Threat['dismissed']>) =>
    `dismissed${until === null ? '' : ` until ${clockText(until).slice(0, 5)}`}`,
  dismissed: ({ by, reason, until }: NonNullable<Threat['dismissed']>) =>
    `dismissed by ${person(by)}${until === null ? '' : ` until ${clockText(until).slice(0, 5)}Z`}: ${reason}`,
  dismissalEnded: ({ reason, from_level, to_level }: DismissalEnd) =>
    reason === 'expired'
      ? 'dismissal ended: its time is over'
      : `dismissal ended: level rose from ${from_level} to ${to_level}`,
  dismissalOver: (number: string, { reason, to_level }: DismissalEnd) =>
    reason === 'expired'
      ? `${number}: the dismissal has ended, its time is over.`
      : `${number}: the dismissal has ended, the level rose to ${to_level}.`,
  dismissalEndedBy: ({ by, at }: DismissalEnd) =>
    `${person(by)} had dismissed it; the dismissal ended ${clockText(at)}`,
  person,
  vehicleBusy: (vehicle: string, number: string) => `${vehicle} is busy with ${number}: cancel that plan to free it.`,
  areaSaved: (name: string) => `${name} is saved.`,
  affiliationSet: (number: string, affiliation: string) => `${number} is set to ${affiliation}.`,
  trackDropped: (number: string) => `${number} is dropped.`,
  trackDismissed: (number: string, reason: string) => `${number} is dismissed: ${reason}.`,
  draftOpen: 'An area is being drawn and not saved yet',
  takeBack: 'Take the dismissal back',
  dismissalTakenBack: (number: string) => `${number} is no longer dismissed.`,
  plansProposed: (number: string, feasible: number) =>
    feasible === 0
      ? `No plan about ${number} is possible now: Approvals says why.`
      : `Approvals has ${feasible} possible ${feasible === 1 ? 'plan' : 'plans'} about ${number}.`,
  setAffiliation: 'Set affiliation …',
  drop: 'Drop track …',
  reason: 'Reason',
  reasonMissing: 'Give a reason: the log keeps it.',
  signInMissing: 'Type your user name and your password.',
  howLong: 'For how long',
  minutes: 'Minutes (empty: until the track ends)',
  noEngagements: 'No plan waits for approval.',
  unknownVehicle: 'a removed vehicle',
  approve: (response: string) => `Hold to approve: ${response}`,
  approved: (response: string, number: string) => `Approved: ${response} ${number}.`,
  rejectedPlans: (number: string) => `Rejected: the plans about ${number}.`,
  cancelledPlan: (number: string) => `Cancelled: the plan about ${number}.`,
  ended: 'over',
  cancelledAndHeld: 'cancelled here; the vehicle is ordered to hold',
  cancelledAndFlies: 'cancelled here; the camera is free, and the vehicle flies on as before',
  atOnce: 'at once',
  aboutIn: (s: number) => `in about ${durationText(s)}`,
  planOver: 'This plan is over: it expired, was decided, or is not needed any more.',
  planApproved: 'You approved this plan.',
  isApproved: 'Approved',
  cannotApprove: 'Cannot be approved now',
  waitsForYou: 'Waits for your approval.',
  /** Head of a card of which only some responses can be approved. */
  someWait: (responses: readonly string[]) => `Waits for your approval: ${responses.join(', ')}.`,
  eachPlanSays: 'Each plan says why it cannot be approved.',
  noPlanPossible: 'No vehicle can do anything about this track now: there is nothing to approve.',
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
  there: 'Arrives, once approved',
  arrives: 'Arrives',
  closest: 'Closest',
  closestSoFar: 'Closest so far',
  picture: 'Picture',
  pictureElsewhere: 'at the vehicle’s own station, not here; the camera looks until you cancel',
  distance: 'Distance',
  noDistance: (phase: string) =>
    phase === 'going' ? 'not known yet: the first step is under way' : 'not known: vehicle or track has no position',
  breaches: 'Times too close',
  energyHome: 'Energy when home',
  twoPersonsSignIn: 'Two persons must approve: sign in, so that both are known.',
  youProposed: 'You proposed this plan: another person must approve it.',
  youApproved: 'You approved this plan: another person must approve it too.',
  planChanged: 'The plan changed: read it again.',
  planMoved: 'Not approved: the plan has just come or moved. Read it, and hold again.',
  notRejectedMoved: 'Not rejected: the plans have just come or moved. Read them, and press again.',
  planExpired: 'The plan has expired.',
  proposalExpired: (number: string) => `The plans about ${number} expired before a person decided about them.`,
  noVehicles: 'No vehicle is received and none is adopted.',
  armed: 'motors armed',
  disarmed: 'motors disarmed',
  energy: 'Energy',
  notAdopted: 'Not adopted: this vehicle belongs to none of your assets yet, so it takes no orders from here.',
  selectTrackFirst: 'Select a track first.',
  box: 'This box',
  sensors: 'Sensors',
  links: 'Links',
  noSensorsDeclared: 'No sensor is declared and no link has one.',
  noLinks: 'There is no link.',
  outlets: 'Outlets',
  sentCount: (messages: number, tracks: number) => `${messages} sent · ${tracks} tracks`,
  dropped: (counts: string) => `dropped: ${counts}`,
  sensorBack: (name: string) => `${name} works again.`,
  neverReceived: 'never received',
  /** Past silences as a sentence. The log row of a silence is written `deadlineS` after the sensor's last report. */
  pastSilences: ({ count, last: { from, to } }: Silences, deadlineS: number) => {
    const began = new Date(Date.parse(from) - deadlineS * 1_000).toISOString();
    return `${count === 1 ? 'was silent' : `was silent ${count} times in 24 h, last`} from ${clockText(began)} to ${clockText(to)}`;
  },
  yourName: 'Your name for the log',
  yourNameShort: 'Your name',
  nameAsked: 'Type your name: the log names the person on watch, and an approval needs it.',
  nameInMenu: 'Your name for the log is missing: give it here',
  silence: 'Silence 30 s',
  ...alertWords,
  ...orderWords,
  ...areaWords,
  ...levelWords,
  ...soundWords,
  moreTabs: 'More',
  sheetSize: (size: 'low' | 'half' | 'full') =>
    `Height of the panel: ${{ low: 'a third', half: 'half', full: 'the whole screen' }[size]}`,
  ...logWords,
  showTrack: (number: string) => `Show ${number}`,
  close: 'Close',
  andMore: (sentence: string, more: number) => `${sentence} ${more} more.`,
  spokenAlert: ({ severity, text }: Alert) => `${severity} alert: ${text}`,
  spokenLink: (state: LinkState['state']) =>
    ({
      connecting: 'Connecting to the box.',
      up_to_date: 'The picture is up to date.',
      stale: 'The picture is stale.',
      no_link: 'No link to the box.',
    })[state],
  measure: 'Measure',
  measureFrom: 'Click the first place.',
  measureTo: 'Click the second place.',
  measured: (distanceM: number, courseDeg: number, from: string | null, to: string | null) => {
    const ends = `${from === null ? '' : ` from ${from}`}${to === null ? '' : ` to ${to}`}`;
    return `${distanceText(distanceM)}, ${bearingText(courseDeg)}${ends}`;
  },
  find: 'Find',
  findHint: 'Number, serial, callsign, name of a zone or vehicle, or a latitude and longitude',
  nothingFound: 'Nothing has this name or number.',
  foundPlace: (place: string) => `Centre the map on ${place}`,
  vectorLegend: (s: number) => `Line ahead: place in ${s} s`,
  settings: 'Settings',
  keys: 'Keys',
  shown: 'Shown',
  noKeyApproves: 'No shortcut approves: the button of the plan is held, with the pointer, Space or Enter.',
  lastHalfHour: (count: number) => `${count} events in the last 30 minutes`,
  showLive: 'Show live',
  liveAlert: (text: string) => `LIVE ALERT: ${text}`,
  flag: (flag: string) =>
    ({
      potential_false: 'possibly a false track',
      id_duplicate: 'identity used by more than one transmitter',
      inconsistent_sources: 'its sources disagreed: an earlier claim was of another aircraft',
      emergency: 'it reports an emergency',
    })[flag] ?? flag,
  ago: (s: number | null) => (s === null ? '' : `${durationText(s)} ago`),
  seen: (s: number | null) => (s === null ? '' : `seen ${durationText(s)} ago`),
  last: (s: number | null) => (s === null ? '' : `last ${durationText(s)} ago`),
  nameHint: 'The log shows this name; it is no sign-in, which needs a user and a password of this box.',
  namedAs: (name: string) => `The log names you ${name}.`,
  unnamed: 'The log names nobody now.',
  hits: (count: number) => `${count} reports`,
  madeOf: (system: string, object: string | null, sources: number) =>
    `${system}: its track ${object ?? 'without a number'}${sources === 0 ? '' : `, made of ${sources} others`}`,
  dependsOn: (count: number) => `depends on ${count} nodes`,
  points: (contribution: number) => `${contribution > 0 ? '+' : ''}${Math.round(contribution)}`,
  /** Name of a factor with its points, kept on one line. */
  part: (name: string, contribution: number) => `${name} ${words.points(contribution)}`.replaceAll(' ', '\u00a0'),
  scoreSum: ({ score, factors }: Threat) => {
    const sum = factors.reduce((points, { contribution }) => points + contribution, 0);
    const limited = Math.abs(sum - score) < 1 ? '' : ` (the sum is ${Math.round(sum)})`;
    return `score, from 0 to 100${limited}; ${levelWords.levelLags}`;
  },
  scoreHint: (version: number) =>
    version === 0
      ? 'Computed with the weights as delivered'
      : `Computed with version ${version} of this site’s weights`,
  rssiHint: 'Strength of the signal at the receiver',
  rate: (perS: number) => `${perS.toFixed(1)}\u00a0reports/s`,
  delay: (ms: number) => `${Math.round(ms)}\u00a0ms\u00a0late`,
  response: (response: string) => response.replaceAll('_', ' '),
  verb: verbName,
  /** State of a command with its reason; a reason that begins with the state says both. */
  outcome: (state: string, reason: string | null) =>
    reason === null ? state : reason.startsWith(state) ? spoken(reason) : `${state}: ${spoken(reason)}`,
  modeHint,
  /** Sentence of the daemon with the console's names of verbs and modes. */
  spoken,
  planFor: (number: string) => `Plan about ${number}`,
  engagementOf: (number: string) => `Engagement of ${number}`,
  impossible: (response: string, why: string) =>
    `${response.replaceAll('_', ' ')} is not possible${why === '' ? '' : `: ${why}`}`,
  madeAgo: (s: number | null) => (s === null ? '' : `as of ${durationText(s)} ago`),
  expiresIn: (s: number) => `expires in ${durationText(s)}`,
  approvalsOf: (given: number, needed: number) =>
    needed === 1 ? 'one person approves' : `${given} of ${needed} persons approved`,
  owner: (owner: string) => (owner === 'pilot' ? 'the pilot controls it' : 'another ground station controls it'),
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
  credentials: (subject: string | null, notAfter: string | null) =>
    `TLS: ${subject ?? 'checks the server'}${notAfter === null ? '' : `, until ${notAfter.slice(0, 10)}`}`,
  swarmPlans: (others: number, isOpen: boolean) =>
    `Same swarm: ${others} more ${others === 1 ? 'track' : 'tracks'}, ${isOpen ? 'with plans that wait' : 'with no plan to approve now'}`,
  swarm: (others: number) => `Same swarm: ${others} more`,
  counts: (tracks: number, threats: number) => `${tracks} tracks · ${threats} threats ·`,
  othersWorking: (names: readonly string[]) =>
    names.length === 0 ? 'No other sensor works.' : `Others that work: ${names.join(', ')}.`,
  sensorCount: (working: number, sensors: number) => `${working}/${sensors} sensors`,
  sinceClock: (at: string) => `since ${clockText(at)}`,
  operatorId: 'operator',
  theSite: 'the site',
  /** A place as seen from the centre of a zone or of the site. */
  bearingFrom: (name: string, distanceM: number, courseDeg: number) =>
    `${distanceText(distanceM)}, ${bearingText(courseDeg)} from the centre of ${name}`,
  newest: (count: number) => `${count} new`,
};
