import t from 'tap';
import { unscoredAlert } from '../../src/console/state/unscored_alert.ts';
import { words } from '../../src/console/words/en.ts';
import type { Alert } from '../../src/model/alert.ts';
import type { Threat, ThreatFactor } from '../../src/model/threat.ts';

type Given = Pick<Alert, 'state' | 'severity' | 'rule_id' | 'zone_id' | 'track_ids'>;
const entry: Given = { state: 'active', severity: 'critical', rule_id: 'zone_entry', zone_id: 'z', track_ids: ['t'] };
const factor = (id: ThreatFactor['id'], contribution: number) => ({ id, contribution }) as ThreatFactor;
const crewed = { level: 'none', factors: [factor('inside', 25), factor('crewed', -30)] } as Pick<
  Threat,
  'level' | 'factors'
>;

const track = { id: 't', affiliation: 'unknown' as const, classification: [] };

t.test('a crewed aircraft with a critical alert and no level has both reasons in one sentence', async (t) => {
  const both = unscoredAlert(track, crewed, [entry]);
  t.same(both, { severity: 'critical', noLevel: 'crewed', because: 'zone', zoneId: 'z' });
  t.equal(
    both && words.unscoredAlert(both, 'Depot'),
    'No threat level, because people on board lower its score; the critical alert stands, because the alarm of Depot is about ' +
      'everybody it applies to, whatever the score.',
  );
});

t.test('the worst alert that is not over counts, of this track alone', async (t) => {
  const near: Given = { ...entry, severity: 'warning', rule_id: 'crewed_aircraft_near', zone_id: null };
  t.match(unscoredAlert(track, crewed, [near, { ...entry, state: 'cleared' }]), { because: 'gives_way', zoneId: null });
  t.match(unscoredAlert(track, crewed, [near, entry]), { severity: 'critical', because: 'zone' });
  t.match(unscoredAlert(track, crewed, [{ ...near, state: 'acknowledged' }]), { severity: 'warning' });
  t.equal(unscoredAlert({ ...track, id: 'other' }, crewed, [entry]), null);
});

t.test('a track with a level needs no such sentence, and each cause has words', async (t) => {
  t.equal(unscoredAlert(track, { ...crewed, level: 'low' }, [entry]), null);
  t.equal(unscoredAlert(track, crewed, []), null);
  const said = [
    unscoredAlert(track, undefined, [{ ...entry, rule_id: 'my_rule' }]),
    unscoredAlert(track, { level: 'none', factors: [factor('inside', 5)] }, [
      { ...entry, rule_id: 'own_platform_close' },
    ]),
    unscoredAlert(track, { level: 'none', factors: [factor('friend', -60), factor('crewed', -10)] }, [entry]),
  ].map((both) => both && words.unscoredAlert(both, null));
  t.match(said[0], /because its score is below low; .* its rule is about what happens/);
  t.match(said[1], /because its score is below low; .* an own vehicle is close to it/);
  t.match(said[2], /because a friend has a lower score; .* the alarm of its zone/);
});

t.test('where the score is too low to be listed, the track says what it is', async (t) => {
  const of = (given: object) => unscoredAlert({ ...track, ...given }, undefined, [entry])?.noLevel;
  t.equal(of({ classification: [{ type: 'crewed_aircraft', confidence: 0.9 }] }), 'crewed');
  t.equal(of({ classification: [{ type: 'bird', confidence: 0.9 }] }), 'bird');
  t.equal(of({ affiliation: 'friend' }), 'friend');
  t.equal(of({ affiliation: 'neutral' }), 'neutral');
  t.equal(of({ affiliation: 'hostile' }), 'low');
});
