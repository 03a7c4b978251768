import type { EngagementRim } from '../../command/engagement/rim.ts';
import { type Actor, systemActor } from '../../model/actor.ts';
import type { StopAll } from '../../model/engagement.ts';
import { sentenceOf } from '../../model/fault.ts';
import type { CommandSide } from './command_side.ts';

/** What of engagements only those know who fly vehicles. */
export type Flying = Pick<EngagementRim, 'fleet' | 'check' | 'energy' | 'risks' | 'tasks' | 'holdAll'>;

/** Plans are made with the vehicles that are adopted, and flown as the commands of people are. */
export function flyingOf(side: CommandSide): Flying {
  const { desk, fleet } = side;
  return {
    fleet: () =>
      fleet.rows().flatMap((row) => {
        const resolved = row.asset_id === null ? null : side.resolved(row.asset_id)?.resolved;
        if (!resolved) return [];
        const { performance, payloads } = resolved;
        return [{ row, performance: performance.value, payloads: payloads.value, enduranceS: row.endurance_s }];
      }),
    check: ({ asset_id, verb, params }, before) => desk.check(asset_id, verb, params, before),
    // The planner's own reckoning holds: it knows where the track will be met.
    energy: () => null,
    risks: () => [],
    tasks: {
      start: (leg, { engagementId, by, reason }) =>
        desk.startLeg(leg, { by, key: null, operator: null, why: reason, engagementId }),
      cancel: (taskId, reason) => void desk.cancel(taskId, reason, systemActor).catch(() => {}),
      onChange: (listener) => void desk.onTask(listener),
    },
    holdAll: (by, reason) => holdAll(side, by, reason),
  };
}

/** Every adopted vehicle in the air is told to hold, whatever it does and whoever sent it. */
async function holdAll({ desk, fleet }: CommandSide, by: Actor, reason: string): Promise<StopAll['platforms']> {
  const ours = fleet.rows().flatMap(({ asset_id: assetId, landed }) => (assetId === null ? [] : [{ assetId, landed }]));
  for (const { assetId } of ours) desk.endAsset(assetId, 'cancelled', reason, by);
  return Promise.all(
    ours.map(async ({ assetId, landed }) => {
      if (landed === 'on_ground') return { asset_id: assetId, held: false, text: 'it stands on the ground' };
      const ask = { by, key: null, operator: null, why: reason, engagementId: null };
      try {
        await desk.command(assetId, { verb: 'hold' }, ask, 'stop_all');
        return { asset_id: assetId, held: true, text: null };
      } catch (thrown) {
        return { asset_id: assetId, held: false, text: sentenceOf(thrown) };
      }
    }),
  );
}
