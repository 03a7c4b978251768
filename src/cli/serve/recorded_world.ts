import type { Clock } from '../../host/clock.ts';
import type { Registry } from '../../registry/registry.ts';
import type { LinkRunner } from '../../worlds/link_runner.ts';
import type { RecordingDeskParts } from '../../worlds/replay/desk.ts';
import type { RecordedRow, RecordedTable } from '../../worlds/replay/records.ts';
import type { World } from '../../worlds/world.ts';
import type { WorldSettings } from '../../worlds/world_rim.ts';
import { lifeOf } from './steering.ts';

export type RecordedParts = {
  world: World;
  registry: Registry;
  clock: Clock;
  settings: Pick<WorldSettings, 'workspaceId' | 'feeds' | 'tracking' | 'sysid'>;
};

type Rows = Iterable<RecordedRow>;

/** What a recording is told of a workspace when it begins, and again with each of its segments. */
export function recordedWorld({ world, registry, clock, settings }: RecordedParts): RecordingDeskParts['source'] {
  const { workspaceId, feeds, tracking, sysid } = settings;
  const ofTable: Record<'sensors' | 'doctrine' | 'links', () => readonly RecordedRow[]> = {
    sensors: () => world.sensors.rows() as readonly RecordedRow[],
    doctrine: () => {
      const { settings: _settings, firing: _firing, ...doctrine } = registry.doctrine.get();
      return [{ id: 'doctrine', ...doctrine }];
    },
    links: () => world.links.list().map(linkRow),
  };
  const passing = (): Map<RecordedTable, Rows> =>
    new Map<RecordedTable, Rows>([
      ['words', world.briefing.beginning().words.map((word) => ({ id: String(word.number), ...word }))],
      ['tracks', world.tracks()],
      ['alerts', world.alerts.shown().map((alert) => ({ ...world.alerts.keptAs(alert), id: alert.id }))],
    ]);
  return {
    nowMs: () => clock.nowMs(),
    utcMs: (worldMs) => clock.utcMs(worldMs),
    table: (table) => ofTable[table](),
    core: () => ({ seed: world.taps.seed, lastNumber: world.lastNumber }),
    passing,
    tables() {
      const { policy, site, rules, sensors } = world.briefing.beginning();
      const { listens, utcOffsetMs } = site;
      return new Map<RecordedTable, Rows>([
        ['settings', [{ id: 'settings', workspace_id: workspaceId, feeds, tracking, sysid }]],
        ['links', ofTable.links()],
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

/** The recorder says the same of a link that changes. */
export function linkRow({ id, spec, declared }: LinkRunner): RecordedRow {
  return { id, spec, issued_for: declared.issuedFor, of_file: declared.ofFile };
}

function linkState(link: LinkRunner): RecordedRow {
  const { state, lastError } = link.status();
  return { id: link.id, state, error: lastError };
}
