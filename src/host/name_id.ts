import { createHash } from 'node:crypto';
import { formatUuidV8 } from '../model/ids.ts';

/**
 * Returns the id of an object that keeps its id over restarts by its name, for example a configured link or its
 * receiver.
 */
export function idOfName(...path: string[]): string {
  return formatUuidV8(createHash('sha256').update(path.join('\u0000')).digest());
}
