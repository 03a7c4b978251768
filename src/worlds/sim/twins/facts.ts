import { createHash } from 'node:crypto';
import type { ScenarioActor } from '../../../model/scenario.ts';

/** How the air moves. Towards east and north, not from there. */
export type Wind = { eastMps: number; northMps: number };

/** What a twin is told of the scenario that it flies in. */
export type TwinRim = {
  /** Seeded for this twin alone. */
  random(): number;
  groundAltHaeM: number;
  origin: { lat: number; lon: number };
  /** World milliseconds at which the scenario begins. */
  beginMs: number;
};

/** Metres from the scenario's origin, in its axes. */
export type TwinState = {
  eastM: number;
  northM: number;
  upM: number;
  eastMps: number;
  northMps: number;
  upMps: number;
  airborne: boolean;
};

/** What the world must know of a twin, to have an asset of it. */
export type TwinFacts = {
  actorId: string;
  name: string;
  catalog: string | null;
  sysid: number;
  compid: number;
  /** The name of the link that it is heard on. */
  link: string;
  /** Of its Remote ID. */
  serial: string | null;
  /** The hardware's id that it tells: 36 hexadecimal digits, the same in every run. */
  uid2: string;
  homeEastM: number;
  homeNorthM: number;
};

/** MAV_COMP_ID_AUTOPILOT1. */
export const TWIN_COMPID = 1;

/** Its system id and its serial are its actor's: whoever casts it has filled them in (see `twinSysids`). */
export function factsOf(actor: ScenarioActor): TwinFacts {
  return {
    actorId: actor.id,
    name: actor.name ?? actor.id,
    catalog: actor.catalog ?? null,
    sysid: actor.mavlink?.sysid ?? 1,
    compid: TWIN_COMPID,
    link: linkOfTwin(actor.id),
    serial: actor.remote_id?.serial ?? null,
    uid2: createHash('sha256').update(`twin ${actor.id}`).digest('hex').slice(0, 36),
    homeEastM: actor.start.east_m,
    homeNorthM: actor.start.north_m,
  };
}

export function linkOfTwin(actorId: string): string {
  return `sim-twin-${actorId}`;
}

/** The system ids of all twins of a scenario: as their actors say, and for the rest the lowest that are free. */
export function twinSysids(actors: readonly ScenarioActor[]): Map<string, number> {
  const twins = actors.filter(({ kind, mavlink }) => kind === 'asset' && mavlink !== undefined);
  const taken = new Set(twins.flatMap(({ mavlink }) => mavlink?.sysid ?? []));
  const sysids = new Map<string, number>();
  let next = 1;
  for (const { id, mavlink } of twins) {
    if (mavlink?.sysid === undefined) while (taken.has(next)) next++;
    const sysid = mavlink?.sysid ?? next;
    taken.add(sysid);
    sysids.set(id, sysid);
  }
  return sysids;
}
