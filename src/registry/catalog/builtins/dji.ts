import type { CatalogModel, CatalogSpec } from '../../../model/catalog.ts';
import type { PlatformPerformance } from '../../../model/performance.ts';
import { camera, figures, km, minutes, thermal } from './parts.ts';

// Sources: the specification pages of the products at dji.com and enterprise.dji.com. Serials begin with 1581F: 1581 is
// the maker's code of ANSI/CTA-2063-A, and F announces 15 further characters.

const maker = 'DJI';

function multirotor(model: string, performance: PlatformPerformance, more: CatalogSpec = {}): CatalogModel {
  const spec: CatalogSpec = {
    maker,
    model,
    domain: 'air',
    airframe: 'multirotor',
    ua_type: 'helicopter_or_multirotor',
    performance,
    payloads: [camera],
    remote_id: { serial_prefixes: ['1581F'] },
    control: { protocol: 'none', autopilot: null },
    ...more,
  };
  return { name: `${maker} ${model}`, kind: 'platform', spec };
}

function rates(climb: number, descent: number, windMps: number, ceilingM: number): PlatformPerformance {
  return { climb_rate_mps: climb, descent_rate_mps: descent, max_wind_mps: windMps, ceiling_msl_m: ceilingM };
}

export const dji: readonly CatalogModel[] = [
  multirotor(
    'Mavic 3',
    figures(0.895, 46, 21, { ...rates(8, 6, 12, 6000), max_range_m: km(30), link_range_m: km(15) }),
  ),
  multirotor(
    'Mavic 3 Pro',
    figures(0.958, 43, 21, { ...rates(8, 6, 12, 6000), max_range_m: km(28), link_range_m: km(15) }),
    { ua_class: 'c2' },
  ),
  multirotor(
    'Mavic 3 Enterprise',
    figures(0.915, 45, 21, { ...rates(8, 6, 12, 6000), max_range_m: km(32), link_range_m: km(15) }),
    { aliases: ['Mavic 3E', 'M3E'] },
  ),
  multirotor(
    'Mavic 3 Thermal',
    figures(0.92, 45, 21, { ...rates(8, 6, 12, 6000), max_range_m: km(32), link_range_m: km(15) }),
    { aliases: ['Mavic 3T', 'M3T'], payloads: [camera, thermal] },
  ),
  multirotor(
    'Air 3',
    figures(0.72, 46, 21, { ...rates(10, 10, 12, 6000), max_range_m: km(32), link_range_m: km(20) }),
    { aliases: ['Mavic Air 3'], ua_class: 'c1' },
  ),
  multirotor('Mini 2', figures(0.249, 31, 16, { ...rates(5, 3.5, 10.5, 4000), link_range_m: km(10) }), {
    aliases: ['Mavic Mini 2'],
  }),
  multirotor(
    'Mini 3 Pro',
    figures(0.249, 34, 16, { ...rates(5, 5, 10.7, 4000), max_range_m: km(18), link_range_m: km(12) }),
    { ua_class: 'c0' },
  ),
  multirotor(
    'Mini 4 Pro',
    figures(0.249, 34, 16, { ...rates(5, 5, 10.7, 4000), max_range_m: km(18), link_range_m: km(20) }),
    { ua_class: 'c0' },
  ),
  multirotor(
    'Avata 2',
    figures(0.377, 23, 27, { ...rates(9, 9, 10.7, 5000), max_range_m: km(13), link_range_m: km(13) }),
    { ua_class: 'c1' },
  ),
  multirotor('Phantom 4 Pro V2.0', figures(1.375, 30, 20, { ...rates(6, 4, 10, 6000), link_range_m: km(10) }), {
    aliases: ['Phantom 4 Pro', 'P4P'],
  }),
  multirotor('Inspire 3', figures(3.995, 28, 26, { ...rates(8, 8, 12, 4000), link_range_m: km(15) })),
  multirotor('Matrice 30', figures(3.77, 41, 23, { ...rates(6, 5, 12, 5000), link_range_m: km(15) }), {
    aliases: ['M30'],
  }),
  multirotor('Matrice 30T', figures(3.77, 41, 23, { ...rates(6, 5, 12, 5000), link_range_m: km(15) }), {
    aliases: ['M30T', 'Matrice 30 Thermal'],
    payloads: [camera, thermal],
  }),
  multirotor('Matrice 300 RTK', figures(6.3, 55, 23, { ...rates(6, 5, 12, 5000), max_payload_kg: 2.7 }), {
    aliases: ['Matrice 300', 'M300'],
    payloads: [],
  }),
  multirotor(
    'Matrice 350 RTK',
    figures(6.47, 55, 23, { ...rates(6, 5, 12, 5000), max_payload_kg: 2.7, dimensions_m: [0.81, 0.67, 0.43] }),
    { aliases: ['Matrice 350', 'M350'], payloads: [] },
  ),
  multirotor('Matrice 3D', figures(1.41, 50, 21, rates(8, 6, 12, 4000)), { aliases: ['M3D'] }),
  {
    name: `${maker} Dock 2`,
    kind: 'dock',
    spec: {
      maker,
      model: 'Dock 2',
      domain: 'land',
      airframe: 'fixed_site',
      performance: { mass_kg: 34, max_range_m: km(10), launch_time_s: minutes(1) },
      control: { protocol: 'none', autopilot: null },
    },
  },
];
