import type { Hold } from '../../model/hold.ts';
import type { Retention } from '../../model/retention.ts';

export const sampleHold: Hold = {
  id: '5e0f6a52-0d3c-4a11-9c55-0000000000c1',
  track_id: null,
  since: '2025-06-01T10:00:00.000Z',
  until: '2025-06-01T12:00:00.000Z',
  reason: 'case 17/25',
  created_at: '2025-06-01T12:30:00.000Z',
  created_by: 'user:anna',
};

export const sampleRetention: Retention = {
  days: 60,
  bytes: 40_000_000_000,
  used_bytes: 1_203_405_000,
  held_bytes: 0,
  clock: { trust: 'rtc', prunes: true, reason: null, ran_s: 864_000 },
  note: null,
  updated_at: '2025-06-01T12:30:00.000Z',
  updated_by: 'user:anna',
};
