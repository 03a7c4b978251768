import { createHash } from 'node:crypto';
import { formatUuidV8 } from '../model/ids.ts';

/** Id of an object that is identified by its name across restarts, for example a link of the configuration or its receiver. */
export function idOfName(...path: string[]): string {
  return formatUuidV8(createHash('sha256').update(path.join('\u0000')).digest());
}
