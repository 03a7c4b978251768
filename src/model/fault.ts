/**
 * Codes of failures, with their HTTP status. A Fault adds a sentence that names what failed and why. `src/http` sends a
 * Fault as the failure envelope; the command line prints the sentence.
 */
export const faultCodes = {
  invalid_input: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_a_member: 403,
  read_only: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  not_built: 501,
  not_configured: 503,
  unavailable: 503,
} as const;

export type FaultCode = keyof typeof faultCodes;

/**
 * Fault of one request field: `path` of the field (empty for the whole request), and a sentence that names the field.
 */
export type FieldFault = { path: string; text: string };

type FaultOptions = ErrorOptions & { retryAfterS?: number; faults?: readonly FieldFault[] };

export class Fault extends Error {
  readonly code: FaultCode;
  /**
   * Faults of an invalid request, at most 100. The Fault's message names at least the first and counts the others.
   * Empty if the request has no field faults.
   */
  readonly faults: readonly FieldFault[];
  /** Time after which the client may repeat a `rate_limited` request, s; null if unknown. */
  readonly retryAfterS: number | null;

  constructor(code: FaultCode, sentence: string, options?: FaultOptions) {
    super(sentence, options);
    this.name = 'Fault';
    this.code = code;
    this.faults = options?.faults ?? [];
    this.retryAfterS = options?.retryAfterS ?? null;
  }

  get status(): number {
    return faultCodes[this.code];
  }
}

export const invalidInput = faultOf('invalid_input');
export const forbidden = faultOf('forbidden');
export const notFound = faultOf('not_found');
export const conflict = faultOf('conflict');
export const unavailable = faultOf('unavailable');

function faultOf(code: FaultCode) {
  return (sentence: string, options?: FaultOptions): Fault => new Fault(code, sentence, options);
}

/** Returns the value; throws `not_found` if the value is null or undefined. */
export function orNotFound<T>(value: T | null | undefined, sentence: string): T {
  if (value === null || value === undefined) throw notFound(sentence);
  return value;
}

/** Returns the message of any thrown value, for a log line or a link's `last_error`. */
export function sentenceOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/**
 * Refuses a change whose caller has read another version of the row; passes if the caller gives none. `what` names the
 * row, for example `the asset Heron 2`.
 */
export function refuseStale(what: string, held: number, believed: number | undefined): void {
  if (believed === undefined || believed === held) return;
  throw new Fault('conflict', `${what} is at version ${held}, not ${believed}; read it again and repeat the change`);
}
