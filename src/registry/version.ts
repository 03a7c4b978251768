import { Fault } from '../model/fault.ts';

/** Refuses a change of a row that the caller has not seen as it is. `what` names it: `the asset Heron 2`. */
export function refuseStale(what: string, held: number, believed: number | undefined): void {
  if (believed === undefined || believed === held) return;
  throw new Fault('conflict', `${what} is at version ${held}, not ${believed}; read it again and repeat the change`);
}
