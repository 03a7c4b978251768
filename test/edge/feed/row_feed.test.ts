import t from 'tap';
import { RowFeed } from '../../../src/edge/feed/row_feed.ts';
import { type SensorIdentity, SensorStatuses } from '../../../src/edge/feed/sensor_statuses.ts';
import type { Observation, ObservationDocument } from '../../../src/model/observation.ts';

const nowMs = Date.parse('2026-05-01T10:00:00Z');

t.test('a row of another system’s sensor needs the number that the track has there', async (t) => {
  const sunk: Observation[] = [];
  const sensors = new SensorStatuses(
    (ms) => ms,
    () => nowMs,
  );
  const settings = { maxAgeS: 10, aheadS: 2, senderMsgsPerS: 50, maxSenders: 100 };
  const rows = new RowFeed({ settings, sensors, sink: (o) => void sunk.push(o) });
  const row: SensorIdentity = {
    ...{ id: '00000000-0000-8000-8000-000000000001', name: 'atc', modality: 'external', placement: null },
    ...{ heartbeatS: 30, declaredBy: 'manual', linkId: null, version: 1, createdAt: '', updatedAt: '' },
  };
  sensors.declare(row);
  const report: ObservationDocument = { sensor_id: 'atc', report: 'position', position: { lat: 47, lon: 8 } };
  t.match(rows.take(report, null, nowMs), { error: /'identity' is missing: atc reports tracks of another system/ });
  t.match(rows.take({ ...report, identity: [] }, null, nowMs), { error: /'identity' is missing/ });
  const identity = [{ type: 'external', value: '7', transport: 'network' } as const];
  t.equal(rows.take({ ...report, identity }, null, nowMs), 'accepted');
  t.match(sunk, [{ identities: identity }]);
});
