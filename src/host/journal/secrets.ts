const secretKeys = [
  'password',
  'secret',
  'token',
  'ticket',
  'authorization',
  'cookie',
  'key',
  'signing_key',
  'passphrase',
  'api_key',
];

/** Paths of secrets in the fields of a log line, for pino's redaction: at the top level and up to two levels below. */
export const hiddenPaths = secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]);

// Session tokens, tickets and API keys have prefixes, by which this pattern recognises them in any text.
const tokens = /\b(dst|stk|ftk|dak)_[A-Za-z0-9_-]{8,}/g;

/** Replaces tokens in a line by their prefix and `[hidden]`. */
export function hideTokens(line: string): string {
  return line.replace(tokens, '$1_[hidden]');
}

/** Returns a URL without query and fragment, because the query may contain a ticket or a position. */
export function pathOnly(url: unknown): unknown {
  if (typeof url !== 'string') return url;
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}
