import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Access } from '../../../src/access/access.ts';
import { LogLevelService } from '../../../src/app/log_level_service.ts';
import { createJournal } from '../../../src/host/journal.ts';
import { idleTimers } from '../../../src/host/timers.ts';
import type { HttpCounter, HttpLog, HttpMetrics } from '../../../src/http/log.ts';
import {
  sampleDetection,
  sampleHistory,
  sampleLogEvent,
  sampleSensor,
  sampleTrack,
} from '../../../src/http/openapi/samples.ts';
import { sampleSighting, sampleTrails } from '../../../src/http/openapi/sighting_samples.ts';
import { sampleThreat } from '../../../src/http/openapi/threat_samples.ts';
import type { ServedWorkspace, ServedWorkspaces, ServedWorld } from '../../../src/http/served.ts';
import { createServer, type HttpServer } from '../../../src/http/server.ts';
import { type HttpSettings, httpDefaults } from '../../../src/http/settings.ts';
import { Fault } from '../../../src/model/fault.ts';
import type { Health } from '../../../src/model/health.ts';
import type { ObservationDocument } from '../../../src/model/observation.ts';
import type { Page, PageQuery } from '../../../src/model/page.ts';
import type { Sensor } from '../../../src/model/sensor.ts';
import type { TrackPoint } from '../../../src/model/track.ts';
import { noHistory } from '../../../src/store/log/none.ts';
import { mapsOf } from '../maps/service.ts';
import { accessOf, openRegistry, type RegistryRig, workspacesOf } from '../registry/registry.ts';
import { exchange } from './exchange.ts';
import { createFakeLinks } from './fake_links.ts';
import { createFakeStream, type FakeStream } from './fake_stream.ts';

/** What of a workspace is in memory: one track, one link, sensors that can be made and changed, and what was asked of it. */
export type FakeService = Pick<
  ServedWorkspace,
  'about' | 'settingsHash' | 'links' | 'ingest' | 'ruleTrials' | 'health'
> &
  Pick<ServedWorkspace, 'history' | 'stream' | 'boxTime'> &
  Pick<ServedWorld, 'tracks' | 'threats' | 'expectedFlights' | 'sensors' | 'events' | 'evidence'> & {
    feed: FakeStream;
    observations: ObservationDocument[];
    asked: { history: unknown[]; detections: unknown[]; events: unknown[] };
    state: { health: Health; points: TrackPoint[] };
  };

export function createFakeService(): FakeService {
  const sensors = new Map<string, Sensor>([[sampleSensor.id, sampleSensor]]);
  const feed = createFakeStream();
  const seen = new Set<string>();
  const state: FakeService['state'] = {
    health: { healthy: true, parts: [{ name: 'core', state: 'up', needed: true, text: 'answered 20 ms ago' }] },
    points: sampleHistory,
  };
  const asked: FakeService['asked'] = { history: [], detections: [], events: [] };
  const observations: ObservationDocument[] = [];
  const requireSensor = (id: string): Sensor => {
    const sensor = sensors.get(id);
    if (sensor === undefined) throw new Fault('not_found', `there is no sensor with the id ${id}`);
    return sensor;
  };

  const requireTrack = (id: string): typeof sampleTrack => {
    if (id !== sampleTrack.id) throw new Fault('not_found', `there is no track with the id ${id}`);
    return sampleTrack;
  };

  const requireThreat = (trackId: string): typeof sampleThreat => {
    if (trackId !== sampleThreat.track_id) throw new Fault('not_found', `there is no threat of ${trackId}`);
    return sampleThreat;
  };

  return {
    feed,
    observations,
    asked,
    state,
    about: { name: 'dunlin', version: '0.1.0', startedAt: '2025-06-01T06:30:00.000Z', build: 'test' },
    settingsHash: 'none',
    tracks: {
      list: () => [sampleTrack],
      get: (id) => (id === sampleTrack.id ? sampleTrack : undefined),
      last: async (id) => (id === sampleTrack.id ? sampleTrack : undefined),
      requireKnown: async (id) => void requireTrack(id),
      detections: async (query) => {
        asked.detections.push(query);
        return pageOf([sampleDetection], query);
      },
      history: async (query) => {
        asked.history.push(query);
        if (query.trackId !== sampleTrack.id) throw new Fault('not_found', `no track ${query.trackId}`);
        return pageOf(state.points, query);
      },
      sightings: async (query) => pageOf([sampleSighting], query),
      trails: async () => sampleTrails,
      merge: async (id) => requireTrack(id),
      drop: async (id) => void requireTrack(id),
    },
    ruleTrials: { dryRun: async () => ({ firings: [], byRule: {} }) },
    threats: {
      list: () => [sampleThreat],
      get: (trackId) => (trackId === sampleThreat.track_id ? sampleThreat : undefined),
      acknowledge: (trackId) => requireThreat(trackId),
      dismiss: (trackId) => requireThreat(trackId),
      preview: async () => [sampleThreat],
    },
    expectedFlights: { set: (trackId) => requireTrack(trackId) },
    events: {
      list: async (query) => {
        asked.events.push(query);
        return pageOf([sampleLogEvent], query);
      },
    },
    sensors: {
      list: () => [...sensors.values()],
      get: (id) => sensors.get(id),
      create: (spec) => {
        const { heartbeat_s: _heartbeat, quiet_ok = false, detection = null, ...said } = spec;
        const made: Sensor = {
          ...sampleSensor,
          ...said,
          ...{ quiet_ok, detection },
          id: randomUUID(),
          placement: spec.placement ?? null,
          version: 1,
        };
        sensors.set(made.id, made);
        return made;
      },
      update: (id, patch) => {
        const sensor = requireSensor(id);
        if (patch.version !== undefined && patch.version !== sensor.version) {
          throw new Fault('conflict', `the sensor is at version ${sensor.version}`);
        }
        const { heartbeat_s: _heartbeat, version: _version, ...said } = patch;
        const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
        const changed: Sensor = { ...sensor, ...given, version: sensor.version + 1 };
        sensors.set(id, changed);
        return changed;
      },
      remove: (id) => {
        requireSensor(id);
        sensors.delete(id);
      },
    },
    links: createFakeLinks(),
    ingest: {
      take: (rows) => {
        const answer = { accepted: 0, duplicates: 0, rejected: [] as { index: number; error: string }[] };
        for (const [index, row] of rows.entries()) {
          if (row.sensor_id === 'nobody') answer.rejected.push({ index, error: "there is no sensor 'nobody'" });
          else if (row.obs_id != null && seen.has(row.obs_id)) answer.duplicates++;
          else {
            if (row.obs_id != null) seen.add(row.obs_id);
            observations.push(row);
            answer.accepted++;
          }
        }
        return answer;
      },
    },
    evidence: {
      archive: async (id) => {
        requireTrack(id);
        return { fileName: 'evidence.zip', content: Readable.from([Buffer.from('PK')]) };
      },
    },
    history: { status: () => ({ ...noHistory.status(), bytes: 4_096 }) },
    health: { get: () => state.health },
    stream: () => feed,
    boxTime: () => ({ box_at: '2025-06-01T12:00:00.000Z', trust: 'ntp' }),
  };
}

function pageOf<Row>(rows: readonly Row[], { limit, cursor }: PageQuery): Page<Row> {
  const from = cursor === null ? 0 : Number(cursor);
  const next = from + limit;
  return { rows: rows.slice(from, next), nextCursor: next < rows.length ? String(next) : null };
}

export type Recorder = HttpLog & HttpMetrics & { counts: Map<HttpCounter, number>; errors: Record<string, unknown>[] };

export function createRecorder(): Recorder {
  const counts = new Map<HttpCounter, number>();
  const errors: Record<string, unknown>[] = [];
  return {
    counts,
    errors,
    count: (name, n = 1) => void counts.set(name, (counts.get(name) ?? 0) + n),
    gauge: () => {},
    text: () => 'dunlin_up 1\n',
    info: () => {},
    error: (fields) => void errors.push(fields),
  };
}

export type Rig = {
  url: string;
  port: number;
  service: FakeService;
  registry: RegistryRig;
  access: Access;
  workspaces: ServedWorkspaces;
  recorder: Recorder;
  server: HttpServer;
  settings: HttpSettings;
};

type Changes = { [K in keyof HttpSettings]?: Partial<HttpSettings[K]> };

/** A real server on a free port over a fake service; it stops with the test. */
export async function startRig(
  t: { teardown(stop: () => unknown): unknown },
  changes: Changes = {},
  service: FakeService = createFakeService(),
): Promise<Rig> {
  const settings: HttpSettings = {
    listen: { host: '127.0.0.1', port: 0, ...changes.listen },
    tls: (changes.tls as HttpSettings['tls']) ?? null,
    access: { ...httpDefaults.access, ...changes.access },
    privacy: { ...httpDefaults.privacy, ...changes.privacy },
    recovery: null,
    limits: { ...httpDefaults.limits, ...changes.limits },
    stream: { ...httpDefaults.stream, ...changes.stream },
  };
  const recorder = createRecorder();
  const registry = openRegistry(t);
  const workspaces = workspacesOf(service, registry);
  const access = accessOf(registry);
  const maps = await mapsOf(t, registry);
  const logLevel = logLevelOf(t, registry);
  const server = createServer({ workspaces, maps, logLevel, access, settings, log: recorder, metrics: recorder });
  const { url } = await server.start();
  t.teardown(() => server.stop());
  return { url, port: Number(new URL(url).port), service, registry, access, workspaces, recorder, server, settings };
}

/** The level of a journal that writes nowhere. */
function logLevelOf(t: { teardown(stop: () => unknown): unknown }, { ledger }: RegistryRig): LogLevelService {
  const journal = createJournal({ write: () => {} });
  const utcMs = (): number => Date.now();
  const service = new LogLevelService({ journal, configured: 'info', ledger, utcMs, timers: idleTimers });
  t.teardown(() => service.stop());
  return service;
}

export type Answer = { status: number; headers: Headers; text: string; body: Envelope };
export type Envelope = {
  ok?: boolean;
  data?: unknown;
  error?: string;
  code?: string;
  faults?: { path: string; text: string }[];
};

/** Sends a request and reads the answer; `body` is parsed where it is JSON. */
export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const { status, headers, text } = await exchange(url, { redirect: 'manual', ...init });
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
  return { status, headers, text, body: isJson && text !== '' ? JSON.parse(text) : {} };
}

export function askJson(url: string, method: string, body: unknown): Promise<Answer> {
  return ask(url, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}

/** Opens a connection, sends bytes as they are, and resolves with everything that came until the other side closed. */
export function sendRaw(port: number, bytes: string | Buffer, host = '127.0.0.1'): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => socket.write(bytes));
    readAll(socket).then(resolve);
  });
}

export function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (piece) => {
    text += piece;
  });
  return new Promise((resolve) => socket.on('error', () => {}).once('close', () => resolve(text)));
}

/** The status and the parsed body of a raw answer, the last one where several were pipelined. */
export function parseRaw(text: string): { status: number; head: string; body: Envelope } {
  const end = text.indexOf('\r\n\r\n');
  const head = text.slice(0, end);
  const rest = text.slice(end + 4);
  return { status: Number(head.split(' ')[1]), head, body: rest.startsWith('{') ? JSON.parse(rest) : {} };
}
