import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Alert } from '../../src/model/alert.ts';
import type { LogEvent } from '../../src/model/event.ts';
import type { Link } from '../../src/model/link.ts';
import type { Sensor } from '../../src/model/sensor.ts';
import type { Track } from '../../src/model/track.ts';
import type { Owner } from '../../test/support/basics/owner.ts';
import { placeAt } from '../../test/support/basics/place.ts';
import type { Daemon } from '../../test/support/daemon/daemon.ts';
import { fieldBox, textOf } from '../../test/support/daemon/field_box.ts';
import { metricOf } from '../../test/support/daemon/program.ts';
import { Aircraft, MavlinkReceiver } from '../../test/support/sky/aircraft.ts';

const senderScript = fileURLToPath(new URL('./flood_sender.js', import.meta.url));
const addresses = 10_000;
const perS = 20_000;
/** A receiver of an open link is proven after half a minute. */
const calmS = 35;
const config = `
links:
  - {name: open, transport: udp, address: "127.0.0.1:0", protocol: mavlink}
  - {name: wire, transport: udp, address: "127.0.0.1:0", protocol: mavlink, sources_allow: [127.0.0.1]}
`;

type Receiver = { link: string; sensor: string; serial: string; aircraft: Aircraft };
type Check = { text: string; good: boolean };

/**
 * Hostile datagrams from many addresses on an open link, while a named receiver speaks on another link and a proven one on
 * the same. Prints what held; answers whether all did.
 */
export async function runFlood(owner: Owner, seconds: number): Promise<boolean> {
  const daemon = await fieldBox(owner, config).spawn();
  const receivers = ['wire', 'open'].map((link, n) => receiverOn(link, n + 3));
  for (const [n, receiver] of receivers.entries()) await speak(owner, daemon, receiver, n + 3);
  console.log(`${calmS} s of calm, then ${perS} datagrams a second from ${addresses} addresses for ${seconds} s`);
  await sleep(calmS * 1_000);
  const flood = spawn(
    process.execPath,
    [senderScript, `${await daemon.port('open')}`, `${addresses}`, `${perS}`, `${seconds}`],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let said = '';
  flood.stdout.on('data', (text) => {
    said += text;
  });
  owner.teardown(() => flood.kill('SIGKILL'));
  const over = once(flood, 'exit');
  const deaf = new Map(receivers.map(({ sensor }) => [sensor, 0]));
  let looks = 0;
  while (flood.exitCode === null) {
    await Promise.race([over, sleep(1_000)]);
    looks++;
    for (const name of await deafNow(daemon, receivers)) deaf.set(name, (deaf.get(name) ?? 0) + 1);
  }
  const heard = [...deaf].map(([name, times]) => ({
    text: `${name}: deaf at ${times} of ${looks} looks; may be 0`,
    good: times === 0,
  }));
  const checks = [...heard, ...(await judge(daemon, Number(said), seconds))];
  const code = await daemon.end();
  checks.push({ text: `exit code of the daemon: ${code}`, good: code === 0 });
  for (const { text, good } of checks) console.log(`${good ? 'held  ' : 'MISSED'}  ${text}`);
  return checks.every(({ good }) => good);
}

function receiverOn(link: string, sysid: number): Receiver {
  const serial = `1581FREAL0000000${sysid}`;
  const mac = `60:60:1F:00:0A:0${sysid}`;
  return {
    link,
    sensor: `${link} ${sysid}/236`,
    serial,
    aircraft: new Aircraft({ mac, serial, from: placeAt({ lat: 46.5, lon: 7.5 }, sysid * 40, 2_000) }),
  };
}

async function speak(owner: Owner, daemon: Daemon, { link, aircraft }: Receiver, sysid: number): Promise<void> {
  const port = await daemon.port(link);
  const socket = createSocket('udp4');
  const receiver = new MavlinkReceiver(sysid, 236);
  const beganMs = performance.now();
  const timer = setInterval(() => {
    const atS = (performance.now() - beganMs) / 1_000;
    socket.send(receiver.pack(aircraft, aircraft.messages(aircraft.location(atS))), port, '127.0.0.1');
  }, 200);
  owner.teardown(() => {
    clearInterval(timer);
    socket.close();
  });
}

/** Receivers that are not operational, or whose aircraft is not tracked. */
async function deafNow(daemon: Daemon, receivers: readonly Receiver[]): Promise<string[]> {
  const sensors = await daemon.get<Sensor[]>('/api/sensors');
  const tracks = await daemon.get<Track[]>('/api/tracks');
  return receivers.flatMap(({ sensor, serial }) => {
    const isHeard = sensors.some(({ name, state }) => name === sensor && state === 'operational');
    const track = tracks.find(({ identities }) => identities.some(({ value }) => value === serial));
    return isHeard && track?.state === 'confirmed' ? [] : [sensor];
  });
}

async function judge(daemon: Daemon, sent: number, seconds: number): Promise<Check[]> {
  const page = await textOf(daemon, '/metrics');
  const link = (await daemon.get<Link[]>('/api/links')).find(({ name }) => name === 'open');
  const sensors = await daemon.get<Sensor[]>('/api/sensors');
  const alerts = await daemon.get<Alert[]>('/api/alerts?limit=1000');
  const lines = await daemon.get<LogEvent[]>('/api/events?kind=link.sources_full&limit=1000');
  const metric = metricOf(page, 'dunlin_link_sources_unplaced_total{link="open"}');
  const full = alerts.filter(({ rule_id }) => rule_id === 'sensor_table_full');
  const silent = alerts.filter(({ rule_id }) => rule_id === 'sensor_silent');
  const loopMs = metricOf(page, 'nodejs_eventloop_delay_p99_seconds') * 1_000;
  return [
    {
      text: `datagrams sent: ${Math.round(sent / seconds)} a second; at least ${perS * 0.9}`,
      good: sent >= perS * seconds * 0.9,
    },
    {
      text: `datagrams decoded: ${Math.round((link?.rx_msgs ?? 0) / seconds)} a second`,
      good: (link?.rx_msgs ?? 0) > 0,
    },
    {
      text: `messages without a place: ${link?.sources_unplaced}, metric ${metric}; more than 0`,
      good: (link?.sources_unplaced ?? 0) > 0 && metric > 0,
    },
    { text: `alerts of a full table: ${full.length}; must be 1`, good: full.length === 1 },
    { text: `alerts of silent sensors: ${silent.length}; must be 0`, good: silent.length === 0 },
    {
      text: `lines of the log: ${lines.length}; one in 5 s at most`,
      good: lines.length > 0 && lines.length <= seconds / 5 + 2,
    },
    { text: `rows of sensors: ${sensors.length}; at most 40`, good: sensors.length <= 40 },
    { text: `event-loop delay p99: ${loopMs.toFixed(1)} ms; may be 200 ms`, good: loopMs <= 200 },
  ];
}
