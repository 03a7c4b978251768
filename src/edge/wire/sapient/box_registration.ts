import type { Registration } from './message.ts';

/** Interval of status reports, s. */
export const STATUS_INTERVAL_S = 5;
/** Name of the only mode of this node. */
export const MODE_NAME = 'default';

const degrees = { location_units: 'LAT_LNG_DEG_M', location_datum: 'WGS84_E' } as const;
const seconds = (value: number) => ({ units: 'SECONDS', value }) as const;

/** Number of characters of the node id in the default name of a box. */
const SHORT_ID = 8;

/** Names under which a box registers. */
export type NodeNames = { name: string; shortName: string };

/** Returns the default names of a box. */
export function ownNames(nodeId: string): NodeNames {
  return { name: `Dunlin ${nodeId.slice(0, SHORT_ID)}`, shortName: 'DUN' };
}

/**
 * Creates the registration of this box as a fusion node. It contains a region definition, which is mandatory although
 * the box accepts no regions. `dependents` are the node ids of the sensors that the box fuses. `version` is null if
 * it is unknown.
 */
export function boxRegistration(
  version: string | null,
  { name, shortName }: NodeNames,
  dependents: readonly string[],
): Registration {
  return {
    node_definition: [{ node_type: 'FUSION_NODE', node_sub_type: ['Counter-UAS'] }],
    icd_version: 'BSI Flex 335 v2.0',
    name,
    short_name: shortName,
    capabilities: [{ category: 'Fusion', type: 'Tracking', value: 'Counter-UAS' }],
    status_definition: {
      status_interval: seconds(STATUS_INTERVAL_S),
      location_definition: degrees,
      status_report: [{ category: 'STATUS', type: 'Health', on_change: true }],
    },
    mode_definition: [
      {
        ...{ mode_name: MODE_NAME, mode_type: 'DEFAULT', settle_time: seconds(1), tracking_type: 'TRACK' },
        detection_definition: [
          {
            location_type: degrees,
            velocity_type: {
              enu_velocity_units: { east_north_rate_units: 'MS', up_rate_units: 'MS' },
              location_datum: 'WGS84_E',
            },
          },
        ],
        task: {
          concurrent_tasks: 0,
          region_definition: { region_type: ['AREA_OF_INTEREST'], region_area: [degrees] },
        },
      },
    ],
    dependent_nodes: dependents,
    config_data: [{ manufacturer: 'Dunlin', model: 'Dunlin', ...(version !== null && { software_version: version }) }],
  };
}
