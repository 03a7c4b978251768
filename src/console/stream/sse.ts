/** One server-sent event of the stream (WHATWG HTML, section 9.2). `id` is empty where the event has none. */
export type SseEvent = { id: string; kind: string; data: string };

/** Limit of an event's length, characters. Pictures of the service are shorter, so a longer event ends the stream. */
export const MOST_EVENT_CHARS = 64 * 1024 * 1024;

/**
 * Parser of a stream of server-sent events. Text arrives in pieces of any length; complete events are returned in
 * order. The service ends lines with LF alone, and writes one `data:` line for each event.
 */
export class SseParser {
  #rest = '';

  /** Returns the events that this piece completes. Throws where an event is longer than the limit. */
  push(text: string): SseEvent[] {
    this.#rest += text;
    const end = this.#rest.lastIndexOf('\n\n');
    if (end < 0) {
      if (this.#rest.length > MOST_EVENT_CHARS)
        throw new Error(`an event of the stream is longer than ${MOST_EVENT_CHARS} characters`);
      return [];
    }
    const blocks = this.#rest.slice(0, end).split('\n\n');
    this.#rest = this.#rest.slice(end + 2);
    return blocks.flatMap(eventOf);
  }
}

/** A block of lines as an event; empty where the block has no data, but only comments. */
function eventOf(block: string): SseEvent[] {
  const event: SseEvent = { id: '', kind: 'message', data: '' };
  let hasData = false;
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const value = line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    const field = line.slice(0, colon);
    if (field === 'id') event.id = value;
    else if (field === 'event') event.kind = value;
    else if (field === 'data') {
      event.data = hasData ? `${event.data}\n${value}` : value;
      hasData = true;
    }
  }
  return hasData ? [event] : [];
}
