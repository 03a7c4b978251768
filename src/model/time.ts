let second = Number.NaN;
let toTheSecond = '';

/**
 * Formats a time as RFC 3339 UTC with milliseconds, the only text form of a time on the wire and in storage. Throws
 * RangeError for a number that is not a valid time.
 */
export function formatTime(utcMs: number): string {
  const wholeMs = Math.trunc(utcMs);
  const wholeS = Math.floor(wholeMs / 1_000);
  // The text of the last second is cached: thousands of times are formatted per second, nearly all within the same
  // second.
  if (wholeS !== second) {
    toTheSecond = new Date(wholeS * 1_000).toISOString().slice(0, -4);
    second = wholeS;
  }
  const ms = wholeMs - wholeS * 1_000;
  return `${toTheSecond}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z`;
}

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** Parses an RFC 3339 time with any offset. Returns UTC ms; null if the text is not such a time. */
export function parseTime(text: string): number | null {
  if (!rfc3339.test(text)) return null;
  const utcMs = Date.parse(text);
  return Number.isNaN(utcMs) ? null : utcMs;
}
