import type { Principal } from '../../access/principal.ts';
import { isAtLeast } from '../../model/actor.ts';
import { Fault } from '../../model/fault.ts';
import { networkOf } from '../../model/network.ts';
import { shareOf } from '../share.ts';

/**
 * Refuses one stream more than a workspace has places for. One principal may hold a quarter of them, and so may one
 * address. The last quarter is for people who work here: operators and owners, whatever their address holds, and no keys.
 * Callers who did not sign in are such people only on a box without users (`hasUsers` false).
 */
export function requirePlace(open: Iterable<Principal>, by: Principal, places: number, hasUsers: boolean): void {
  let [all, ofOne, ofAddress, unreserved] = [0, 0, 0, 0];
  const [name, network] = [nameOf(by), networkFrom(by)];
  for (const holder of open) {
    all++;
    if (nameOf(holder) === name) ofOne++;
    if (networkFrom(holder) === network) ofAddress++;
    if (!isAtWork(holder, hasUsers)) unreserved++;
  }
  const share = shareOf(places);
  if (all >= places) throw refused(`${all} streams are open already`);
  if (ofOne >= share)
    throw refused(`${by.actor.type} ${by.actor.name} has ${ofOne} streams open, its share of ${places}`);
  if (isAtWork(by, hasUsers)) return;
  if (ofAddress >= share) throw refused(`${ofAddress} streams of this address are open, its share of ${places}`);
  if (unreserved >= places - Math.floor(places / 4))
    throw refused(`${unreserved} streams are open, and the others are kept for operators`);
}

function isAtWork({ role, key, userId }: Principal, hasUsers: boolean): boolean {
  return key === null && isAtLeast(role, 'operator') && (userId !== null || !hasUsers);
}

function nameOf({ actor }: Principal): string {
  return `${actor.type} ${actor.id}`;
}

function networkFrom({ actor }: Principal): string {
  return networkOf(actor.address ?? actor.id);
}

function refused(why: string): Fault {
  return new Fault('rate_limited', `${why}; close one or try again`);
}
