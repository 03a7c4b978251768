import t from 'tap';
import type { AssessedThreat } from '../../src/model/assessment.ts';
import type { ThreatLevel } from '../../src/model/posture.ts';
import { Threats } from '../../src/picture/threats.ts';

const assessed = (level: ThreatLevel): AssessedThreat => ({
  ...{ number: 1, trackId: 'track', firstMs: 0, policyVersion: 1, score: 0, factors: [], level, trend: 'steady' },
  ...{ peak_score: 0, group_id: null, nearest_zone: null, nearest_protected: null, cpa: null },
});
const dismissed = { by: 'anna', at: '2026-01-01T00:00:00.000Z', reason: 'the roofer', until: null };
const marks = { acknowledged: null, dismissed, dismissal_ended: null };

/** Those told of since they are worse than when they were dismissed. */
function watched(): { threats: Threats; worse: ThreatLevel[] } {
  const worse: ThreatLevel[] = [];
  const threats = new Threats(
    (ms) => new Date(ms).toISOString(),
    () => {},
  );
  threats.worsened.add(({ level }) => void worse.push(level));
  return { threats, worse };
}

t.test('one that was no threat for a while and comes back as a greater one is dismissed no longer', async (t) => {
  const { threats, worse } = watched();
  threats.take(assessed('low'));
  threats.mark('track', marks);
  threats.clear('track');
  threats.take(assessed('low'));
  t.same(worse, []);
  threats.clear('track');
  threats.take(assessed('critical'));
  t.same(worse, ['critical']);
});

t.test('what an earlier run left dismissed is held to the level of then', async (t) => {
  const { threats, worse } = watched();
  threats.mark('track', marks, 'medium');
  threats.take(assessed('medium'));
  t.same(worse, []);
  threats.take(assessed('high'));
  t.same(worse, ['high']);
});
