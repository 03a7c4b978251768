import type { IncomingMessage } from 'node:http';
import { invalidInput } from '../model/fault.ts';

export const operatorHeader = 'X-Operator';

/** Limit of characters, as for `operator` in a body. */
const MOST_CHARACTERS = 120;
/** One line of visible characters: no controls, line separators or characters without a width. */
const visible = /^[^\p{C}\p{Zl}\p{Zp}\p{DI}]+$/u;

/**
 * The operator that a request without a credential names, percent-encoded UTF-8; null where it names none. The name is
 * unverified: it is logged beside the address and takes part in no decision. Throws `invalid_input`.
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

/** The decoded text; empty where it is not percent-encoded UTF-8. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
