import type { Asset, ResolvedAsset } from '../../model/asset.ts';
import type { Assignment } from '../../model/assignment.ts';
import type { CapabilityProfile, CatalogEntry } from '../../model/catalog.ts';

/** Samples of the registry, at the time of samples.ts. */
const at = '2025-06-01T12:00:00.000Z';
const row = { version: 1, created_at: at, updated_at: at };
const serial = '1581F5FKD2294A000001';

const sampleCapability: CapabilityProfile = {
  verbs: [{ verb: 'goto', params: ['point'], limits: { max_speed_mps: 12 } }],
  concurrent_tasks: 1,
  telemetry_hz: 4,
  carries: ['camera_eo'],
  detects: [{ modality: 'camera', range_m: null }],
  evaluated_at: at,
};

export const sampleAsset: Asset = {
  id: '5e0f6a52-0d3c-8a11-9c55-0000000000c1',
  workspace_id: 'wsp_default',
  environment: 'live',
  name: 'Heron 2',
  kind: 'platform',
  domain: 'air',
  provenance: 'live',
  affiliation: 'friend',
  paired: true,
  connection: 'never',
  spec: { model: 'DJI Matrice 30', remote_id_serial: serial, tags: ['north team'] },
  performance: null,
  placement: null,
  payloads: null,
  ...row,
};

export const sampleResolvedAsset: ResolvedAsset = {
  ...sampleAsset,
  resolved: {
    performance: { from: 'model', value: { max_speed_mps: 23, mass_kg: 3.77 } },
    payloads: { from: 'model', value: [{ kind: 'camera_eo', slot: 'camera' }] },
    capability: { from: 'model', value: { ...sampleCapability, verbs: [], concurrent_tasks: 0, telemetry_hz: null } },
  },
};

export const sampleAssignment: Assignment = {
  id: '5e0f6a52-0d3c-8a11-9c55-0000000000f1',
  asset_id: sampleAsset.id,
  serial,
  name: null,
  affiliation: 'hostile',
  active: true,
  operator: 'watch north',
  role: null,
  reason: 'filmed over the fence, its pilot did not answer',
  source: 'operator',
  confirmed: true,
  created_by: 'user:anna',
  superseded_at: null,
  superseded_by: null,
  expires_at: null,
  ...row,
};

export const sampleCatalogEntry: CatalogEntry = {
  id: '5e0f6a52-0d3c-8a11-9c55-000000000071',
  kind: 'platform',
  name: 'Workshop Quad 5',
  spec: {
    maker: 'Workshop',
    model: 'Quad 5',
    domain: 'air',
    airframe: 'multirotor',
    performance: { max_speed_mps: 12, endurance_s: 1_500 },
    control: { protocol: 'mavlink', autopilot: 'ardupilot' },
    verbs: ['hold', 'return_home', 'goto'],
  },
  builtin: false,
  ...row,
};

export const sampleBuiltin = {
  name: 'PX4 Quad',
  kind: 'platform',
  spec: { maker: 'PX4', model: 'Quad', domain: 'air', airframe: 'multirotor', payloads: [{ kind: 'camera_eo' }] },
  capability: sampleCapability,
} as const;
