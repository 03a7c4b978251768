import type { Principal } from '../access/principal.ts';
import { Fault } from '../model/fault.ts';
import type { Room } from './route.ts';

/** Refuses a caller who lost the right to make the request while its body arrived. */
export function requireStill(by: Principal, { access }: Pick<Room, 'access'>): void {
  if (access.standsAs(by)) return;
  const sentence = 'while the body of the request arrived, the API key was revoked, or the user was removed or changed';
  throw new Fault('unauthenticated', sentence);
}
