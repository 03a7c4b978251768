import type { Affiliation } from '../../model/assignment.ts';
import type { Classification, Identity, Observation } from '../../model/observation.ts';
import type { CotMessage } from '../wire/message.ts';
import { blankObservation } from './blank.ts';
import { CotClock } from './cot_clock.ts';
import type { LinkFeed } from './link_feed.ts';
import type { ProtocolFeed } from './protocols.ts';
import { FORGET_SILENT_MS, SenderMap } from './sender_map.ts';

/** Standard deviation if the event states no error, m. */
const DEFAULT_SD_M = 50;
/** Greatest standard deviation that the tracker accepts, m. */
const MOST_SD_M = 100_000;
/**
 * Factor on the stated errors of relayed and predicted positions (`how` m-r and m-p). The stated errors leave out the
 * errors of relaying and predicting.
 */
const SECOND_HAND = 2;
const secondHand: ReadonlySet<string> = new Set(['m-r', 'm-p']);
/**
 * Confidence in a class that another system states, from 0 to 1. It is limited because the origin of the class is
 * unknown.
 */
const CONFIDENCE = 0.7;
/** Name of the source of affiliation claims from this protocol. */
export const TAK = 'TAK';

/** Classes by the prefix of the CoT type after the affiliation, longest prefixes first. */
const classes: readonly (readonly [string, Classification['type']])[] = [
  ['A-M-H-Q', 'multirotor'],
  ['A-M-F-Q', 'fixed_wing'],
  ['A-C-F-q', 'fixed_wing'],
  ['A-C', 'crewed_aircraft'],
];

/**
 * Affiliations by the third character of a CoT type: friend and assumed friend, hostile and suspect, neutral. Other
 * letters mean unknown.
 */
const saidBy: Readonly<Record<string, Affiliation>> = {
  f: 'friend',
  a: 'friend',
  h: 'hostile',
  s: 'hostile',
  n: 'neutral',
};

/**
 * Feed of tracks that other systems send as Cursor on Target. Each sending host is a sensor; a TAK server is one
 * sensor, whoever the authors of its events are. The affiliation in an event is kept as a claim and does not change
 * the track's affiliation.
 */
export function cotFeed(link: LinkFeed): ProtocolFeed<CotMessage> {
  const { maxSenders } = link.deps.settings;
  const clocks = new SenderMap<CotClock>(maxSenders);
  // An event may arrive twice, from a TAK server and from the TAK mesh, and many senders repeat their last event. An
  // event with the place and time of the last one of its uid is a repeat.
  const places = new SenderMap<{ place: string }>(maxSenders, FORGET_SILENT_MS);
  return {
    take(message, from, atMs) {
      if (!link.admit(message.uid, null, atMs)) return;
      const sender = hostOf(from);
      const sensorId = link.aliveSensor(sender, 'external', atMs);
      if (!sensorId) return;
      const { id, provesSender } = link.deps.link;
      const observation = observationOf(message, provesSender, blankObservation(sensorId, id, atMs));
      const clock = clocks.of(`${sender} ${message.uid}`, () => new CotClock());
      const aheadMs = clock.take(message, atMs);
      link.noteClock(sensorId, clock.offset);
      observation.timeMs = Math.min(message.startMs + (aheadMs ?? 0), atMs);
      if (aheadMs === null) return link.refuse(observation, 'too_old');
      const place = `${message.startMs} ${message.latDeg} ${message.lonDeg} ${message.altHaeM}`;
      const last = places.of(message.uid, () => ({ place: '' }), atMs);
      if (last.place === place) observation.use = 'repeat';
      last.place = place;
      link.report(observation);
    },
  };
}

/** Removes the port from a sender's address, because a restarted sender has another port. */
function hostOf(from: string): string {
  return from.replace(/:\d+$/, '');
}

function observationOf(message: CotMessage, fromProven: boolean, observation: Observation): Observation {
  const { startMs, latDeg, lonDeg, altHaeM, ceM, leM, how, courseDeg, speedMps } = message;
  const factor = secondHand.has(how) ? SECOND_HAND : 1;
  observation.report = 'position';
  observation.sourceMs = startMs;
  observation.latDeg = latDeg;
  observation.lonDeg = lonDeg;
  observation.altHaeM = altHaeM;
  observation.sigmaHM = Math.min((ceM ?? DEFAULT_SD_M) * factor, MOST_SD_M);
  observation.sigmaVM = altHaeM === null ? null : Math.min((leM ?? DEFAULT_SD_M) * factor, MOST_SD_M);
  observation.speedMps = speedMps;
  observation.courseDeg = courseDeg;
  observation.identities = identitiesOf(message);
  observation.classification = classesOf(message.type);
  observation.claim = { source: TAK, says: saidBy[message.type.charAt(2)] ?? 'unknown', fromProven };
  return observation;
}

/**
 * Returns the identities of an event. The uid is valid only on its own link. The call sign is the name that the other
 * system uses for the aircraft.
 */
function identitiesOf({ uid, callsign }: CotMessage): Identity[] {
  const identities: Identity[] = [{ type: 'external', value: uid, transport: 'network' }];
  if (callsign !== null) identities.push({ type: 'callsign', value: callsign, transport: 'network' });
  return identities;
}

function classesOf(type: string): Classification[] {
  const rest = type.slice(4);
  const found = classes.find(([beginning]) => rest === beginning || rest.startsWith(`${beginning}-`));
  return found === undefined ? [] : [{ type: found[1], confidence: CONFIDENCE }];
}
