import { apartM } from './plane.ts';
import type { Case, Drafted, Dropped, Round } from './round.ts';

/** A vehicle of ours so near to a contact, in standoffs and metres at least, is one that may have to come home. */
const NEAR_STANDOFFS = 5;
const NEAR_M = 1_000;

/** Brings home what of ours is near a contact, the nearest first; of a friend, that vehicle itself. */
export function homeward(round: Round, one: Case): Drafted {
  const { policy, plane, profile } = round;
  const { position } = one.track;
  const at = position && plane.spot(position);
  const nearM = Math.max(NEAR_M, NEAR_STANDOFFS * policy.engagement.standoff_m);
  const most = Math.min(policy.engagement.max_assets, profile.max_assets);
  const near = round.placed
    .map((placed) => ({
      ...placed,
      away: at ? apartM(at, placed.at) : Infinity,
      itself: placed.assetId === one.track.asset_id,
    }))
    .filter(({ itself, away }) => itself || (one.track.asset_id === null && away <= nearM))
    .sort((a, b) => Number(b.itself) - Number(a.itself) || a.away - b.away);
  const dropped: Dropped[] = [];
  const legs: Drafted['legs'] = [];
  for (const { vehicle, assetId, at: from, away, itself } of near) {
    const { row } = vehicle;
    const verb = row.verbs.find((known) => known.verb === 'return_home');
    if (row.landed === 'on_ground' || row.provenance !== one.track.provenance) continue;
    if (!verb?.available) {
      const text = verb?.text ?? `${row.name} cannot be called home`;
      dropped.push({ assetId, reason: verb?.reason ?? 'not_advertised', text });
    } else if (legs.length < most) {
      const home = apartM(from, from.home) / from.speedMps;
      legs.push({
        ...{ asset_id: assetId, verb: 'return_home', params: { kind: 'none' } },
        eta_s: Math.round(home * 10) / 10,
        energy_after_pct:
          row.energy_pct === null ? null : Math.round((from.energyPct - home * from.drainPctS) * 10) / 10,
        closest_m: itself || away === Infinity ? null : Math.round(away),
      });
    }
  }
  if (legs.length === 0 && dropped.length === 0)
    dropped.push({ assetId: null, reason: 'on_ground', text: `no vehicle of ours flies near ${one.track.number}` });
  return { legs, cost: 0.2, dropped };
}
