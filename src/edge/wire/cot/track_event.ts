import type { CotOptions } from '../../../model/outlet_options.ts';
import type { OutletBox, TrackView } from '../../../model/outlet_view.ts';
import { formatTime } from '../../../model/time.ts';
import type { Track } from '../../../model/track.ts';
import type { CotEvent, CotPoint } from './event.ts';
import { noPlace } from './event.ts';
import { remarksOf } from './remarks.ts';
import { typeOf } from './symbol.ts';
import type { XmlElement } from './xml.ts';

/** Time after which a delete event is stale, ms. */
const DELETE_LIFE_MS = 20_000;
/**
 * Number of characters of a serial in a call sign. The last characters are used, because they distinguish aircraft of
 * one manufacturer.
 */
const SERIAL_END = 8;

/** Returns the uid of the box for its peers. */
export function boxUid({ nodeId }: OutletBox): string {
  return `dunlin.${nodeId}`;
}

/** Returns the uid of a track for the peers. It does not change with identity, affiliation or a restart. */
export function trackUid(box: OutletBox, trackId: string): string {
  return `${boxUid(box)}.${trackId}`;
}

/**
 * Creates the events of a track: the track itself, then markers of the pilot and of the take-off if these are known and
 * not redacted. A track without a position has no events. `start` and `stale` count from the last observation, so that
 * a silent track becomes stale by itself.
 */
export function trackEvents(box: OutletBox, view: TrackView, options: CotOptions, nowMs: number): CotEvent[] {
  const { track } = view;
  if (track.position === null) return [];
  const seenMs = Date.parse(track.last_seen_at);
  const times = { timeMs: nowMs, startMs: seenMs, staleMs: seenMs + options.stale_s * 1_000 };
  const uid = trackUid(box, track.id);
  const [type, how, callsign] = [typeOf(view), howOf(view), callsignOf(view, options)];
  const { lat, lon, alt_hae_m: haeM } = track.position;
  const point = { lat, lon, haeM, ceM: track.uncertainty?.h_m, leM: track.uncertainty?.v_m };
  const detail = [...ownDetail(view, how, callsign), ...mark(box, nowMs), facts(view)];
  const own: CotEvent = { uid, type, how, ...times, point, detail };
  const link = { uid, type, relation: 'p-p', parent_callsign: callsign };
  return [own, ...markers(view, link).map((marker) => ({ ...marker, ...times }))];
}

/**
 * Returns an element with the uid of the box and the time of sending. By it the box recognises its own events when
 * peers send them back.
 */
export function mark(box: OutletBox, nowMs: number): XmlElement[] {
  return [{ name: '_flow-tags_', attributes: { [boxUid(box)]: formatTime(nowMs) } }];
}

/**
 * Creates the event that deletes an object at the peer. ATAK requires all attributes of the element `link`
 * (CotDeleteImporter).
 */
export function deleteEvent(uid: string, type: string, nowMs: number): CotEvent {
  return {
    uid: `${uid}.delete`,
    type: 't-x-d-d',
    how: 'm-g',
    ...{ timeMs: nowMs, startMs: nowMs, staleMs: nowMs + DELETE_LIFE_MS },
    point: noPlace,
    detail: [
      { name: 'link', attributes: { uid, relation: 'p-p', type } },
      { name: '__forcedelete', attributes: {} },
    ],
  };
}

/**
 * Returns the origin of the position: `h-e` if only people report; `m-g` (GNSS of the aircraft) if the only contributor
 * receives the aircraft's own reports and is no other system; else `m-f` (fused).
 */
function howOf({ track: { contributors, cooperative }, sensors }: TrackView): string {
  if (sensors.length > 0 && sensors.every(({ modality }) => modality === 'human')) return 'h-e';
  const isFused = sensors.some(({ modality }) => modality === 'external');
  return contributors.length === 1 && cooperative === 'coop_only' && !isFused ? 'm-g' : 'm-f';
}

function callsignOf({ track, asset }: TrackView, { callsign }: CotOptions): string {
  if (track.affiliation === 'friend' && asset !== null) return asset.name;
  const serial = serialOf(track);
  return callsign === 'identity' && serial !== null ? `${track.number} ${serial.slice(-SERIAL_END)}` : track.number;
}

function serialOf({ identities }: Track): string | null {
  return identities.find(({ type }) => type === 'serial')?.value ?? null;
}

/** Returns the details for people. The contact has no endpoint, so that ATAK offers no chat with it. */
function ownDetail(view: TrackView, how: string, callsign: string): XmlElement[] {
  const { speed_mps: speed, course_deg: course } = view.track.velocity ?? { speed_mps: null, course_deg: null };
  const source = how === 'm-g' ? 'GPS' : '???';
  return [
    { name: 'contact', attributes: { callsign } },
    // The element needs both attributes, because the schema requires them.
    ...(speed === null || course === null ? [] : [{ name: 'track', attributes: { course, speed } }]),
    { name: 'precisionlocation', attributes: { geopointsrc: source, altsrc: source } },
    { name: 'remarks', attributes: {}, children: [remarksOf(view)] },
  ];
}

/** Returns an element with the details for programs. */
function facts({ track, threat }: TrackView): XmlElement {
  const { number, state, affiliation, affiliation_basis: basis, integrity, quality } = track;
  const threatFacts = { level: threat?.level ?? null, score: threat?.score ?? null };
  const serial = serialOf(track);
  const { verdict } = integrity;
  return {
    name: '__dunlin',
    attributes: { number, state, ...threatFacts, affiliation, basis, verdict, quality, serial },
  };
}

type Marker = Pick<CotEvent, 'uid' | 'type' | 'how' | 'point' | 'detail'>;

/**
 * Creates markers of the pilot and of the take-off. An operator position of type `takeoff` is not the position of the
 * pilot. It marks the take-off if the track has no take-off position.
 */
function markers({ track }: TrackView, link: Record<string, string>): Marker[] {
  const { operator, takeoff } = track;
  const place: CotPoint | null =
    operator === null || operator.lat === null || operator.lon === null
      ? null
      : { lat: operator.lat, lon: operator.lon, haeM: operator.alt_hae_m };
  const isTakeoff = operator?.type === 'takeoff';
  const start: CotPoint | null = takeoff ? { ...takeoff, haeM: takeoff.alt_hae_m } : isTakeoff ? place : null;
  const id = operator?.operator_id ? `operator ${operator.operator_id} (claimed)` : null;
  return [
    ...(place === null || isTakeoff ? [] : [marker('pilot', 'FF0000', place, track, link, id)]),
    ...(start === null ? [] : [marker('takeoff', 'FFFF00', start, track, link, null)]),
  ];
}

function marker(
  what: 'pilot' | 'takeoff',
  rgb: string,
  point: CotPoint,
  { number }: Track,
  link: Record<string, string>,
  remarks: string | null,
): Marker {
  const type = 'b-m-p-s-m';
  // ATAK's spot map expects a colour as a signed 32-bit number.
  const colour = Number.parseInt(`FF${rgb}`, 16) | 0;
  const detail = [
    { name: 'contact', attributes: { callsign: `${number} ${what}` } },
    { name: 'usericon', attributes: { iconsetpath: `COT_MAPPING_SPOTMAP/${type}/${colour}` } },
    { name: 'link', attributes: link },
    ...(remarks === null ? [] : [{ name: 'remarks', attributes: {}, children: [remarks] }]),
  ];
  return { uid: `${link.uid}.${what}`, type, how: 'm-g', point, detail };
}
