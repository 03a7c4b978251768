import t from 'tap';
import { labelLines, labelPriority } from '../../src/console/map/track_label.ts';
import { sampleTrack } from '../../src/http/openapi/samples.ts';
import { sampleThreat } from '../../src/http/openapi/threat_samples.ts';
import type { Threat } from '../../src/model/threat.ts';
import type { Track } from '../../src/model/track.ts';

const none: Threat = { ...sampleThreat, level: 'none' };
const dismissed: Threat = {
  ...sampleThreat,
  dismissed: { by: 'anna', at: '2025-06-01T12:00:00.000Z', reason: 'a bird', until: '2025-06-01T12:30:00.000Z' },
};
const units = { heightUnit: 'm', speedUnit: 'mps' } as const;
const [selected, plain] = [{ isSelected: true }, { isSelected: false }];

function lines(change: Partial<Track>, threat: Threat, how = plain, assetName?: string): string[] {
  return labelLines({ ...sampleTrack, ...change }, { threat, assetName, ageS: 7, hasAlert: false, ...how }, units);
}

t.test('a label has one line for an ordinary track, two for a threat, and three for the selected one', async (t) => {
  t.same(lines({}, none), ['0042']);
  t.same(lines({}, sampleThreat), ['0042', '? m ↑ 1']);
  t.same(lines({}, sampleThreat, selected), ['0042', '? m ↑ 1', 'medium, zone in 31 s']);
  t.same(lines({ state: 'lost' }, none), ['0042 lost 7 s'], 'an old place says its age');
});

t.test('the label of a dismissed track says until when, and no time to the zone', async (t) => {
  const until = ['0042', 'dismissed until 12:30'];
  t.same([lines({}, dismissed), lines({}, dismissed, selected)], [until, until]);
});

t.test('a hostile name changes no other text of a label, and is cut', async (t) => {
  const [first = ''] = lines({ affiliation: 'friend' }, none, plain, '\u202e\u0000RESCUE\u2066 of the mountains');
  t.equal(first, '0042 RESCUE  of …');
  t.notMatch(first, /[\p{Cc}\p{Cf}]/u);
  t.equal(first.length, '0042 '.length + 12);
});

t.test(
  'labels of threats are placed before those of own vehicles and of the rest, the selected one first',
  async (t) => {
    const friend: Track = { ...sampleTrack, affiliation: 'friend' };
    const order = [
      labelPriority(sampleTrack, none, true),
      labelPriority(sampleTrack, { ...sampleThreat, score: 90 }, false),
      labelPriority(sampleTrack, sampleThreat, false),
      labelPriority(friend, none, false),
      labelPriority({ ...sampleTrack, flags: ['emergency'] }, none, false),
      labelPriority(sampleTrack, none, false),
    ];
    t.same(
      order,
      order.toSorted((a, b) => b - a),
    );
  },
);
