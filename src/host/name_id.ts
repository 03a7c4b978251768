import { createHash } from 'node:crypto';
import { formatUuidV8 } from '../model/ids.ts';

/**
 * Derives an id from a name. An object whose id comes from its name keeps the id over restarts, for example a configured
 * link or its receiver.
 */
export function idOfName(...path: string[]): string {
  return formatUuidV8(createHash('sha256').update(path.join('\u0000')).digest());
}
