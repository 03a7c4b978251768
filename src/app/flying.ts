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

/** Connects engagements to the command side. Plans use adopted vehicles, and command them like people do. */
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
    // Null makes the planner use its own estimate of energy: only the planner knows where the vehicle meets the track.
    energy: () => null,
    risks: (leg, liftoff) => risksOf(side, leg, heightOf(liftoff)),
    tasks: {
      start: (leg, { engagementId, by, reason }) => service.startLeg(leg, askOf(by, reason, engagementId)),
      cancel: async (taskId, reason) => void (await service.cancel(taskId, reason, systemActor)),
      comeHome: (assetId, reason) => comeHome(side, assetId, reason),
      onChange: (listener) => void service.onTask(listener),
      ofCamera: (assetId) => service.taskOf(assetId, 'looks'),
    },
    holdAll: (by, reason) => holdAll(side, by, reason),
  };
}

/** Returns the request of a command that carries no credential, such as a command of an approved plan. */
function askOf(by: Actor, why: string | null, engagementId: string | null = null): Ask {
  return { by, key: null, operator: null, why, engagementId };
}

/**
 * Returns the risks along the path of a leg. `liftM` is the height of the path's beginning above the take-off point, m.
 */
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
 * Orders a vehicle to return home if it flies under control of this service. A vehicle that its pilot or another ground
 * station controls gets no order.
 */
function comeHome({ service, fleet }: CommandSide, assetId: string, reason: string): void {
  const row = fleet.receivedRows().find(({ asset_id }) => asset_id === assetId);
  if (!row || row.landed === 'on_ground' || row.control.owner !== 'us') return;
  const ask = askOf(systemActor, reason);
  // A refusal is logged by the command service with its reason; the vehicle then continues as before.
  service.command(assetId, { verb: 'return_home' }, ask).catch(() => {});
}

/** Verbs whose tasks `stop_all` does not end: the order to hold must not replace a return or a landing. */
const goesOn: readonly Verb[] = ['return_home', 'land'];

/**
 * Orders every adopted vehicle in the air to hold, whoever gave its last order. Vehicles that return home, land, follow
 * a failsafe or are flown by their pilot get no order to hold.
 */
async function holdAll({ service, fleet }: CommandSide, by: Actor, reason: string): Promise<StopAll['platforms']> {
  const ours = fleet.receivedRows().flatMap(({ asset_id: assetId, landed }) => {
    if (assetId === null) return [];
    // A vehicle on the ground gets the order too if it can hold: it may be about to take off.
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
