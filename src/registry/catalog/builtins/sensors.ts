import type { CatalogModel, CatalogSpec } from '../../../model/catalog.ts';
import type { PayloadSpec } from '../../../model/payload.ts';
import { km } from './parts.ts';

// Sources: the makers' data sheets (echodyne.com, robinradar.com, bluemark.io, dronetag.cz, uavionix.com, dedrone.com,
// droneshield.com, sqhead.com). Ranges are for a small quadcopter in open terrain, if the maker states one.

function sensor(maker: string, model: string, payload: PayloadSpec, more: CatalogSpec = {}): CatalogModel {
  const spec: CatalogSpec = { maker, model, domain: 'land', airframe: 'fixed_site', payloads: [payload], ...more };
  return { name: `${maker} ${model}`, kind: 'sensor', spec };
}

/** Builds a radar whose maker publishes its range and its horizontal and vertical field of view. */
function radar(maker: string, model: string, rangeM: number, hfovDeg: number, vfovDeg: number, aliases?: string[]) {
  const field = { hfov_deg: hfovDeg, vfov_deg: vfovDeg, max_range_m: rangeM };
  const payload: PayloadSpec = {
    kind: 'radar',
    range_m: rangeM,
    hfov_deg: { min: hfovDeg, max: hfovDeg },
    vfov_deg: { min: vfovDeg, max: vfovDeg },
  };
  return sensor(maker, model, payload, { placement_defaults: field, ...(aliases === undefined ? {} : { aliases }) });
}

export const sensors: readonly CatalogModel[] = [
  radar('Echodyne', 'EchoGuard', km(1), 120, 80),
  radar('Echodyne', 'EchoShield', km(2.5), 130, 90),
  radar('Robin Radar', 'IRIS', km(5), 360, 60, ['Robin IRIS']),
  sensor('BlueMark', 'DroneScout ds230', { kind: 'remote_id_receiver' }, { aliases: ['ds230'] }),
  sensor('BlueMark', 'DroneScout ds240', { kind: 'remote_id_receiver' }, { aliases: ['ds240'] }),
  sensor('Dronetag', 'RIDER', { kind: 'remote_id_receiver' }),
  sensor('Generic', 'ESP32 Remote ID receiver', { kind: 'remote_id_receiver' }),
  sensor('uAvionix', 'pingStation', { kind: 'adsb_receiver' }, { aliases: ['pingStation 3'] }),
  sensor('Generic', 'ADS-B receiver', { kind: 'adsb_receiver' }, { aliases: ['RTL-SDR ADS-B receiver'] }),
  sensor('Dedrone', 'RF-360', { kind: 'rf_receiver' }),
  sensor('DroneShield', 'RfOne', { kind: 'rf_receiver' }, { aliases: ['RfOne MkII'] }),
  sensor('Squarehead', 'Discovair G2', { kind: 'acoustic' }),
  sensor('Generic', 'PTZ camera', { kind: 'camera_eo', provides_verbs: ['look_at', 'zoom', 'take_image'] }),
  sensor('Generic', 'Thermal PTZ camera', { kind: 'camera_ir', provides_verbs: ['look_at', 'zoom', 'take_image'] }),
];
