import t from 'tap';
import type { Threat } from '../../src/model/threat.ts';
import { outletTrack } from '../support/outlet/rig.ts';
import { below } from '../support/sapient/below.ts';
import type { FakeParent } from '../support/sapient/parent.ts';

const threat = { level: 'high', score: 72, factors: [] } as unknown as Threat;
const seen = { first_seen_at: '2026-03-04T12:00:00.000Z', last_seen_at: '2026-03-04T12:00:00.000Z' };
const serial = '1581F5FKD22940012345';
const node = '0a1b2c3d-7a44-4d39-9b1c-0a1b2c3d4e5f';
const object = '01HZXW0000000000000000000A';
const identities = [
  { type: 'serial', value: serial, transport: 'wifi_beacon', ...seen },
  { type: 'external', value: `0a1b2c3d/${object}`, transport: 'network', ...seen },
  { type: 'external', value: `ffffffff/${object}`, transport: 'network', ...seen },
] as const;
const sensor = () => ({ id: 'r', name: 'mast', modality: 'radar', nodeId: node }) as const;

/** The first report of a track under a redaction, and all that came as text. */
async function reported(t: Parameters<typeof below>[0], outlet: object) {
  const { parent, rig } = await below(t, { outlet, picture: { sensor } });
  const track = outletTrack(1, { identities: [...identities] });
  rig.threats.set(track.id, threat);
  rig.put(track);
  const { body } = await parent.next('detection_report');
  const info = (body.object_info ?? []) as { type: string; value: string }[];
  const facts = Object.fromEntries(info.map(({ type, value }) => [type, value]));
  return { parent, rig, body, facts };
}

const textOf = (parent: FakeParent): string =>
  JSON.stringify(parent.connections.flatMap(({ arrived }) => arrived.map(({ body }) => body)));

t.test('by default no coordinate of the pilot and no operator id leaves the box, and the identities do', async (t) => {
  const { parent, rig, body, facts } = await reported(t, {});
  t.match(facts, { 'remote id': serial, number: 'T-0001', integrity: 'unchecked' });
  t.match(body, { id: serial, derived_detection: [{ node_id: node, object_id: object }] });
  t.equal((body.derived_detection as unknown[]).length, 1, 'an object of a node that does not contribute is left out');
  rig.end(outletTrack(1).id);
  await parent.next('detection_report', ({ state }) => state === 'lost');
  for (const hidden of ['47.196', '8.7288', '8.7289', 'FIN87']) t.notOk(textOf(parent).includes(hidden), hidden);
  t.same(parent.faults, []);
});

t.test('a released pilot is in the report; a take-off point that poses as a pilot is not', async (t) => {
  const { facts, rig, parent } = await reported(t, { redact: [] });
  t.match(facts, { 'pilot latitude': '47.1961', 'pilot longitude': '8.7288' });
  const operator = { lat: 47.5, lon: 8.5, type: 'takeoff' } as const;
  rig.put(outletTrack(2, { operator }));
  const { body } = await parent.next('detection_report', () => true, 1);
  t.notMatch(JSON.stringify(body), /pilot/);
});

t.test('a redacted identity or threat is nowhere', async (t) => {
  const redact = ['pilot', 'operator_id', 'takeoff', 'identity', 'threat'];
  const { parent, body, facts } = await reported(t, { redact });
  t.same([body.id, body.derived_detection], [undefined, undefined]);
  t.same([facts['remote id'], facts['threat level'], facts['threat score']], [undefined, undefined, undefined]);
  t.notOk(textOf(parent).includes(serial));
});
