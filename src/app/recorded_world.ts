import type { Clock } from '../host/clock.ts';
import type { RecordingServiceDeps } from '../recording/recording_service.ts';
import type { LinkRow, RecordedRow, RecordedTable } from '../recording/records.ts';
import type { Registry } from '../registry/registry.ts';
import type { LinkRunner } from '../world/link_runner.ts';
import type { World } from '../world/world.ts';
import type { WorldSettings } from '../world/world_deps.ts';
import { lifeOf } from './world_settings.ts';

type RecordedDeps = {
  world: World;
  registry: Registry;
  clock: Clock;
  settings: Pick<WorldSettings, 'workspaceId' | 'feeds' | 'tracking' | 'sysid'>;
};

type Rows = Iterable<RecordedRow>;

/**
 * Returns the source of a recording's tables: settings and registry of a workspace, and the state of its live world.
 * The recorder reads the tables at the start of the recording and of each segment.
 */
export function recordedWorld({ world, registry, clock, settings }: RecordedDeps): RecordingServiceDeps['source'] {
  const { workspaceId, feeds, tracking, sysid } = settings;
  const links = (): readonly LinkRow[] => world.links.list().map(linkRow);
  const ofTable: Record<'sensors' | 'doctrine', () => readonly RecordedRow[]> = {
    sensors: () => world.sensors.rows() as readonly RecordedRow[],
    doctrine: () => {
      const { settings: _settings, firing: _firing, ...doctrine } = registry.doctrine.get();
      return [{ id: 'doctrine', ...doctrine }];
    },
  };
  const passing = (): Map<RecordedTable, Rows> =>
    new Map<RecordedTable, Rows>([
      ['words', world.coreConfiguration.beginning().words.map((word) => ({ id: String(word.number), ...word }))],
      ['tracks', world.tracks()],
      ['alerts', world.alerts.shown().map((alert) => ({ ...world.alerts.keptAs(alert), id: alert.id }))],
    ]);
  return {
    nowMs: () => clock.nowMs(),
    utcMs: (worldMs) => clock.utcMs(worldMs),
    table: (table) => ofTable[table](),
    links,
    core: () => ({ seed: world.recorderHook.seed, lastNumber: world.lastNumber }),
    passing,
    tables() {
      const { policy, site, rules, sensors } = world.coreConfiguration.beginning();
      const { listens, utcOffsetMs } = site;
      return new Map<RecordedTable, Rows>([
        ['settings', [{ id: 'settings', workspace_id: workspaceId, feeds, tracking, sysid }]],
        ['links', links()],
        ['link_states', world.links.list().map(linkState)],
        ['sensors', ofTable.sensors()],
        ['sensor_states', sensors as readonly RecordedRow[]],
        ['assets', registry.assets.list()],
        ['assignments', registry.assignments.active()],
        ['zones', registry.zones.list()],
        ['regions', registry.regions.list()],
        ['rules', rules as readonly RecordedRow[]],
        ['decision', [{ id: 'decision', ...policy }]],
        ['doctrine', ofTable.doctrine()],
        ['site', [{ id: 'site', listens, utc_offset_ms: utcOffsetMs, plans: 0 }]],
        ['life', [{ id: 'life', ...lifeOf(registry.decision.get().tracking) }]],
        ...passing(),
      ]);
    },
  };
}

/** Returns a link as a row of the recording. The recorder writes the same row when a link changes. */
function linkRow({ id, spec, declared }: LinkRunner): LinkRow {
  return { id, spec, issued_for: declared.issuedFor, of_file: declared.ofFile };
}

function linkState(link: LinkRunner): RecordedRow {
  const { state, lastError } = link.status();
  return { id: link.id, state, error: lastError };
}
