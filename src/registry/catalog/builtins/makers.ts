import type { CatalogModel, CatalogSpec } from '../../../model/catalog.ts';
import { camera, figures, km, thermal } from './parts.ts';

// Sources: the makers' data sheets (autelrobotics.com, skydio.com, parrot.com, freeflysystems.com, ageagle.com,
// wingtra.com, quantum-systems.com). Only Parrot has published its serial code of ANSI/CTA-2063-A.

type Kind = 'multirotor' | 'fixed_wing' | 'vtol';

const uaTypeOf = {
  multirotor: 'helicopter_or_multirotor',
  fixed_wing: 'aeroplane',
  vtol: 'hybrid_lift',
} as const;

function aircraft(maker: string, model: string, airframe: Kind, more: CatalogSpec): CatalogModel {
  const spec: CatalogSpec = {
    maker,
    model,
    domain: 'air',
    airframe,
    ua_type: uaTypeOf[airframe],
    payloads: [camera],
    control: { protocol: 'none', autopilot: null },
    ...more,
  };
  return { name: `${maker} ${model}`, kind: 'platform', spec };
}

export const makers: readonly CatalogModel[] = [
  aircraft('Autel', 'EVO Nano+', 'multirotor', {
    aliases: ['Nano Plus', 'EVO Nano Plus'],
    performance: figures(0.249, 28, 15, { ceiling_msl_m: 5000, link_range_m: km(10) }),
  }),
  aircraft('Autel', 'EVO Lite+', 'multirotor', {
    aliases: ['Lite Plus', 'EVO Lite Plus'],
    performance: figures(0.835, 40, 19, { ceiling_msl_m: 5000, link_range_m: km(12) }),
  }),
  aircraft('Autel', 'EVO II Pro V3', 'multirotor', {
    aliases: ['EVO II Pro', 'EVO 2 Pro'],
    performance: figures(1.191, 40, 20, { ceiling_msl_m: 7000, link_range_m: km(15) }),
  }),
  aircraft('Autel', 'EVO Max 4T', 'multirotor', {
    performance: figures(1.6, 42, 23, { ceiling_msl_m: 7000, max_wind_mps: 12, link_range_m: km(20) }),
    payloads: [camera, thermal],
  }),
  aircraft('Skydio', '2+', 'multirotor', {
    aliases: ['Skydio 2 Plus'],
    performance: figures(0.8, 27, 16, { ceiling_msl_m: 4572, link_range_m: km(6) }),
  }),
  aircraft('Skydio', 'X2', 'multirotor', {
    aliases: ['X2E', 'X2D'],
    performance: figures(1.325, 35, 16, { ceiling_msl_m: 3658, max_wind_mps: 10.3, link_range_m: km(6) }),
    payloads: [camera, thermal],
  }),
  aircraft('Skydio', 'X10', 'multirotor', {
    performance: figures(2.11, 40, 20, { ceiling_msl_m: 4572, max_wind_mps: 12.8, link_range_m: km(12) }),
    payloads: [camera, thermal],
  }),
  aircraft('Parrot', 'ANAFI USA', 'multirotor', {
    performance: figures(0.5, 32, 14.7, {
      climb_rate_mps: 6,
      max_wind_mps: 14.7,
      ceiling_msl_m: 5000,
      link_range_m: km(4),
    }),
    payloads: [camera, thermal],
    remote_id: { serial_prefixes: ['1588E'] },
  }),
  aircraft('Parrot', 'ANAFI Ai', 'multirotor', {
    performance: figures(0.898, 32, 16, { max_wind_mps: 12.7, ceiling_msl_m: 4500 }),
    remote_id: { serial_prefixes: ['1588E'] },
  }),
  aircraft('Freefly', 'Astro', 'multirotor', {
    performance: figures(3.1, 37, 15, { max_payload_kg: 1.5, max_wind_mps: 12 }),
    control: { protocol: 'mavlink', autopilot: 'px4' },
    verbs: ['hold', 'return_home', 'land', 'takeoff', 'goto', 'orbit', 'set_speed', 'request_status'],
  }),
  aircraft('Freefly', 'Alta X', 'multirotor', {
    performance: figures(10.86, 50, 26, { max_payload_kg: 15.9 }),
    payloads: [],
    control: { protocol: 'mavlink', autopilot: 'px4' },
    verbs: ['hold', 'return_home', 'land', 'takeoff', 'goto', 'orbit', 'set_speed', 'request_status'],
  }),
  aircraft('AgEagle', 'eBee X', 'fixed_wing', {
    aliases: ['senseFly eBee X'],
    performance: figures(1.6, 90, 30, { min_speed_mps: 11, max_wind_mps: 12.8 }),
  }),
  aircraft('Wingtra', 'WingtraOne GEN II', 'vtol', {
    aliases: ['WingtraOne', 'WingtraOne Gen 2'],
    performance: figures(3.7, 59, 16, {
      cruise_speed_mps: 16,
      max_payload_kg: 0.8,
      max_wind_mps: 12,
      ceiling_msl_m: 5000,
      link_range_m: km(10),
    }),
  }),
  aircraft('Quantum Systems', 'Trinity F90+', 'vtol', {
    aliases: ['Trinity F90 Plus', 'Trinity'],
    performance: figures(5, 90, 17, { cruise_speed_mps: 17, max_payload_kg: 0.7, max_wind_mps: 12 }),
  }),
  {
    name: 'Skydio Dock for X10',
    kind: 'dock',
    spec: { maker: 'Skydio', model: 'Dock for X10', aliases: ['X10 Dock'], domain: 'land', airframe: 'fixed_site' },
  },
];
