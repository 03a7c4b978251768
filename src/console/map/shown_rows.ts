import type { Sensor } from '../../model/sensor.ts';
import { clock, store } from '../console.ts';
import { draft } from '../state/draft.ts';
import { markedAlerts } from '../state/marked_alerts.ts';
import { planShapes } from '../state/plan_shapes.ts';
import { selection } from '../state/select.ts';
import { Trails } from '../state/trails.ts';
import { siteCentre } from './base_map.ts';
import type { Box } from './labels.ts';

/** Trails of the tracks, from the stream and the daemon's history. */
export const trails = new Trails();

/** Rows that the canvas of areas shows. */
export const areasView = () => ({
  zones: [...store.zones.byId.values()],
  regions: [...store.regions.byId.values()],
  sensors: [...store.sensors.byId.values()],
  site: siteCentre.peek(),
  draft: draft.peek(),
  nowMs: clock.nowMs() ?? 0,
});

const placesOfPlans = {
  ofVehicle: (assetId: string) => store.fleet.list().find(({ asset_id }) => asset_id === assetId)?.position ?? null,
  ofTrack: (trackId: string) => store.tracks.byId.get(trackId)?.position ?? null,
};

/** Rows that the canvas of tracks shows. Labels avoid the boxes of `names` and `covered`. */
export const tracksView = (
  names: readonly Box[],
  covered: readonly Box[],
  alerts = markedAlerts([...store.alerts.byId.values()]),
) => ({
  names,
  covered,
  sensors: [...store.sensors.byId.values()],
  silentS: ({ last_obs_at }: Sensor) => clock.ageS(last_obs_at),
  plans: planShapes([...store.engagements.byId.values()], placesOfPlans),
  tracks: [...store.tracks.byId.values()],
  threatOf: (id: string) => store.threats.byId.get(id),
  alertOf: (id: string) => alerts.get(id),
  assetName: (id: string | null) => (id === null ? undefined : store.assets.byId.get(id)?.name),
  zoneName: (id: string | undefined) => (id === undefined ? undefined : store.zones.byId.get(id)?.name),
  trailOf: (id: string) => trails.of(id),
  ageS: (at: string) => clock.ageS(at),
  selectedId: selection.peek()?.id ?? null,
});
