import { splitHostPort } from '../edge/link/address.ts';
import { isGroup } from '../edge/link/multicast.ts';
import { writeAuth } from '../edge/wire/cot/auth.ts';
import { chatEvent, pingEvent, presenceEvent, presenceEveryMs, testEvent } from '../edge/wire/cot/box_events.ts';
import { type CotEvent, writeEvent } from '../edge/wire/cot/event.ts';
import { Pings } from '../edge/wire/cot/pings.ts';
import { typeOf } from '../edge/wire/cot/symbol.ts';
import { boxUid, deleteEvent, trackEvents } from '../edge/wire/cot/track_event.ts';
import { writeProtobufEvent } from '../edge/wire/cot/write_protobuf.ts';
import { severityRank } from '../model/alert.ts';
import type { CotOptions } from '../model/outlet_options.ts';
import type { OutletBox, OutletMessage } from '../model/outlet_view.ts';
import type { EncoderSpec, OutletEncoder, OutletLogin, OutletSession } from './kinds.ts';

/** Multicast group to which the clients of a TAK mesh send chat messages (ATAK, GeoChatService). */
const MESH_CHAT = '224.10.10.1:17012';
/** Event type of the markers for pilot and take-off point. */
const MARKER = 'b-m-p-s-m';

/** Encoder of Cursor on Target: XML, or protobuf in datagrams. */
export function cotEncoder(box: OutletBox, { transport, address }: EncoderSpec, options: CotOptions): OutletEncoder {
  const host = splitHostPort(address)?.host ?? '';
  const message = messageIn(options.format);
  const chat = transport === 'udp' && isGroup(host) ? { to: MESH_CHAT } : {};
  return {
    track: (view, utcMs) => trackEvents(box, view, options, utcMs).map(message),
    end(view, uids, utcMs) {
      const stale = trackEvents(box, view, options, utcMs).map((event) => message({ ...event, staleMs: utcMs }));
      if (!options.delete) return stale;
      const [own, ...markers] = uids;
      const deletes = own === undefined ? [] : [message(deleteEvent(own, typeOf(view), utcMs))];
      return [...stale, ...deletes, ...markers.map((uid) => message(deleteEvent(uid, MARKER, utcMs)))];
    },
    withdraw: (uids, utcMs) => uids.map((uid) => message(deleteEvent(uid, MARKER, utcMs))),
    alert(alert, utcMs) {
      const { chat_least: least } = options;
      if (least === null || severityRank(alert.severity) < severityRank(least)) return [];
      return [{ ...message(chatEvent(box, alert, utcMs)), ...chat }];
    },
    test: (place, utcMs) => [message(testEvent(box, place, utcMs))],
    presence: options.presence
      ? { everyMs: presenceEveryMs, messages: (place, utcMs) => [message(presenceEvent(box, place, utcMs))] }
      : null,
    session: (nowMs, login) => (transport === 'udp' ? null : streamSession(box, nowMs, login)),
  };
}

function streamSession(box: OutletBox, openedMs: number, login: OutletLogin | null): OutletSession {
  let isSignedIn = login === null;
  const pings = new Pings(openedMs);
  const message = messageIn('xml');
  return {
    received: (bytes, nowMs) => pings.received(bytes, nowMs),
    due(nowMs, utcMs) {
      const due = pings.due(nowMs);
      const pinged = due === null ? [] : [message(pingEvent(box, due === 'answer', utcMs))];
      if (isSignedIn || login === null) return pinged;
      isSignedIn = true;
      const uid = boxUid(box);
      return [{ uid, bytes: writeAuth(login.username, login.password, uid) }, ...pinged];
    },
    get mayBeQuiet() {
      return !pings.answers;
    },
  };
}

/**
 * Returns a function that writes events in the chosen format. Streams always use XML, because a peer may get protobuf
 * there only after asking for it.
 */
function messageIn(format: CotOptions['format']): (event: CotEvent) => OutletMessage {
  const write = format === 'takproto1' ? writeProtobufEvent : writeEvent;
  return (event) => ({ uid: event.uid, bytes: write(event) });
}
