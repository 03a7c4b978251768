import type { EventKind, Tick } from '../../model/event.ts';

/** An event as it stands on the wire (WHATWG HTML, section 9.2). JSON has no raw line breaks, so one `data:` line is enough. */
export function frame(epoch: string, event: { seq: number; at: string; kind: EventKind; body: object }): string {
  return frameText(epoch, event, JSON.stringify(event.body));
}

/** The same of a body that is JSON text already. */
export function frameText(epoch: string, event: { seq: number; at: string; kind: EventKind }, body: string): string {
  const { seq, at, kind } = event;
  return `id: ${epoch}:${seq}\nevent: ${kind}\ndata: {"seq":${seq},"at":${JSON.stringify(at)},"body":${body}}\n\n`;
}

/** The place in the stream that an event's `id` names, or null where the id is malformed. */
export function parseEventId(id: string): { epoch: string; seq: number } | null {
  const found = /^([^:]{1,100}):(\d{1,15})$/.exec(id);
  return found === null ? null : { epoch: String(found[1]), seq: Number(found[2]) };
}

/** A tick, which has no id: a client that comes back names the last event before it. */
export function tickFrame(tick: Tick): Buffer {
  return Buffer.from(`event: tick\ndata: ${JSON.stringify(tick)}\n\n`);
}

/** A comment: keeps proxies and clients from thinking the connection dead, and is no event. */
export const heartbeat = Buffer.from(':\n\n');

/** The first bytes: how long a browser waits before it connects again. */
export const preamble = Buffer.from('retry: 2000\n\n');
