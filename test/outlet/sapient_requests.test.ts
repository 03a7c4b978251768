import t from 'tap';
import { sampleAlert } from '../../src/http/openapi/alert_samples.ts';
import type { Alert } from '../../src/model/alert.ts';
import type { Threat } from '../../src/model/threat.ts';
import { until } from '../support/basics/patience.ts';
import { outletTrack } from '../support/outlet/rig.ts';
import { below, boxId, infos } from '../support/sapient/below.ts';
import { ulid } from '../support/sapient/node.ts';

const threat = { level: 'high', score: 72, factors: [] } as unknown as Threat;

t.test('an alert comes with the place of its track, and again when it is acknowledged and cleared', async (t) => {
  const { parent, rig } = await below(t);
  await parent.next('status_report');
  const track = outletTrack(1);
  rig.threats.set(track.id, threat);
  rig.put(track);
  const { body: report } = await parent.next('detection_report');
  const alert: Alert = { ...sampleAlert, state: 'active', track_ids: [track.id] };
  rig.runner.alert(alert);
  const { body } = await parent.next('alert');
  t.match(body, {
    ...{ alert_type: 3, status: 1, priority: 3, description: sampleAlert.text, location: { x: 8.7, y: 47.2, z: 600 } },
    associated_detection: [{ node_id: boxId, object_id: report.object_id }],
  });
  t.ok(Math.abs(Number(body.ranking) - 0.72) < 1e-6);
  rig.runner.alert({ ...alert, state: 'acknowledged' });
  await parent.next('alert', ({ status, alert_id }) => status === 2 && alert_id === body.alert_id);
  rig.runner.alert({ ...alert, state: 'cleared' });
  await parent.next('alert', ({ status, alert_id }) => status === 5 && alert_id === body.alert_id);
  for (const [severity, type, priority] of [
    ['info', 1, 1],
    ['notice', 1, 1],
    ['warning', 2, 2],
  ] as const) {
    rig.runner.alert({ ...alert, severity, id: crypto.randomUUID(), track_ids: [] });
    const other = await parent.next('alert', ({ alert_type }) => alert_type === type, parent.count('alert'));
    t.match(other.body, { priority });
    t.equal(other.body.location, undefined);
  }
  t.same(parent.faults, []);
});

t.test('an alert names no place of a track that the filter holds back', async (t) => {
  const { parent, rig } = await below(t, { outlet: { filter: { affiliations: ['hostile'] } } });
  await parent.next('status_report');
  const track = outletTrack(1);
  rig.put(track);
  rig.runner.alert({ ...sampleAlert, state: 'active', track_ids: [track.id] });
  const { body } = await parent.next('alert');
  t.same([body.location, body.associated_detection, body.ranking], [undefined, undefined, undefined]);
  t.equal(parent.count('detection_report'), 0);
});

t.test('a rejected alert is a line of the log with its reasons, and nothing else happens', async (t) => {
  const alert: Alert = { ...sampleAlert, state: 'active', track_ids: [] };
  const { parent, rig } = await below(t, { picture: { alerts: () => [alert] } });
  const { body } = await parent.next('alert');
  const answer = { alert_id: String(body.alert_id), reason: ['seen', 'a bird'] };
  parent.child?.send({ alert_ack: { ...answer, alert_ack_status: 'ACCEPTED' } });
  parent.child?.send({ alert_ack: { ...answer, alert_id: ulid(), alert_ack_status: 'CANCELLED' } });
  parent.child?.send({ alert_ack: { ...answer, alert_ack_status: 'REJECTED' } });
  parent.child?.send({ alert_ack: { ...answer, alert_ack_status: 'CANCELLED' } });
  const notes = await until(async () => {
    const found = rig.notes.filter((note) => note.startsWith('answer'));
    return found.length >= 2 && found;
  }, 'the answers');
  t.match(notes[0], /^answer notice the outlet tak: the peer rejected the alert "T-0042 .*": seen; a bird$/);
  t.match(notes[1], /the peer cancelled the alert "T-0042 .*": seen; a bird$/);
  t.equal(notes.length, 2, 'an answer to no alert of this box is no line');
  t.equal(rig.runner.statements.refusals, 0);
});

t.test('a task is refused with a sentence, and a request for registration or status is answered with it', async (t) => {
  const { parent } = await below(t);
  await parent.next('status_report');
  const task = { task_id: ulid(), control: 'START' } as const;
  parent.child?.send({ task: { ...task, command: { mode_change: 'other' } }, destination_id: boxId });
  const refused = await parent.next('task_ack');
  t.match(refused, {
    ...{
      to: parent.id,
      body: { task_id: task.task_id, task_status: 2, reason: ['this box accepts no tasks of this kind'] },
    },
  });
  parent.child?.send({ task: { ...task, command: { request: 'Status' } } });
  await parent.next('status_report', ({ info }) => info === infos.new, 1);
  t.match((await parent.next('task_ack', () => true, 1)).body, { task_status: 1 });
  parent.child?.send({ task: { ...task, command: { request: 'Registration' } } });
  await parent.next('registration', () => true, 1);
  await parent.next('status_report', ({ info }) => info === infos.new, 2);
  const elsewhere = '0a1b2c3d-7a44-4d39-9b1c-0a1b2c3d4e5f';
  parent.child?.send({ task: { ...task, task_id: ulid() }, destination_id: elsewhere });
  parent.child?.send({ task: { ...task, command: { request: 'Status' } }, destination_id: boxId });
  await parent.next('status_report', ({ info }) => info === infos.new, 3);
  t.equal(parent.count('task_ack'), 4, 'the task of another node is not answered');
  t.same(parent.faults, []);
});

t.test('a flood of tasks gets few answers, and tracks go on', async (t) => {
  const { parent, rig } = await below(t);
  await parent.next('status_report');
  const task = { task_id: ulid(), control: 'START', command: { request: 'Anything' } } as const;
  for (let i = 0; i < 5_000; i++) parent.child?.send({ task });
  rig.put(outletTrack(1));
  await parent.next('detection_report');
  await parent.next('task_ack');
  t.ok(parent.count('task_ack') < 1_000);
  t.same(parent.faults, []);
});

t.test('the test item is an alert that is over at once', async (t) => {
  const { parent, rig } = await below(t);
  await parent.next('status_report');
  t.equal(await rig.runner.test(), 1);
  const { body } = await parent.next('alert', ({ status }) => status === 5);
  t.match(body, { description: 'Dunlin test', alert_type: 1 });
  t.same(parent.faults, []);
});

t.test('an alert that ends while the node above is away is over there after it is back', async (t) => {
  const alerts: Alert[] = [{ ...sampleAlert, state: 'active', track_ids: [] }];
  const { parent, rig } = await below(t, { faster: 10, picture: { alerts: () => alerts } });
  const { body } = await parent.next('alert', ({ status }) => status === 1);
  parent.child?.close();
  await until(async () => rig.runner.peers.length === 0, 'the connection is gone');
  alerts.length = 0;
  await until(async () => parent.connections.length === 2, 'another connection');
  const { body: end } = await parent.next('alert', ({ status }) => status === 5);
  t.equal(end.alert_id, body.alert_id);
  t.same(parent.faults, []);
});
