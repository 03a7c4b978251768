import type { Command } from '../../model/command.ts';
import type { FleetRow } from '../../model/fleet.ts';
import type { Task } from '../../model/task.ts';

const at = '2025-06-01T06:30:12.000Z';
const assetId = '5f0f2f0e-8c3e-4d3b-9a2f-000000000031';
const linkId = '1b6f1f1a-52e1-5a0e-8d5f-000000000011';
const taskId = '7a8f6d10-2d4c-4f52-9f0e-000000000071';

const params = { kind: 'point', lat: 52.101, lon: 4.203, height_takeoff_m: 40, speed_mps: 8 } as const;

export const sampleFleetRow: FleetRow = {
  key: '1581F5FKD2294A000003',
  aliases: [`mavlink:${linkId}:1:1`],
  asset_id: assetId,
  name: 'Heron 3',
  adopted: true,
  connection: 'online',
  readiness: 'ready',
  autopilot: 'ardupilot',
  vehicle_type: 'multirotor',
  sysid: 1,
  compid: 1,
  link_id: linkId,
  link_ids: [linkId],
  mode: 'GUIDED',
  armed: true,
  landed: 'in_air',
  position: { lat: 52.1, lon: 4.2, alt_hae_m: 92.4, alt_msl_m: 48.9, alt_agl_m: 45.1, height_takeoff_m: 45 },
  velocity: { speed_mps: 3.1, course_deg: 88.5, climb_mps: 0 },
  home: { lat: 52.099, lon: 4.199, alt_msl_m: 3.9 },
  energy_pct: 71,
  endurance_s: 1_240,
  control: { owner: 'us' },
  verbs: [
    { verb: 'hold', available: true, reason: null, text: null, params: ['none'], limits: {} },
    {
      ...{ verb: 'takeoff', available: false, reason: 'airborne', params: ['value'], limits: { ceiling_agl_m: 120 } },
      text: 'takeoff is not available on Heron 3: the vehicle is in the air already',
    },
  ],
  task_id: null,
  health: [],
  last_seen_at: at,
  provenance: 'live',
};

export const sampleCommandBody = {
  verb: 'goto',
  params,
  command_id: 'c-0193',
  reason: 'look at the gate',
  operator: 'anna',
};

export const sampleCommand: Command = {
  command_id: 'c-0193',
  verb: 'goto',
  asset_id: assetId,
  state: 'sent',
  reason: null,
  params,
  by: { type: 'user', id: 'usr_anna', name: 'anna', address: '10.0.0.7' },
  operator: 'anna',
  why: 'look at the gate',
  link_id: linkId,
  task_id: taskId,
  attempts: 1,
  accepted_at: at,
  sent_at: at,
  expires_at: '2025-06-01T06:30:22.000Z',
  updated_at: at,
  provenance: 'live',
};

export const sampleTask: Task = {
  id: taskId,
  engagement_id: null,
  command_id: 'c-0193',
  asset_id: assetId,
  verb: 'goto',
  params,
  state: 'executing',
  phase: 'going',
  progress: 0.4,
  eta_s: 18,
  distance_m: 142,
  closest_m: 142,
  breaches: 0,
  started_at: at,
  ended_at: null,
  result: null,
  reason: null,
  provenance: 'live',
};
