import { sentenceOf } from '../../model/fault.ts';

const causes: Record<string, string> = {
  EADDRINUSE: 'is in use by another program',
  EADDRNOTAVAIL: 'is at present no address of this computer',
  EACCES: 'may not be opened by this program: permission denied',
  EPERM: 'may not be opened by this program: permission denied',
  ENOENT: 'is not there',
  ENODEV: 'is not there',
  ENXIO: 'is not there',
  EBUSY: 'is in use by another program',
  ECONNREFUSED: 'refused the connection: nothing listens there',
  ECONNRESET: 'reset the connection',
  EHOSTUNREACH: 'cannot be reached: no route to it',
  ENETUNREACH: 'cannot be reached: no route to it',
  ETIMEDOUT: 'did not answer in time',
  ENOTFOUND: 'cannot be reached: its host name is unknown',
  EAI_AGAIN: 'cannot be reached: the look-up of its host name failed',
  EPIPE: 'closed the connection',
  EIO: 'failed with an input/output error',
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
