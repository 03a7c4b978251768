import { sentenceOf } from '../../model/fault.ts';

const causes: Record<string, string> = {
  EADDRINUSE: 'is in use by another program',
  EADDRNOTAVAIL: 'is not an address of this computer (now)',
  EACCES: 'may not be opened by this program: permission denied',
  EPERM: 'may not be opened by this program: permission denied',
  ENOENT: 'is not there',
  ENODEV: 'is not there',
  ENXIO: 'is not there',
  EBUSY: 'is in use by another program',
  ECONNREFUSED: 'refused the connection: nothing listens there',
  ECONNRESET: 'broke the connection off',
  EHOSTUNREACH: 'cannot be reached: no route to it',
  ENETUNREACH: 'cannot be reached: no route to it',
  ETIMEDOUT: 'did not answer in time',
  ENOTFOUND: 'cannot be reached: its name is not known',
  EAI_AGAIN: 'cannot be reached: its name could not be looked up',
  EPIPE: 'closed the connection',
  EIO: 'broke off: input/output error',
};

/** Code of a system error, such as `ENOENT`; null for other errors. */
export function codeOf(thrown: unknown): string | null {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : null;
}

/** True if another program has the port or device open. */
export function isInUse(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return code === 'EADDRINUSE' || code === 'EBUSY';
}

/**
 * Returns a sentence with the thing that failed and the cause: our own words for known causes, else the system's
 * text.
 */
export function explain(what: string, thrown: unknown): string {
  const cause = causes[codeOf(thrown) ?? ''];
  return cause ? `${what} ${cause}` : `${what} failed: ${sentenceOf(thrown)}`;
}
