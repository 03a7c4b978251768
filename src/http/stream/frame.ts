import type { EventKind, Tick } from '../../model/event.ts';

/** An event as its bytes on the wire (WHATWG HTML, section 9.2). JSON has no raw line breaks, so one `data:` line is enough. */
export function frame(epoch: string, event: { seq: number; at: string; kind: EventKind; body: object }): string {
  return frameText(epoch, event, JSON.stringify(event.body));
}

/** An event whose body is JSON text already, as its bytes on the wire. */
export function frameText(epoch: string, event: { seq: number; at: string; kind: EventKind }, body: string): string {
  const { seq, at, kind } = event;
  return `id: ${epoch}:${seq}\nevent: ${kind}\ndata: {"seq":${seq},"at":${JSON.stringify(at)},"body":${body}}\n\n`;
}

/** The epoch and sequence number in an event's `id`, or null where the id is malformed. */
export function parseEventId(id: string): { epoch: string; seq: number } | null {
  const found = /^([^:]{1,100}):(\d{1,15})$/.exec(id);
  return found === null ? null : { epoch: String(found[1]), seq: Number(found[2]) };
}

/** A tick. It has no id, so that a client that reconnects names the last event before it. */
export function tickFrame(tick: Tick): Buffer {
  return Buffer.from(`event: tick\ndata: ${JSON.stringify(tick)}\n\n`);
}

/** Heartbeat: a comment line, which is no event. It keeps proxies and clients from treating the connection as dead. */
export const heartbeat = Buffer.from(':\n\n');

/** First bytes of a stream: the time that a browser waits before it reconnects, ms. */
export const preamble = Buffer.from('retry: 2000\n\n');
