import type { CatalogModel } from '../../model/catalog.ts';
import { modalityOfPayload, type PayloadSpec } from '../../model/payload.ts';
import { type Modality, modalities, type Placement, placementSchema } from '../../model/sensor.ts';
import type { AssetRecord } from '../../store/assets.ts';

/** Sensor that an asset declares. `slot` is its stable name among the asset's sensors. */
export type DeclaredSensor = {
  slot: string;
  label: string;
  modality: Modality;
  placement: Placement | null;
  declaredBy: 'asset' | 'payload';
  fit: PayloadSpec['state'];
};

/**
 * Returns the sensors that an asset declares: `count` (by default one) for each sensing payload. An asset of kind
 * `sensor` with a placement is a sensor itself. It then takes the place of its first sensing payload, and has the
 * modality of that payload.
 */
export function declaredSensors(
  record: AssetRecord,
  payloads: readonly PayloadSpec[],
  model: CatalogModel | undefined,
): DeclaredSensor[] {
  const sensing = payloads.flatMap((payload, at) => {
    const modality = modalityOfPayload[payload.kind];
    return modality ? [{ payload, modality, slot: payload.slot ?? `${payload.kind} ${at + 1}` }] : [];
  });
  const isSensor = record.kind === 'sensor' && record.placement !== null;
  const [first] = sensing;
  const carried = isSensor ? sensing.slice(1) : sensing;
  const own = isSensor ? [ownSensor(record, first?.payload, first?.modality ?? saidModality(record), model)] : [];
  const fitted = carried.flatMap(({ payload, modality, slot }) =>
    Array.from({ length: payload.count ?? 1 }, (_, n): DeclaredSensor => {
      const label = n === 0 ? slot : `${slot} ${n + 1}`;
      const placement = placementOf(record, payload, undefined);
      return { slot: label, label, modality, placement, declaredBy: 'payload', fit: payload.state };
    }),
  );
  return [...own, ...fitted];
}

function ownSensor(
  record: AssetRecord,
  payload: PayloadSpec | undefined,
  modality: Modality,
  model: CatalogModel | undefined,
): DeclaredSensor {
  const placement = placementOf(record, payload, model);
  return { slot: '', label: '', modality, placement, declaredBy: 'asset', fit: payload?.state };
}

/**
 * Returns the modality in the spec. The default is `human`: if a human observer reports nothing, nothing follows about
 * the sky.
 */
function saidModality({ spec }: AssetRecord): Modality {
  return modalities.find((modality) => modality === spec.modality) ?? 'human';
}

/**
 * Returns position and coverage of a sensor. Null without a placement. Also null for a carried sensor: it moves with
 * its carrier, whose position is unknown here.
 */
function placementOf(
  { placement }: AssetRecord,
  payload: PayloadSpec | undefined,
  model: CatalogModel | undefined,
): Placement | null {
  if (placement === null) return null;
  const covered = {
    ...(payload?.range_m === undefined ? {} : { max_range_m: payload.range_m }),
    ...(payload?.hfov_deg === undefined ? {} : { hfov_deg: payload.hfov_deg.max }),
    ...(payload?.vfov_deg === undefined ? {} : { vfov_deg: Math.min(payload.vfov_deg.max, 180) }),
  };
  const read = placementSchema.safeParse({ ...covered, ...model?.spec.placement_defaults, ...placement });
  return read.success ? read.data : null;
}
