import { useEffect } from 'preact/hooks';
import type { HealthPart } from '../../model/health.ts';
import type { Link } from '../../model/link.ts';
import type { Sensor } from '../../model/sensor.ts';
import { clock, store } from '../console.ts';
import { centre } from '../map/view.ts';
import { readPastSilences, readSilences } from '../state/past_silences.ts';
import { type Silences, silencesOf } from '../state/silences.ts';
import { words } from '../words/en.ts';
import { terms } from '../words/terms.ts';
import { ConnectionRow } from './connection_row.tsx';
import { Outlets, outletOrder } from './outlets.tsx';
import { rejectsText } from './rejects.ts';

const sensorOrder: Record<Sensor['state'], number> = {
  fault: 0,
  silent: 1,
  degraded: 2,
  unknown: 3,
  operational: 4,
  off: 5,
};
const linkOrder: Record<Link['state'], number> = { failed: 0, backoff: 1, opening: 2, open: 3, disabled: 4 };

/** Parts of the daemon, sensors, links and outlets, the worst first in each section. */
export function HealthPanel() {
  const sensors = store.sensors
    .list()
    .sort((a, b) => sensorOrder[a.state] - sensorOrder[b.state] || a.name.localeCompare(b.name));
  const links = store.links
    .list()
    .sort((a, b) => linkOrder[a.state] - linkOrder[b.state] || a.name.localeCompare(b.name));
  const outlets = store.outlets
    .list()
    .sort((a, b) => outletOrder[a.state] - outletOrder[b.state] || a.name.localeCompare(b.name));
  const parts = ownParts();
  const isWrong = (orders: number[], fine: number): boolean => orders.some((order) => order < fine);
  // Sections with a fault come first: a phone shows only the first rows.
  const sections = [
    { name: 'box', wrong: isWrong(orders(parts, partOrder), partOrder.up), content: <BoxParts parts={parts} /> },
    {
      name: 'sensors',
      wrong: isWrong(orders(sensors, sensorOrder), sensorOrder.operational),
      content: <Sensors sensors={sensors} />,
    },
    { name: 'links', wrong: isWrong(orders(links, linkOrder), linkOrder.open), content: <Links links={links} /> },
    {
      name: 'outlets',
      wrong: isWrong(orders(outlets, outletOrder), outletOrder.open),
      content: <Outlets outlets={outlets} />,
    },
  ].sort((a, b) => Number(b.wrong) - Number(a.wrong));
  return (
    <section aria-label={words.health}>
      {sections.map(({ name, content }) => (
        <div key={name}>{content}</div>
      ))}
    </section>
  );
}

function Sensors({ sensors }: { sensors: readonly Sensor[] }) {
  const epoch = store.situation.value?.epoch ?? null;
  useEffect(() => void readPastSilences(epoch), [epoch]);
  const read = readSilences.value.epoch === epoch ? readSilences.value.rows : [];
  const silences = silencesOf([...read, ...store.log.value], clock.nowMs() ?? 0);
  return (
    <>
      <h3>{words.sensors}</h3>
      {sensors.length === 0 ? <p class="empty">{words.noSensorsDeclared}</p> : null}
      <ul class="rows">
        {sensors.map((sensor) => (
          <SensorRow key={sensor.id} sensor={sensor} silences={silences.get(sensor.id) ?? null} />
        ))}
      </ul>
    </>
  );
}

function Links({ links }: { links: readonly Link[] }) {
  return (
    <>
      <h3>{words.links}</h3>
      {links.length === 0 ? <p class="empty">{words.noLinks}</p> : null}
      <ul class="rows">
        {links.map((link) => (
          <LinkRow key={link.id} link={link} />
        ))}
      </ul>
    </>
  );
}

const ofSections: ReadonlySet<string> = new Set(['sensors', 'links', 'outlets']);
const partOrder: Record<HealthPart['state'], number> = { down: 0, degraded: 1, up: 2 };

const orders = <S extends string>(rows: readonly { state: S }[], order: Record<S, number>): number[] =>
  rows.map(({ state }) => order[state]);

/** Parts of the daemon, the worst first. Sensors, links and outlets have sections of their own. */
function ownParts(): HealthPart[] {
  return (store.situation.value?.health.parts ?? [])
    .filter(({ name }) => !ofSections.has(name))
    .sort((a, b) => partOrder[a.state] - partOrder[b.state] || a.name.localeCompare(b.name));
}

function BoxParts({ parts }: { parts: readonly HealthPart[] }) {
  return (
    <>
      <h3>{words.box}</h3>
      <ul class="rows">
        {parts.map(({ name, state, text }) => (
          <li key={name} class={`row part ${state}`}>
            <span class="first">
              <strong>{terms.boxPart(name)}</strong>
              <span class="level">{terms.partState(state)}</span>
            </span>
            <span class="second">{text}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Names of the sensors that work beside a dead one, without own vehicles, which see nothing. */
const workingBeside = ({ id }: Sensor): string[] =>
  store.sensors
    .list()
    .filter((one) => one.id !== id && one.state === 'operational' && one.modality !== 'telemetry')
    .map(({ name }) => name);

/** Whether another sensor of the same kind works. */
const isDoubled = ({ id, modality }: Sensor): boolean =>
  store.sensors.list().some((one) => one.id !== id && one.state === 'operational' && one.modality === modality);

function SensorRow({ sensor, silences }: { sensor: Sensor; silences: Silences | null }) {
  const { name, state, modality, placement, reasons, rates, rejects, latency_ms: latency, last_obs_at } = sensor;
  const rejected = rejectsText(rejects);
  const isDead = state === 'silent' || state === 'fault';
  return (
    <li class={`row sensor ${state}`}>
      <span class="first">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span class="where">{terms.modality(modality) === name ? '' : terms.modality(modality)}</span>
        <span class="level">{state}</span>
      </span>
      <span class="second">
        {last_obs_at === null ? words.neverReceived : words.last(clock.ageS(last_obs_at))}
        {isDead && last_obs_at !== null ? `, ${words.sinceClock(last_obs_at)}` : ''} · {words.rate(rates.obs_per_s)}
        {latency && !isDead ? ` · ${words.delay(latency.p95)}` : ''}
        {rejected === '' ? '' : ` · ${words.rejected(rejected)}`}
        {sensor.dependent_nodes.length === 0 ? '' : ` · ${words.dependsOn(sensor.dependent_nodes.length)}`}
      </span>
      {reasons.map((reason) => (
        <span key={reason} class="second">
          {reason}
        </span>
      ))}
      {isDead ? (
        <span class="second">
          {terms.without(modality, isDoubled(sensor))} {words.othersWorking(workingBeside(sensor))}
        </span>
      ) : null}
      {silences === null ? null : (
        <span class="second some-silent">{words.pastSilences(silences, sensor.heartbeat_s)}</span>
      )}
      {placement ? (
        <button type="button" onClick={() => centre(placement)}>
          {words.show}
        </button>
      ) : null}
    </li>
  );
}

function LinkRow({ link }: { link: Link }) {
  const { protocol, rx_msgs, tx_msgs, rejects } = link;
  const rejected = rejectsText(rejects);
  const counts = words.counters(rx_msgs, tx_msgs) + (rejected === '' ? '' : ` · ${words.rejected(rejected)}`);
  return <ConnectionRow connection={link} kind={protocol} counts={counts} />;
}
