import type { Affiliation } from '../../model/assignment.ts';
import type { Classification, Identity, Observation } from '../../model/observation.ts';
import type { CotMessage } from '../wire/message.ts';
import { blankObservation } from './blank.ts';
import { CotClock } from './cot_clock.ts';
import type { LinkFeed } from './link_feed.ts';
import type { ProtocolFeed } from './protocols.ts';
import { SenderMap } from './sender_map.ts';

/** Errors where the event names none, 1 sigma. */
const DEFAULT_SD_M = 50;
/** Greatest error that the model takes, m. */
const MOST_SD_M = 100_000;
/** Factor of errors of places that were relayed or predicted, which the event does not say. */
const SECOND_HAND = 2;
const secondHand: ReadonlySet<string> = new Set(['m-r', 'm-p']);
/** Confidence in a class that another system names: its source is not known. */
const CONFIDENCE = 0.7;
/** System that claims of this protocol come from. */
export const TAK = 'TAK';

/** Classes by the beginning of the type after the affiliation, the longest first. */
const classes: readonly (readonly [string, Classification['type']])[] = [
  ['A-M-H-Q', 'multirotor'],
  ['A-M-F-Q', 'fixed_wing'],
  ['A-C-F-q', 'fixed_wing'],
  ['A-C', 'crewed_aircraft'],
];

/** Letters of a type that say more than "unknown": friend and assumed friend, hostile and suspect, neutral. */
const saidBy: Readonly<Record<string, Affiliation>> = {
  f: 'friend',
  a: 'friend',
  h: 'hostile',
  s: 'hostile',
  n: 'neutral',
};

/**
 * Tracks of other systems by Cursor on Target. Each sender is a sensor; a TAK server is one, whoever wrote to it. What an
 * event says of friend and foe is kept as a claim and changes nothing.
 */
export function cotFeed(link: LinkFeed): ProtocolFeed<CotMessage> {
  const { maxSenders } = link.deps.settings;
  const clocks = new SenderMap<CotClock>(maxSenders);
  // A server and the mesh may bring an event both, and many senders repeat one until they have another: it counts once.
  const places = new SenderMap<{ place: string }>(maxSenders);
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
      const last = places.of(message.uid, () => ({ place: '' }));
      if (last.place === place) observation.use = 'repeat';
      last.place = place;
      link.report(observation);
    },
  };
}

/** A sender that starts again has another port. */
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

/** The uid holds within its link alone. A callsign over the network is what the other system calls the aircraft. */
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
