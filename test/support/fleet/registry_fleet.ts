import { CommandSide } from '../../../src/app/command_side.ts';
import type { ControlSettings } from '../../../src/command/authority.ts';
import type { FleetDeps } from '../../../src/fleet/deps.ts';
import { Fleet } from '../../../src/fleet/fleet.ts';
import type { Command } from '../../../src/model/command.ts';
import type { FleetRow } from '../../../src/model/fleet.ts';
import type { Task } from '../../../src/model/task.ts';
import type { Track } from '../../../src/model/track.ts';
import type { Registry } from '../../../src/registry/registry.ts';
import type { Ledger } from '../../../src/store/ledger.ts';
import type { State } from '../../../src/store/state.ts';

export type FleetRig = {
  side: CommandSide;
  fleet: Fleet;
  told: {
    commands: Command[];
    tasks: Task[];
    rows: FleetRow[];
    notes: string[];
    conflicts: { name: string; text: string | null }[];
  };
  tracks: Track[];
};

/** A fleet and its command desk over a registry; what is sent goes to `rim.transmit`, nowhere by default. */
export function openFleet(
  of: { state: State; ledger: Ledger; registry: Registry; workspaceId: string },
  {
    control = { enabled: true, openSurface: 'allow' },
    ...deps
  }: Partial<FleetDeps> & { control?: ControlSettings } = {},
): FleetRig {
  const told: FleetRig['told'] = { commands: [], tasks: [], rows: [], notes: [], conflicts: [] };
  const tracks: Track[] = [];
  const nowMs = deps.nowMs ?? (() => performance.now());
  const utcMs = (worldMs: number): number => Date.now() - performance.now() + worldMs;
  const joined: { side?: CommandSide } = {};
  const fleet = new Fleet({
    nowMs,
    timeText: (worldMs) => new Date(utcMs(worldMs)).toISOString(),
    sysid: 245,
    provenance: 'live',
    transmit: async () => {},
    link: () => ({
      ...{ signing: 'none', provesSender: true },
      policy: { discover: 'list', command: 'allow', reason: null },
    }),
    shown: (row) => void told.rows.push(row),
    gone: () => {},
    conflict: (asset, text) => void told.conflicts.push({ name: asset.name, text }),
    note: (kind) => void told.notes.push(kind),
    registry: () => joined.side?.fleetRegistry ?? null,
    ...deps,
  });
  const world = {
    provenance: 'live' as const,
    fleet,
    tracks: () => tracks,
    track: (id: string) => tracks.find((track) => track.id === id),
    links: { issuedFor: () => null },
    picture: {
      actions: {
        command: (command: Command) => void told.commands.push(command),
        task: (task: Task) => void told.tasks.push(task),
      },
    },
    note: (kind: string) => void told.notes.push(kind),
  };
  const side = new CommandSide({
    ...of,
    world,
    clock: { nowMs, utcMs },
    zones: () => of.registry.zones.list(),
    groundAltHaeM: (latDeg, lonDeg) => of.registry.regions.ground.altHaeM(latDeg, lonDeg),
    discoveryOn: () => of.registry.discovery.enabled,
    until: () => {},
    control,
  });
  joined.side = side;
  return { side, fleet, told, tracks };
}
