import type { Claims } from '../edge/link/claims.ts';
import type { Clock } from '../host/clock.ts';
import type { Log } from '../host/journal.ts';
import type { About } from '../host/program.ts';
import { sentenceOf } from '../model/fault.ts';
import type { Geometry } from '../model/geometry.ts';
import type { Health } from '../model/health.ts';
import { defaultRedactions, type OutletSpec } from '../model/outlet.ts';
import { Outlets, type OutletsDeps } from '../outlet/outlets.ts';
import type { OutletPicture } from '../outlet/views.ts';
import type { Registry } from '../registry/registry.ts';
import { nodeIdOf } from '../store/node_id.ts';
import type { World } from '../world/world.ts';
import type { CredentialStore } from './credential_store.ts';

type PictureDeps = { world: World; registry: Pick<Registry, 'catalog'>; clock: Clock; health(): Health };

function outletPicture({ world, registry: { catalog }, clock, health }: PictureDeps): OutletPicture {
  const nodes = sapientNodes(world);
  const { picture, sensors, alerts, links } = world;
  const area = (list: 'zones' | 'regions', id: string): Geometry | null =>
    (picture.listed.row(list, id) as { geometry?: Geometry } | undefined)?.geometry ?? null;
  return {
    tracks: () => world.tracks(),
    track: (id) => world.track(id),
    threat: (id) => world.threats.get(id),
    alerts: () => alerts.shown(),
    asset(id) {
      const asset = picture.listed.row('assets', id) as { name: string; spec?: { model?: string | null } } | undefined;
      if (asset === undefined) return null;
      const model = asset.spec?.model ? catalog.named(asset.spec.model) : undefined;
      return { name: asset.name, cotType: model?.spec.symbology?.cot_type ?? null };
    },
    sensor(id) {
      const found = sensors.resolve(id);
      if (found === null) return null;
      const nodeId = nodes.of(id, found.linkId);
      return { name: found.name, modality: found.modality, ...(nodeId !== null && { nodeId }) };
    },
    zone: (id) => area('zones', id),
    region: (id) => area('regions', id),
    place() {
      const receivers = new Set(links.list().flatMap(({ id, spec }) => (spec.protocol === 'nmea' ? [id] : [])));
      if (receivers.size === 0) return null;
      const own = sensors.all().find(({ linkId, placement }) => receivers.has(linkId ?? '') && placement);
      if (!own?.placement) return null;
      const { lat, lon, alt_hae_m } = own.placement;
      return { lat, lon, altHaeM: alt_hae_m ?? null };
    },
    health,
    sapientNodes: () => nodes.all(),
    isClockTrusted: () => clock.trust() !== 'none',
  };
}

/** Returns access to the SAPIENT nodes of a world. The id of a node is its receiver name on its link. */
function sapientNodes({ links, sensors }: Pick<World, 'links' | 'sensors'>) {
  const linkIds = (): string[] => links.list().flatMap(({ id, spec }) => (spec.protocol === 'sapient' ? [id] : []));
  const entriesOf = (linkId: string) => sensors.placesOf(linkId)?.receivers ?? [];
  return {
    /** Returns the ids of the nodes that were received since the start and have not signed off. */
    all: (): string[] =>
      linkIds().flatMap((id) =>
        entriesOf(id).flatMap(({ receiver, live }) =>
          live.lifeMs !== null && live.offlineMs === null ? [receiver] : [],
        ),
      ),
    of(sensorId: string, linkId: string | null): string | null {
      if (linkId === null || !linkIds().includes(linkId)) return null;
      return entriesOf(linkId).find(({ row }) => row.id === sensorId)?.receiver ?? null;
    },
  };
}

type LiveOutletsDeps = Pick<OutletsDeps, 'state' | 'ledger' | 'workspaceId'> & {
  world: World;
  registry: Pick<Registry, 'catalog'>;
  clock: Clock;
  claims: Claims;
  about: Pick<About, 'version'>;
  store: CredentialStore;
  health(): Health;
};

/** Creates the outlets of a live world. A played world has no outlets, so that none of its data leaves the box. */
export function liveOutlets({
  world,
  registry,
  clock,
  claims,
  about,
  store,
  health,
  ...rest
}: LiveOutletsDeps): Outlets {
  const { listed } = world.picture;
  const nowMs = (): number => clock.nowMs();
  return new Outlets({
    ...rest,
    picture: outletPicture({ world, registry, clock, health }),
    box: { nodeId: nodeIdOf(rest.state, rest.workspaceId, rest.ledger.nowText()), version: about.version },
    link: { nowMs, claims },
    credentials: (id) => store.of('outlet', id),
    utcMs: (worldMs) => clock.utcMs(worldMs),
    believedMs: () => clock.believedMs(),
    note: (verb, ...said) => world.note(`outlet.${verb}`, ...said),
    publish(id, outlet) {
      if (outlet === null) listed.removeOutlet(id);
      else listed.setOutlet(outlet, nowMs());
    },
  });
}

/**
 * Loads the outlets of the configuration and of the database. In recovery, the outlets of the configuration omit
 * (`redact`) at least the default fields.
 */
export function loadOutlets(outlets: Outlets, ofFile: readonly OutletSpec[], isRecovery: boolean, log: Log): void {
  const declared = isRecovery ? ofFile.map(withoutReleases) : ofFile;
  outlets.load(declared, (thrown) => log.error({ code: 'conflict' }, `an outlet is not used: ${sentenceOf(thrown)}`));
}

function withoutReleases(spec: OutletSpec): OutletSpec {
  return { ...spec, redact: [...new Set([...defaultRedactions, ...spec.redact])] };
}
