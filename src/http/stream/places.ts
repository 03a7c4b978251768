import type { Principal } from '../../access/principal.ts';
import { isAtLeast } from '../../model/actor.ts';
import { Fault } from '../../model/fault.ts';
import { networkOf } from '../../model/network.ts';
import { shareOf } from '../share.ts';

/**
 * Refuses one stream more than a workspace has places for. One principal, and one address, may hold a quarter of them; the
 * last quarter is for people who work here: operators and owners, signed in or on the open surface, and no keys.
 */
export function requirePlace(open: Iterable<Principal>, by: Principal, places: number): void {
  let [all, ofOne, ofAddress, reserved] = [0, 0, 0, 0];
  const [name, network] = [nameOf(by), networkFrom(by)];
  for (const holder of open) {
    all++;
    if (nameOf(holder) === name) ofOne++;
    if (networkFrom(holder) === network) ofAddress++;
    if (!isAtWork(holder)) reserved++;
  }
  const share = shareOf(places);
  if (all >= places) throw refused(`${all} streams are open already`);
  if (ofOne >= share)
    throw refused(`${by.actor.type} ${by.actor.name} has ${ofOne} streams open, its share of ${places}`);
  if (ofAddress >= share) throw refused(`${ofAddress} streams of this address are open, its share of ${places}`);
  if (!isAtWork(by) && reserved >= places - Math.floor(places / 4))
    throw refused(`${reserved} streams are open, and the others are kept for operators`);
}

function isAtWork({ role, key }: Principal): boolean {
  return key === null && isAtLeast(role, 'operator');
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
