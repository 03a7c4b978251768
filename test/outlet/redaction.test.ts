import t from 'tap';
import { sampleAlert } from '../../src/http/openapi/alert_samples.ts';
import type { Track } from '../../src/model/track.ts';
import { redactedTrack } from '../../src/outlet/redact.ts';
import { alertView } from '../../src/outlet/views.ts';
import { emptyPicture } from '../support/outlet/pictures.ts';
import { outletTrack, startRunner } from '../support/outlet/rig.ts';
import { takDatagrams } from '../support/outlet/tak.ts';

t.test('a pilot is sent only while released, and withdrawn at the peer with the release', async (t) => {
  const { port, events } = await takDatagrams(t);
  const rig = startRunner(t, { transport: 'udp', address: `127.0.0.1:${port}` });
  const track = outletTrack(1);
  rig.put(track);
  const first = await events.find(({ uid }) => uid.endsWith(track.id));
  const whole = JSON.stringify(events.all);
  for (const hidden of ['47.196', '8.7288', 'FIN87']) t.notOk(whole.includes(hidden), `${hidden} stays here`);
  t.match(first.text, /T-0001/);
  const { declared } = rig.runner;
  rig.runner.apply({ ...declared, spec: { ...declared.spec, redact: [] } });
  const pilot = await events.find(({ uid }) => uid.endsWith('.pilot'));
  t.match(pilot, { type: 'b-m-p-s-m', point: { lat: 47.1961, lon: 8.7288 } });
  t.match(pilot.text, /FIN87astrdge12k8/);
  await events.find(({ uid }) => uid.endsWith('.takeoff'));
  const before = events.all.length;
  rig.runner.apply(declared);
  const gone = await events.find(({ uid }) => uid.endsWith('.pilot.delete'), before);
  t.notOk(gone.text.includes('47.196'));
});

t.test('identity and threat are left out of every message where they are redacted', async (t) => {
  const { port, events } = await takDatagrams(t);
  const serial = '1581F5FKD22940012345';
  const seen = { first_seen_at: '2026-03-04T12:00:00.000Z', last_seen_at: '2026-03-04T12:00:00.000Z' };
  const track = outletTrack(1, {
    identities: [{ type: 'serial', value: serial, transport: 'wifi_beacon', ...seen }],
    integrity: {
      verdict: 'suspect',
      score: 0,
      reasons: [{ id: 'serial_malformed', text: `The serial ${serial} is malformed.` }],
    },
  });
  const address = `127.0.0.1:${port}`;
  const redact = ['pilot', 'operator_id', 'takeoff', 'identity', 'threat'];
  const rig = startRunner(t, { transport: 'udp', address, redact, options: { callsign: 'identity' } });
  rig.put(track);
  const { text } = await events.find(({ uid }) => uid.endsWith(track.id));
  t.notOk(text.includes(serial.slice(-8)));
  t.notMatch(text, /threat|score=|level=/i);
  t.match(text, /suspect: The serial \[redacted\] is malformed/);
});

t.test('an identity that repeats the id of the operator is hidden with it', async (t) => {
  const seen = { first_seen_at: '2026-03-04T12:00:00.000Z', last_seen_at: '2026-03-04T12:00:00.000Z' };
  const track = outletTrack(1);
  const value = track.operator?.operator_id ?? '';
  t.not(value, '');
  const identities = [{ type: 'caa', value, transport: 'wifi_beacon', ...seen }] as Track['identities'];
  const lineage = [
    { sensor_id: 'x', node_id: 'n', object_id: null, identity: value, at: seen.last_seen_at, derived_from: [] },
  ];
  const hidden = redactedTrack({ ...track, identities, lineage }, ['operator_id']);
  t.notOk(JSON.stringify(hidden).includes(value));
  t.match(redactedTrack({ ...track, identities, lineage }, []), {
    identities: [{ value }],
    lineage: [{ identity: value }],
  });
});

t.test('the end of an alert about a track that is over has no name of it', async (t) => {
  const serial = '1581F5FKD22940012345';
  const alert = { ...sampleAlert, track_ids: ['gone'], text: `T-0042 (unknown, serial ${serial}) is in Depot` };
  const hidden = alertView(alert, ['identity'], emptyPicture, () => true);
  t.notOk(JSON.stringify(hidden).includes(serial));
  t.match(hidden, { id: alert.id, severity: alert.severity, text: /alert about a track that has ended/ });
  t.equal(alertView(alert, [], emptyPicture, () => true).text, alert.text);
});
