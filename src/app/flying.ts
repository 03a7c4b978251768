import type { Ask } from '../command/deps.ts';
import type { EngagementDeps } from '../engagement/deps.ts';
import { heightOf } from '../engagement/liftoff.ts';
import { type Actor, systemActor } from '../model/actor.ts';
import type { PlanLeg, StopAll } from '../model/engagement.ts';
import { sentenceOf } from '../model/fault.ts';
import type { Verb } from '../model/verb.ts';
import type { CommandSide } from './command_side.ts';

/** Dependencies of engagements that only the command side can provide. */
export type Flying = Pick<EngagementDeps, 'fleet' | 'check' | 'energy' | 'risks' | 'tasks' | 'holdAll'>;

/** Connects engagements to the command side: they plan with adopted vehicles, and fly them by the same commands as people. */
export function flyingOf(side: CommandSide): Flying {
  const { service, fleet } = side;
  return {
    fleet: () =>
      fleet.receivedRows().flatMap((row) => {
        const resolved = row.asset_id === null ? null : side.resolved(row.asset_id)?.resolved;
        if (!resolved) return [];
        const { performance, payloads } = resolved;
        return [{ row, performance: performance.value, payloads: payloads.value, enduranceS: row.endurance_s }];
      }),
    check: ({ asset_id, verb, params }, liftoff, before) =>
      service.check(asset_id, verb, params, { liftM: heightOf(liftoff), before }),
    // Null: the planner's own estimate applies, since it knows where the vehicle will meet the track.
    energy: () => null,
    risks: (leg, liftoff) => risksOf(side, leg, heightOf(liftoff)),
    tasks: {
      start: (leg, { engagementId, by, reason }) => service.startLeg(leg, askOf(by, reason, engagementId)),
      cancel: (taskId, reason) => void service.cancel(taskId, reason, systemActor).catch(() => {}),
      comeHome: (assetId, reason) => comeHome(side, assetId, reason),
      onChange: (listener) => void service.onTask(listener),
    },
    holdAll: (by, reason) => holdAll(side, by, reason),
  };
}

/** A command without a credential of its own. */
function askOf(by: Actor, why: string | null, engagementId: string | null = null): Ask {
  return { by, key: null, operator: null, why, engagementId };
}

/** Risks of the path of a leg. The path begins above the take-off point. */
function risksOf(
  { service, airspace, fleet }: CommandSide,
  { asset_id, verb, params }: PlanLeg,
  liftM: number,
): string[] {
  const vehicle = fleet.vehicleOf(asset_id);
  const leg = vehicle && service.firstLeg(vehicle, asset_id, verb, params, liftM);
  return vehicle && leg ? airspace.risks(vehicle, asset_id, leg) : [];
}

/**
 * Orders a vehicle to return home, but only one that flies by our orders: otherwise its pilot or another station
 * controls it.
 */
function comeHome({ service, fleet }: CommandSide, assetId: string, reason: string): void {
  const row = fleet.receivedRows().find(({ asset_id }) => asset_id === assetId);
  if (!row || row.landed === 'on_ground' || row.control.owner !== 'us') return;
  const ask = askOf(systemActor, reason);
  // A vehicle that refuses stays where it is, and the log has the reason.
  service.command(assetId, { verb: 'return_home' }, ask).catch(() => {});
}

/** Verbs that stop_all does not end: a hold must not replace a return or a landing. */
const goesOn: readonly Verb[] = ['return_home', 'land'];

/**
 * Orders every adopted vehicle in the air to hold, whatever the source of its last order. Exceptions are vehicles that
 * return home, land, follow a failsafe or are flown by their pilot.
 */
async function holdAll({ service, fleet }: CommandSide, by: Actor, reason: string): Promise<StopAll['platforms']> {
  const ours = fleet.receivedRows().flatMap(({ asset_id: assetId, landed }) => {
    if (assetId === null) return [];
    // A vehicle that is about to take off is still on the ground. It is stopped too.
    return [{ assetId, stands: landed === 'on_ground' && service.check(assetId, 'hold', { kind: 'none' }) !== null }];
  });
  for (const { assetId } of ours) service.endAsset(assetId, 'cancelled', reason, by, goesOn);
  return Promise.all(
    ours.map(async ({ assetId, stands }) => {
      if (stands) return { asset_id: assetId, held: false, text: 'it stands on the ground' };
      try {
        await service.command(assetId, { verb: 'hold' }, askOf(by, reason), 'stop');
        return { asset_id: assetId, held: true, text: null };
      } catch (thrown) {
        return { asset_id: assetId, held: false, text: sentenceOf(thrown) };
      }
    }),
  );
}
