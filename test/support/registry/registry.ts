import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Access, type AccessParts } from '../../../src/access/access.ts';
import { SealedSecrets } from '../../../src/access/sealed.ts';
import { AlertLog } from '../../../src/alerts/alert_log.ts';
import { AlertService } from '../../../src/alerts/alert_service.ts';
import { createSender } from '../../../src/alerts/webhooks/send.ts';
import { Webhooks } from '../../../src/alerts/webhooks/webhooks.ts';
import { CredentialService } from '../../../src/app/credential_service.ts';
import { CredentialStore } from '../../../src/app/credential_store.ts';
import { Claims } from '../../../src/edge/link/claims.ts';
import { Engagements } from '../../../src/engagement/engagements.ts';
import { sampleVehicleId } from '../../../src/http/openapi/engagement_samples.ts';
import { sampleTrack } from '../../../src/http/openapi/samples.ts';
import type { ServedWorkspace, ServedWorkspaces, ServedWorld } from '../../../src/http/served.ts';
import { orNotFound } from '../../../src/model/fault.ts';
import type { Link } from '../../../src/model/link.ts';
import { Outlets } from '../../../src/outlet/outlets.ts';
import type { RecordingService } from '../../../src/recording/recording_service.ts';
import type { RegistryTeller } from '../../../src/registry/deps.ts';
import { Registry } from '../../../src/registry/registry.ts';
import { alertStore } from '../../../src/store/alerts.ts';
import { Ledger } from '../../../src/store/ledger.ts';
import { LogCounter } from '../../../src/store/log_counter.ts';
import { RetentionClock } from '../../../src/store/retention_clock.ts';
import { openState, type State } from '../../../src/store/state.ts';
import { workspaceRows } from '../../../src/store/workspaces.ts';
import { Field } from '../engagement/engagement.ts';
import { type FleetRig, openFleet } from '../fleet/registry_fleet.ts';
import type { FakeService } from '../http/server.ts';
import { emptyPicture } from '../outlet/pictures.ts';
import { recordingsOf } from '../recording/quiet_source.ts';
import { obligingPlayback } from './playback.ts';

/** A change as it was told: to a row of a list, or to something that has no row. */
export type Told = { kind: string; id?: string; row?: unknown };

export type RegistryRig = {
  state: State;
  ledger: Ledger;
  registry: Registry;
  workspaceId: string;
  told: Told[];
  alertBook: AlertLog;
  alerts: AlertService;
  webhooks: Webhooks;
  outlets: Outlets;
  /** Credentials of the outlets and of the links that are given. */
  credentialsOf(links: ServedWorkspace['links']): CredentialService;
  fleet: FleetRig['fleet'];
  commands: FleetRig['side']['service'];
  /** What may be done about the one track there is, with the one vehicle there is. */
  field: Field;
  engagements: Engagements;
  recordings: RecordingService;
};

/** A registry over a database of its own, in a folder that goes with the test, or in one that is given. */
export function openRegistry(t: { teardown(stop: () => unknown): unknown }, given?: string): RegistryRig {
  const folder = given ?? mkdtempSync(join(tmpdir(), 'dunlin-registry-'));
  const state = openState(folder);
  t.teardown(async () => {
    await recordings.close();
    state.close();
    if (given === undefined) rmSync(folder, { recursive: true, force: true });
  });
  const ledger = new Ledger(state, new LogCounter(0), Date.now);
  const told: Told[] = [];
  const tell: RegistryTeller = {
    row: (list, row) => void told.push({ kind: list, id: row.id, row }),
    rows: (list, rows) => void told.push(...rows.map((row) => ({ kind: list, id: row.id, row }))),
    removed: (list, id) => void told.push({ kind: `${list} removed`, id }),
    announce: (kind, body) => void told.push({ kind, row: body }),
  };
  const workspaceId = workspaceRows(state).list()[0]?.id ?? '';
  const times = { wallMs: Date.now, monoMs: () => performance.now(), trust: () => 'rtc' as const };
  const clock = new RetentionClock({ state, ledger, ...times });
  const retention = { ofConfiguration: { days: 30, bytes: 20e9 }, clock };
  const registry = new Registry({ state, ledger, workspaceId, environment: () => 'live', publish: tell, retention });
  const deps = { state, ledger, nowMs: () => performance.now(), utcMs: Date.now };
  const secrets = new SealedSecrets({ ...deps, permissionsChanged: () => {} }, { key: Buffer.alloc(32, 7) });
  const store = new CredentialStore({ ...deps, secrets, workspaceId, files: { link: [], outlet: [] } });
  const webhooks = new Webhooks({
    ...{ ...deps, workspaceId, send: createSender(() => null, 2_000) },
    secrets,
    announce: (body) => void told.push({ kind: 'config_change', row: body }),
    note: (kind) => void told.push({ kind }),
  });
  const outlets = new Outlets({
    ...{ state, ledger, workspaceId, utcMs: (worldMs) => worldMs, believedMs: Date.now },
    picture: emptyPicture,
    box: { nodeId: '5f0c2b1e-7a44-4d39-9b1c-0a1b2c3d4e5f', version: '0.1.0' },
    link: { nowMs: Date.now, claims: new Claims() },
    credentials: (id) => store.of('outlet', id),
    note: (verb) => void told.push({ kind: `outlet.${verb}` }),
    publish: (id, row) => void told.push({ kind: row === null ? 'outlet removed' : 'outlet', id, row }),
  });
  t.teardown(() => outlets.stop());
  outlets.start();
  const alertBook = new AlertLog({
    store: alertStore(state, workspaceId, (notices) => webhooks.write(notices)),
    newId: randomUUID,
    timeText: () => new Date().toISOString(),
    publish: (alert, kinds) => void told.push(...kinds.map((kind) => ({ kind, id: alert.id, row: alert }))),
    log: (kind) => void told.push({ kind }),
    causeOf: () => 'seen',
    endOf: () => 'left',
    trouble: (sentence) => void told.push({ kind: 'trouble', row: sentence }),
  });
  const alerts = new AlertService(alertBook, ledger, workspaceId);
  const { fleet, side } = openFleet({ state, ledger, registry, workspaceId });
  const field = new Field();
  field.addVehicle('North 1', { asset_id: sampleVehicleId });
  field.addTrack('high', { id: sampleTrack.id });
  const engagements = new Engagements(field.deps({ state, ledger, workspaceId }));
  const recordings = recordingsOf(folder, { ledger, workspaceId }).service;
  return {
    ...{ state, ledger, registry, workspaceId, told, alertBook, alerts, webhooks, outlets, field, engagements, fleet },
    recordings,
    commands: side.service,
    credentialsOf: (links) =>
      new CredentialService({ store, secrets, ledger, workspaceId, outlets, links: fakeChanges(links) }),
  };
}

/** Changes of credentials of links in memory, as if they were over TLS. */
function fakeChanges(links: ServedWorkspace['links']) {
  return {
    get: (id: string) => links.get(id),
    changeCredentials: async (id: string, change: (link: { id: string; spec: Link }) => void): Promise<Link> => {
      const link = orNotFound(links.get(id), `there is no link with the id ${id}`);
      change({ id, spec: { ...link, transport: 'tls_client' } });
      return link;
    },
  };
}

/** The workspaces that a server needs, with one fake service and a registry of its own; those that are made get the same. */
export function workspacesOf(service: FakeService, rig: RegistryRig): ServedWorkspaces {
  const { workspaceId: id, registry, alerts, webhooks, outlets, fleet, commands, engagements, recordings } = rig;
  const world: ServedWorld = { ...service, registry, alerts, fleet, commands, engagements };
  const playback = obligingPlayback((id) => registry.scenarios.list().some((row) => row.id === id));
  const first: ServedWorkspace = {
    ...{ ...service, id, name: 'default', webhooks, outlets, recordings, playback },
    credentials: rig.credentialsOf(service.links),
    ...{ shown: world, worldOf: () => world },
    stopAll: (...asked) => engagements.stopAll(...asked),
  };
  const all = new Map([[first.id, first]]);
  return {
    first,
    get: (id) => all.get(id),
    list: () => [...all.values()],
    open: async ({ id, name }) => void all.set(id, { ...first, id, name }),
  };
}

/** Who may, over the same database; passwords cost next to nothing. */
export function accessOf(rig: Pick<RegistryRig, 'state' | 'ledger'>, changes: Partial<AccessParts> = {}): Access {
  return new Access({
    state: rig.state,
    ledger: rig.ledger,
    nowMs: () => performance.now(),
    utcMs: Date.now,
    signInsPerMinute: 5,
    sessionMaxH: 12,
    sealingKey: { key: Buffer.alloc(32, 7) },
    passwordCost: { n: 16, r: 1, p: 1 },
    ...changes,
  });
}
