import { heightOf } from '../../command/engagement/liftoff.ts';
import type { EngagementRim } from '../../command/engagement/rim.ts';
import { type Actor, systemActor } from '../../model/actor.ts';
import type { PlanLeg, StopAll } from '../../model/engagement.ts';
import { sentenceOf } from '../../model/fault.ts';
import type { Verb } from '../../model/verb.ts';
import type { CommandSide } from './command_side.ts';

/** What of engagements only those know who fly vehicles. */
export type Flying = Pick<EngagementRim, 'fleet' | 'check' | 'energy' | 'risks' | 'tasks' | 'holdAll'>;

/** Plans are made with the vehicles that are adopted, and flown as the commands of people are. */
export function flyingOf(side: CommandSide): Flying {
  const { desk, fleet } = side;
  return {
    fleet: () =>
      fleet.heardRows().flatMap((row) => {
        const resolved = row.asset_id === null ? null : side.resolved(row.asset_id)?.resolved;
        if (!resolved) return [];
        const { performance, payloads } = resolved;
        return [{ row, performance: performance.value, payloads: payloads.value, enduranceS: row.endurance_s }];
      }),
    check: ({ asset_id, verb, params }, liftoff, before) =>
      desk.check(asset_id, verb, params, { liftM: heightOf(liftoff), before }),
    // The planner's own reckoning holds: it knows where the track will be met.
    energy: () => null,
    risks: (leg, liftoff) => risksOf(side, leg, heightOf(liftoff)),
    tasks: {
      start: (leg, { engagementId, by, reason }) =>
        desk.startLeg(leg, { by, key: null, operator: null, why: reason, engagementId }),
      cancel: (taskId, reason) => void desk.cancel(taskId, reason, systemActor).catch(() => {}),
      comeHome: (assetId, reason) => comeHome(side, assetId, reason),
      onChange: (listener) => void desk.onTask(listener),
    },
    holdAll: (by, reason) => holdAll(side, by, reason),
  };
}

/** What a person should know of the way of a leg, which begins above the place where the vehicle takes off. */
function risksOf({ desk, airspace, fleet }: CommandSide, { asset_id, verb, params }: PlanLeg, liftM: number): string[] {
  const vehicle = fleet.vehicleOf(asset_id);
  const way = vehicle && desk.way(vehicle, asset_id, verb, params, liftM);
  return vehicle && way ? airspace.risks(vehicle, asset_id, way) : [];
}

/** Only a vehicle that flies by our order is called home without a person: in any other mode it is in other hands. */
function comeHome({ desk, fleet }: CommandSide, assetId: string, reason: string): void {
  const row = fleet.heardRows().find(({ asset_id }) => asset_id === assetId);
  if (!row || row.landed === 'on_ground' || row.control.owner !== 'us') return;
  const ask = { by: systemActor, key: null, operator: null, why: reason, engagementId: null };
  // Where it cannot be told, it stands where it took off, and the log says why it was not told.
  desk.command(assetId, { verb: 'return_home' }, ask).catch(() => {});
}

/** What stop_all leaves under way: holding replaces no way home and no landing. */
const goesOn: readonly Verb[] = ['return_home', 'land'];

/**
 * Every adopted vehicle in the air is told to hold, whoever sent it, but those that come home, land, follow a failsafe of
 * their own or are in their pilot's hand.
 */
async function holdAll({ desk, fleet }: CommandSide, by: Actor, reason: string): Promise<StopAll['platforms']> {
  const ours = fleet.heardRows().flatMap(({ asset_id: assetId, landed }) => {
    if (assetId === null) return [];
    // What is about to take off stands on the ground still, and is stopped.
    return [{ assetId, stands: landed === 'on_ground' && desk.check(assetId, 'hold', { kind: 'none' }) !== null }];
  });
  for (const { assetId } of ours) desk.endAsset(assetId, 'cancelled', reason, by, goesOn);
  return Promise.all(
    ours.map(async ({ assetId, stands }) => {
      if (stands) return { asset_id: assetId, held: false, text: 'it stands on the ground' };
      const ask = { by, key: null, operator: null, why: reason, engagementId: null };
      try {
        await desk.command(assetId, { verb: 'hold' }, ask, 'stop');
        return { asset_id: assetId, held: true, text: null };
      } catch (thrown) {
        return { asset_id: assetId, held: false, text: sentenceOf(thrown) };
      }
    }),
  );
}
