/** RFC 3339 UTC with milliseconds, the only form of a time on the wire and in storage. */
export function formatTime(utcMs: number): string {
  return new Date(utcMs).toISOString();
}

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** UTC milliseconds of an RFC 3339 text with any offset, or null where it is not one. */
export function parseTime(text: string): number | null {
  if (!rfc3339.test(text)) return null;
  const utcMs = Date.parse(text);
  return Number.isNaN(utcMs) ? null : utcMs;
}
