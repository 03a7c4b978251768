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

/** Paths of secrets in the fields of a line, for pino's redaction: at the top and up to two levels down. */
export const hiddenPaths = secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]);

// Session tokens, tickets and API keys have prefixes by which they are recognised in any text.
const tokens = /\b(dst|stk|ftk|dak)_[A-Za-z0-9_-]{8,}/g;

/** Shortens tokens in a line to their prefixes. */
export function hideTokens(line: string): string {
  return line.replace(tokens, '$1_[hidden]');
}

/** A URL without its query, which may hold a ticket or a position. */
export function pathOnly(url: unknown): unknown {
  if (typeof url !== 'string') return url;
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}
