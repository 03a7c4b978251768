import { createHash } from 'node:crypto';
import { formatUuidV8 } from '../model/ids.ts';

/** The id of something that is known by name across restarts (a link of the configuration, a receiver on it). */
export function idOfName(...path: string[]): string {
  return formatUuidV8(createHash('sha256').update(path.join('\u0000')).digest());
}
