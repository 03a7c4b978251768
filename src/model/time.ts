let second = Number.NaN;
let toTheSecond = '';

/**
 * RFC 3339 UTC with milliseconds, the only form of a time on the wire and in storage. Throws RangeError where the
 * number is no time.
 */
export function formatTime(utcMs: number): string {
  const wholeMs = Math.trunc(utcMs);
  const wholeS = Math.floor(wholeMs / 1_000);
  // Cached, because thousands of times a second are formatted, nearly all of the same second.
  if (wholeS !== second) {
    toTheSecond = new Date(wholeS * 1_000).toISOString().slice(0, -4);
    second = wholeS;
  }
  const ms = wholeMs - wholeS * 1_000;
  return `${toTheSecond}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z`;
}

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** UTC ms of an RFC 3339 text with any offset; null where it is none. */
export function parseTime(text: string): number | null {
  if (!rfc3339.test(text)) return null;
  const utcMs = Date.parse(text);
  return Number.isNaN(utcMs) ? null : utcMs;
}
