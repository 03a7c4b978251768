import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Access, type AccessParts } from '../../src/access/access.ts';
import { SealedSecrets } from '../../src/access/sealed.ts';
import { Engagements } from '../../src/command/engagement/engagements.ts';
import { sampleVehicleId } from '../../src/http/openapi/engagement_samples.ts';
import { sampleTrack } from '../../src/http/openapi/samples.ts';
import type { Service } from '../../src/http/service.ts';
import type { HttpWorkspace, HttpWorkspaces } from '../../src/http/workspace.ts';
import { createSender } from '../../src/notify/send.ts';
import { Webhooks } from '../../src/notify/webhooks.ts';
import { Registry } from '../../src/registry/registry.ts';
import type { RegistryTeller } from '../../src/registry/rim.ts';
import { Ledger } from '../../src/store/ledger.ts';
import { LogCounter } from '../../src/store/log_counter.ts';
import { RetentionClock } from '../../src/store/retention_clock.ts';
import { openState, type State } from '../../src/store/state.ts';
import { workspaceRows } from '../../src/store/workspaces.ts';
import { AlertBook } from '../../src/worlds/alerts/book.ts';
import { AlertDesk } from '../../src/worlds/alerts/desk.ts';
import { storedAlerts } from '../../src/worlds/alerts/keeper.ts';
import type { RecordingDesk } from '../../src/worlds/replay/desk.ts';
import { Field } from './engagement.ts';
import { type FleetRig, openFleet } from './fleet.ts';
import { recordingsOf } from './recorded.ts';
import { obligingSimulator } from './simulator.ts';

/** A change as it was told: to a row of a list, or to something that has no row. */
export type Told = { kind: string; id?: string; row?: unknown };

export type RegistryRig = {
  state: State;
  ledger: Ledger;
  registry: Registry;
  workspaceId: string;
  told: Told[];
  alertBook: AlertBook;
  alerts: AlertDesk;
  webhooks: Webhooks;
  fleet: FleetRig['fleet'];
  commands: FleetRig['side']['desk'];
  /** What may be done about the one track there is, with the one vehicle there is. */
  field: Field;
  engagements: Engagements;
  recordings: RecordingDesk;
};

/** A registry over a database of its own, in a folder that goes with the test. */
export function openRegistry(t: { teardown(stop: () => unknown): unknown }): RegistryRig {
  const folder = mkdtempSync(join(tmpdir(), 'dunlin-registry-'));
  const state = openState(folder);
  t.teardown(async () => {
    await recordings.close();
    state.close();
    rmSync(folder, { recursive: true, force: true });
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
  const registry = new Registry({ state, ledger, workspaceId, environment: () => 'live', tell });
  const clock = { wallMs: Date.now, monoMs: () => performance.now(), trust: () => 'rtc' as const };
  registry.retention.clock = new RetentionClock({ state, ledger, ...clock });
  const rim = { state, ledger, nowMs: () => performance.now(), utcMs: Date.now };
  const webhooks = new Webhooks({
    ...{ ...rim, workspaceId, send: createSender(() => null, 2_000) },
    secrets: new SealedSecrets({ ...rim, standingChanged: () => {} }, { key: Buffer.alloc(32, 7) }),
    announce: (body) => void told.push({ kind: 'config_change', row: body }),
    note: (kind) => void told.push({ kind }),
  });
  const alertBook = new AlertBook({
    keeper: storedAlerts(state, workspaceId, (notices) => webhooks.write(notices)),
    newId: randomUUID,
    timeText: () => new Date().toISOString(),
    tell: (alert, kinds) => void told.push(...kinds.map((kind) => ({ kind, id: alert.id, row: alert }))),
    log: (kind) => void told.push({ kind }),
    causeOf: () => 'seen',
    trouble: (sentence) => void told.push({ kind: 'trouble', row: sentence }),
  });
  const alerts = new AlertDesk(alertBook, ledger, workspaceId);
  const { fleet, side } = openFleet({ state, ledger, registry, workspaceId });
  const field = new Field();
  field.addVehicle('North 1', { asset_id: sampleVehicleId });
  field.addTrack('high', { id: sampleTrack.id });
  const engagements = new Engagements(field.rim({ state, ledger, workspaceId }));
  const recordings = recordingsOf(folder, { ledger, workspaceId }).desk;
  return {
    ...{ state, ledger, registry, workspaceId, told, alertBook, alerts, webhooks, field, engagements, fleet },
    recordings,
    commands: side.desk,
  };
}

/** The workspaces that a server needs, with one service and a registry of its own; those that are made get the same. */
export function workspacesOf(service: Service, rig: RegistryRig): HttpWorkspaces {
  const { workspaceId: id, registry, alerts, webhooks, fleet, commands, engagements, recordings } = rig;
  const first: HttpWorkspace = {
    id,
    name: 'default',
    service,
    registry,
    alerts,
    webhooks,
    fleet,
    commands,
    engagements,
    stopAll: (...asked) => engagements.stopAll(...asked),
    simulator: obligingSimulator((id) => registry.scenarios.list().some((row) => row.id === id)),
    recordings,
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
export function accessOf(rig: RegistryRig, changes: Partial<AccessParts> = {}): Access {
  return new Access({
    state: rig.state,
    ledger: rig.ledger,
    nowMs: () => performance.now(),
    utcMs: Date.now,
    signInsPerMinute: 5,
    sealingKey: { key: Buffer.alloc(32, 7) },
    passwordCost: { n: 16, r: 1, p: 1 },
    ...changes,
  });
}
