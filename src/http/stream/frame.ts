import type { EventKind, StreamEvent, Tick } from '../../model/event.ts';

/**
 * Formats an event as its text on the wire (WHATWG HTML, section 9.2). JSON has no raw line breaks, so one `data:` line
 * is enough.
 */
export function frame(epoch: string, event: StreamEvent): string {
  return frameText(epoch, event, event.bodyText ?? JSON.stringify(event.body));
}

/** Formats an event whose body is already JSON text. */
export function frameText(epoch: string, event: { seq: number; at: string; kind: EventKind }, body: string): string {
  const { seq, at, kind } = event;
  return `id: ${epoch}:${seq}\nevent: ${kind}\ndata: {"seq":${seq},"at":${JSON.stringify(at)},"body":${body}}\n\n`;
}

/** Parses the epoch and sequence number of an event's `id`; null if the id is malformed. */
export function parseEventId(id: string): { epoch: string; seq: number } | null {
  const found = /^([^:]{1,100}):(\d{1,15})$/.exec(id);
  return found === null ? null : { epoch: String(found[1]), seq: Number(found[2]) };
}

/** Formats a `tick` event. It has no id, so a client that reconnects still names its last event. */
export function tickFrame(tick: Tick): Buffer {
  return Buffer.from(`event: tick\ndata: ${JSON.stringify(tick)}\n\n`);
}

/**
 * Heartbeat: a comment line, which clients do not see as an event. It keeps proxies and clients from treating the
 * connection as dead.
 */
export const heartbeat = Buffer.from(':\n\n');

/** First bytes of a stream: the time that a browser must wait before it reconnects, ms. */
export const preamble = Buffer.from('retry: 2000\n\n');
