import { compareRuns, type Run, type RunComparison } from '../../model/run.ts';

export const sampleRun: Run = {
  id: '5e0f6a52-0d3c-4a11-9c55-000000000301',
  scenario_id: '5e0f6a52-0d3c-8a11-9c55-000000000302',
  scenario_name: 'Lone intruder',
  seed: 1,
  state: 'completed',
  reason: null,
  started_at: '2025-06-01T12:00:00.000Z',
  ended_at: '2025-06-01T12:00:09.000Z',
  simulated_s: 180,
  build: '0.1.0',
  policy_version: 3,
  metrics: {
    gospa_m: 14.2,
    ospa_m: 13.9,
    completeness: 0.994,
    id_switches: 0,
    false_tracks: 0,
    first_detect_s: 2,
    position_rmse_m: 9.8,
    alert_latency_s: 1.2,
    alerts_missed: 0,
    alerts_false: 0,
    tasks_done: 0,
    tasks_failed: 0,
  },
  expect: [{ text: 'the first alert about intruder came after 12.4 s; 30 s were allowed', met: true }],
  refused: [],
  log_hash: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
};

const another: Run = {
  ...sampleRun,
  id: '5e0f6a52-0d3c-4a11-9c55-000000000303',
  seed: 2,
  metrics: sampleRun.metrics && { ...sampleRun.metrics, gospa_m: 16.2, completeness: 0.998 },
  log_hash: 'sha256:60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
};

export const sampleRunComparison: RunComparison = compareRuns(sampleRun, another);
