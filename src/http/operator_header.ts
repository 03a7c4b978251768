import type { IncomingMessage } from 'node:http';
import { invalidInput } from '../model/fault.ts';

export const operatorHeader = 'X-Operator';

/** Limit of the name's length, characters. The body field `operator` has the same limit. */
const MOST_CHARACTERS = 120;
/** Matches one line of visible characters: no control characters, line separators or invisible characters. */
const visible = /^[^\p{C}\p{Zl}\p{Zp}\p{DI}]+$/u;

/**
 * Returns the decoded name in the header `X-Operator`, with which a request without a credential names its operator.
 * Null if the header is absent. The name is unverified: it is only logged and shown beside the address. Throws
 * `invalid_input` for an invalid name.
 */
export function operatorOf({ headers }: IncomingMessage): string | null {
  const sent = headers[operatorHeader.toLowerCase()];
  if (sent === undefined) return null;
  const name = decoded(String(sent)).trim();
  if (name.length <= MOST_CHARACTERS && visible.test(name)) return name;
  throw invalidInput(
    `'${operatorHeader}' must be a name of 1 to ${MOST_CHARACTERS} visible characters, as percent-encoded UTF-8`,
  );
}

/** Decodes percent-encoded UTF-8; returns an empty text if the text cannot be decoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
