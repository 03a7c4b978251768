import type { AlertView, OutletBox, OutletPlace } from '../../../model/outlet_view.ts';
import { formatTime } from '../../../model/time.ts';
import type { CotEvent } from './event.ts';
import { noPlace } from './event.ts';
import { boxUid, mark } from './track_event.ts';

/** Interval of the events that show the box itself, ms. Each is stale after `PRESENCE_LIFE_MS`. */
export const presenceEveryMs = 60_000;
const PRESENCE_LIFE_MS = 150_000;
const TEST_LIFE_MS = 60_000;
const PING_LIFE_MS = 20_000;
const CHAT_LIFE_MS = 86_400_000;
const CHATROOM = 'All Chat Rooms';
/** CoT type of the box: a friendly unit on the ground. */
const BOX_TYPE = 'a-f-G-E-S';
/** Call sign of the box. TAK treats it as an NMTOKEN, which must not contain spaces. */
const CALLSIGN = 'Dunlin';

function times(nowMs: number, lifeMs: number) {
  return { timeMs: nowMs, startMs: nowMs, staleMs: nowMs + lifeMs };
}

function pointOf(place: OutletPlace | null) {
  return place === null ? noPlace : { lat: place.lat, lon: place.lon, haeM: place.altHaeM };
}

/** Creates the event that shows the box itself at its position. */
export function presenceEvent(box: OutletBox, place: OutletPlace, nowMs: number): CotEvent {
  return {
    ...{ uid: boxUid(box), type: BOX_TYPE, how: 'm-g', ...times(nowMs, PRESENCE_LIFE_MS), point: pointOf(place) },
    detail: [
      { name: 'contact', attributes: { callsign: CALLSIGN } },
      { name: 'takv', attributes: { device: 'box', platform: 'Dunlin', os: 'Linux', version: box.version } },
      ...mark(box, nowMs),
    ],
  };
}

/**
 * Creates the event with which an owner tests an outlet. If the box has no position, the event is at 0, 0 with unknown
 * errors.
 */
export function testEvent(box: OutletBox, place: OutletPlace | null, nowMs: number): CotEvent {
  return {
    ...{ uid: `${boxUid(box)}.test`, type: BOX_TYPE, how: 'm-g', ...times(nowMs, TEST_LIFE_MS), point: pointOf(place) },
    detail: [
      { name: 'contact', attributes: { callsign: 'Dunlin test' } },
      { name: 'remarks', attributes: {}, children: ['Dunlin test'] },
      ...mark(box, nowMs),
    ],
  };
}

/** Creates a ping that asks whether the peer is alive, or the answer to a ping. */
export function pingEvent(box: OutletBox, isAnswer: boolean, nowMs: number): CotEvent {
  const [uid, type] = [`${boxUid(box)}-ping`, isAnswer ? 't-x-c-t-r' : 't-x-c-t'];
  return { uid, type, how: 'm-g', ...times(nowMs, PING_LIFE_MS), point: noPlace, detail: [] };
}

/**
 * Creates a chat message to everybody about an alert (ATAK, GeoChatService). A repeat has the same id, so that a
 * client which already has the message drops it. An alert that became more severe gets another id.
 */
export function chatEvent(box: OutletBox, alert: AlertView, nowMs: number): CotEvent {
  const [sender, uid] = [CALLSIGN, boxUid(box)];
  const messageId = alert.isWorse ? `${alert.id}.${alert.severity}` : alert.id;
  const chat = { parent: 'RootContactGroup', groupOwner: 'false', messageId, chatroom: CHATROOM, id: CHATROOM };
  const remarks = { source: `BAO.F.Dunlin.${uid}`, to: CHATROOM, time: formatTime(nowMs) };
  return {
    ...{ uid: `GeoChat.${uid}.${CHATROOM}.${messageId}`, type: 'b-t-f', how: 'h-g-i-g-o' },
    ...{ ...times(nowMs, CHAT_LIFE_MS), point: noPlace },
    detail: [
      {
        name: '__chat',
        attributes: { ...chat, senderCallsign: sender },
        children: [{ name: 'chatgrp', attributes: { uid0: uid, uid1: CHATROOM, id: CHATROOM } }],
      },
      { name: 'link', attributes: { uid, type: BOX_TYPE, relation: 'p-p' } },
      { name: 'remarks', attributes: remarks, children: [`${alert.severity.toUpperCase()}: ${alert.text}`] },
      ...mark(box, nowMs),
    ],
  };
}
