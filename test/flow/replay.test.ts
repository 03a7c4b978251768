import t from 'tap';
import type { SimState } from '../../src/model/picture.ts';
import { takeTime, until } from '../support/patience.ts';
import { alertsInShort, recordedFlight, seen, tracksInShort } from '../support/recorded_flight.ts';
import { must } from '../support/told_alerts.ts';

takeTime(t, 180);

t.test('a replay shows the tracks and alerts that were seen live', async (t) => {
  const { daemon, recording, live } = await recordedFlight(t, 15);
  const begun = await must<SimState>(daemon, '/api/sim/mode', { mode: 'replay', recording_id: recording.id, rate: 20 });
  t.match(begun, { mode: 'replay', run: 'running', rate: 20, scenario_id: null });
  await until(async () => (await daemon.get<SimState>('/api/sim')).run === 'completed', 'it is played');
  const again = await seen(daemon);
  t.equal(live.tracks.length, 6);
  t.ok(live.alerts.length > 0);
  t.same(tracksInShort(again.tracks), tracksInShort(live.tracks));
  t.same(alertsInShort(again.alerts), alertsInShort(live.alerts));
});
