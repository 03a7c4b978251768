import type { Engagement, EngagementView, Plan } from '../../model/engagement.ts';
import { sampleTrack } from './samples.ts';

export const sampleVehicleId = '5e0f6a52-0d3c-4a11-9c55-0000000000f1';
const trackId = sampleTrack.id;

const samplePlan: Plan = {
  id: '5e0f6a52-0d3c-4a11-9c55-0000000000d1',
  hash: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  track_id: trackId,
  response: 'investigate',
  legs: [
    {
      asset_id: sampleVehicleId,
      verb: 'orbit',
      params: { kind: 'track', track_id: trackId, standoff_m: 100, radius_m: 150 },
      eta_s: 41.5,
      energy_after_pct: 61.2,
      closest_m: 100,
    },
  ],
  score: 71.4,
  feasible: true,
  infeasible_reasons: [{ asset_id: null, reason: 'not_adopted', text: 'mavlink:7:1 is nobody’s: adopt it first' }],
  risks: ['T-0007, with people on board, is 2310 m from T-0042.'],
  required_approvals: 1,
  expires_at: '2025-06-01T12:02:00.000Z',
  policy_version: 3,
  provenance: 'live',
};

/** Sample of an engagement before any decision. */
export const sampleEngagement: Engagement = {
  id: '5e0f6a52-0d3c-4a11-9c55-0000000000e7',
  track_id: trackId,
  state: 'proposed',
  candidates: [samplePlan],
  chosen_plan_id: null,
  proposed_by: null,
  approvals: [],
  tasks: [],
  reason: null,
  created_at: '2025-06-01T12:00:00.000Z',
  updated_at: '2025-06-01T12:00:00.000Z',
  provenance: 'live',
};

export const sampleEngagementView: EngagementView = {
  posture: 'normal',
  autonomy: 'advise',
  autonomy_effective: 'advise',
  revision: 12,
  engagements: [sampleEngagement],
};

export const sampleApproval = {
  track_id: trackId,
  plan_id: samplePlan.id,
  hash: samplePlan.hash,
  seq: 48_210,
  reason: 'unknown, and it closes on the apron',
  operator: 'anna',
};
