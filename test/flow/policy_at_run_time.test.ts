import t, { type Test } from 'tap';
import { parse, stringify } from 'yaml';
import type { DecisionConfig } from '../../src/model/decision_config.ts';
import type { Doctrine } from '../../src/model/doctrine.ts';
import type { LogEvent } from '../../src/model/event.ts';
import type { Picture } from '../../src/model/picture.ts';
import type { Threat } from '../../src/model/threat.ts';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { placeAt } from '../support/basics/place.ts';
import { alertsPublished, inShort, must, nextAlert } from '../support/daemon/alerts.ts';
import { type Daemon, startDaemon, until } from '../support/daemon/daemon.ts';
import { textOf } from '../support/daemon/field_box.ts';
import { StreamClient } from '../support/http/stream_client.ts';
import { Drones, hovering } from '../support/sky/drones.ts';

onlyInFull(t);
takeTime(t, 90);
const site = { lat: 47.1987, lon: 8.7302 };
const serialOf = (n: number): string => `1581F5FKD229500000${n}`;
const SOON_MS = 1_000;

async function begin(t: Test): Promise<{ daemon: Daemon; stream: StreamClient; drones: Drones }> {
  const daemon = await startDaemon(t);
  await must(daemon, '/api/sensors', { name: 'mast', modality: 'remote_id' });
  const geometry = { type: 'Point', coordinates: [site.lon, site.lat], radius_m: 300 };
  await must(daemon, '/api/zones', { name: 'works', kind: 'protected', geometry });
  const drones = new Drones(t, daemon);
  // In the zone, beside it, and where it matters so little that no policy moves its score by a point.
  for (const [n, metres] of [100, 800, 4_900].entries())
    drones.fly(serialOf(n), hovering(placeAt(site, 90 * n, metres)));
  const stream = await StreamClient.open(t, daemon);
  await until(async () => (await daemon.get<Threat[]>('/api/threats')).length === 3, 'all are listed');
  return { daemon, stream, drones };
}

const config = (daemon: Daemon): Promise<DecisionConfig> => daemon.get<DecisionConfig>('/api/decision-config');
const save = (daemon: Daemon, body: object): Promise<DecisionConfig> =>
  must<DecisionConfig>(daemon, '/api/decision-config', body, 'PUT');

t.test('a policy that is saved changes levels at once, as was previewed, and every threat names it', async (t) => {
  const { daemon, stream } = await begin(t);
  // Until scores stand still: what dwells in a zone counts more with each second.
  const was = await config(daemon);
  const still = { ...was, weights: { ...was.weights, dwell: 0, loiter: 0 } };
  await save(daemon, still);
  await until(async () => (await daemon.get<Threat[]>('/api/threats')).every((of) => of.policy_version === 1), 'saved');
  for (const [version, changed] of [
    { ...still, weights: { ...still.weights, inside: 60, unidentified: 30 } },
    { ...still, levels: { ...still.levels, low: 2, medium: 4, high: 6, critical: 8 } },
    { ...still, posture: 'elevated' as const },
  ].entries()) {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const previewed = await must<Threat[]>(daemon, '/api/threats/preview', { config: changed });
    const began = performance.now();
    await save(daemon, changed);
    const told = await Promise.all(
      previewed.map(({ track_id }) =>
        stream.next(
          ({ event, data: { body } }) =>
            event === 'threat_update' && body.track_id === track_id && body.policy_version === version + 2,
          SOON_MS,
        ),
      ),
    );
    t.ok(performance.now() - began < SOON_MS, `all are told after ${Math.round(performance.now() - began)} ms`);
    const [now, then] = [told.map(({ data }) => data.body as Threat), previewed];
    t.same(
      now.map(({ track_id, level }) => [track_id, level]),
      then.map(({ track_id, level }) => [track_id, level]),
      'with the levels that were previewed',
    );
    for (const [at, { score }] of now.entries())
      t.ok(Math.abs(score - (then[at]?.score ?? Number.NaN)) < 0.6, `${score} was previewed as ${then[at]?.score}`);
  }
});

t.test('another posture is audited and in the picture at once', async (t) => {
  const { daemon, stream } = await begin(t);
  const was = await config(daemon);
  await save(daemon, { ...was, posture: 'high' });
  await stream.next(({ event, data }) => event === 'config_change' && data.body.what === 'decision_config', SOON_MS);
  t.equal((await daemon.get<Picture>('/api/picture')).posture, 'high');
  const events = await until(async () => {
    const found = await daemon.get<LogEvent[]>('/api/events?limit=50');
    const row = found.find(({ kind, after }) => kind.startsWith('posture') || /posture/.test(JSON.stringify(after)));
    return row ?? null;
  }, 'it is audited');
  t.ok(events.hash, 'in the chain of what people did');
  t.match(events.before, { posture: 'normal' });
  t.match(events.after, { posture: 'high' });
  t.match(events.text, /: the posture is high, it was normal$/);
});

t.test('a doctrine that turns a rule off ends its alerts, and one that turns it on raises what goes on', async (t) => {
  const { daemon, stream } = await begin(t);
  const alert = await nextAlert(stream, ({ rule_id }) => rule_id === 'zone_entry');
  const send = async (enabled: boolean): Promise<void> => {
    const { hash, ...document } = parse(await textOf(daemon, '/api/doctrine/export')) as Doctrine & { hash: string };
    const rules = document.rules.map((rule) => (rule.id === 'zone_entry' ? { ...rule, enabled } : rule));
    const headers = { 'content-type': 'application/yaml' };
    const body = stringify({ ...document, rules }, { aliasDuplicateObjects: false });
    const answer = await daemon.request('/api/doctrine/import?force=1', { method: 'POST', headers, body });
    t.equal(answer.status, 200, answer.body.error ?? hash);
  };
  await send(false);
  const began = performance.now();
  await nextAlert(stream, ({ id, state }) => id === alert.id && state === 'cleared');
  t.ok(performance.now() - began < SOON_MS, 'at once');
  await stream.next(({ event, data }) => event === 'doctrine_change' && data.body.version === 1);
  t.equal((await daemon.get<{ enabled: boolean }>('/api/rules/zone_entry')).enabled, false);
  await send(true);
  const again = await until(async () => {
    const [last] = await daemon.get<{ id: string; state: string }[]>('/api/alerts');
    return last?.state === 'active' ? last : null;
  }, 'it is told again');
  t.equal(again.id, alert.id, 'a moment later it is the same alert');
  t.equal(alertsPublished(stream, 'alert').length, 1, inShort(alertsPublished(stream, 'alert')).join('\n'));
});
