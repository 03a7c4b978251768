import type { Modality } from '../../../model/sensor.ts';
import type { Registration } from '../../wire/sapient/message.ts';
import type { SapientPart } from '../../wire/sapient/schema.ts';
import { visible } from '../../wire/sapient/visible.ts';
import { dependentNodesOf } from './lineage.ts';
import { secondsOf } from './units.ts';

type NodeType = SapientPart<'Registration.NodeDefinition'>['node_type'];
type ModeDefinition = SapientPart<'Registration.ModeDefinition'>;

/** Units and properties of a node in one of its modes. */
export type NodeMode = {
  /** Factors that convert the node's horizontal and vertical velocities to m/s. */
  groundMps: number;
  upMps: number;
  /** True if an object keeps its id from one report to the next. */
  tracks: boolean;
  /** UTM zone of positions that state no zone; empty if the node declares none. */
  zone: string;
};

/** Parts of a registration that this box uses. */
export type NodeProfile = {
  name: string;
  modality: Modality;
  /** True for a fusion node; `dependentNodes` are the ids of the nodes on which it depends. */
  fuses: boolean;
  dependentNodes: readonly string[];
  /** Time without a report after which the node is silent, s; null if it declares no valid interval. */
  heartbeatS: number | null;
  modes: ReadonlyMap<string, NodeMode>;
  mode: string;
};

const ICD_VERSION = 'BSI Flex 335 v2.0';
const MOST_NAME = 60;
const MOST_MODES = 64;
/** Number of status intervals without a report after which a node is silent. */
const INTERVALS = 3;
const KPH = 1 / 3.6;

const modalityOf: Partial<Record<NodeType, Modality>> = {
  ...{ RADAR: 'radar', LIDAR: 'lidar', CAMERA: 'camera', ACOUSTIC: 'acoustic', PASSIVE_RF: 'rf', HUMAN: 'human' },
};
const effectors: ReadonlySet<NodeType> = new Set(['KINETIC', 'JAMMER', 'CYBER', 'LDEW', 'RFDEW']);

/** Returns the profile of a node; a string with the reason if the registration is refused. */
export function profileOf(registration: Registration, nodeId: string): NodeProfile | string {
  const { icd_version, node_definition, name, short_name, mode_definition, status_definition } = registration;
  if (icd_version.replaceAll('_', ' ') !== ICD_VERSION)
    return `this box accepts only nodes of ${ICD_VERSION}, not of ${visible(icd_version, MOST_NAME)}`;
  const types = node_definition.map(({ node_type }) => node_type);
  if (types.every((type) => effectors.has(type))) return 'this box accepts no nodes that are only effectors';
  const intervalS = secondsOf(status_definition.status_interval) * INTERVALS;
  const modes = mode_definition.slice(0, MOST_MODES);
  const zone = status_definition.location_definition?.zone ?? '';
  return {
    name: visible(short_name, MOST_NAME) || visible(name, MOST_NAME) || `node ${nodeId.slice(0, 8)}`,
    modality: modalityOfTypes(types),
    fuses: types.includes('FUSION_NODE'),
    dependentNodes: dependentNodesOf(registration),
    heartbeatS: intervalS > 0 ? Math.min(Math.max(intervalS, 1), 86_400) : null,
    modes: new Map(modes.map((mode) => [mode.mode_name, modeOf(mode, zone)])),
    mode: (modes.find(({ mode_type }) => mode_type !== 'TEMPORARY') ?? modes[0])?.mode_name ?? '',
  };
}

/** Returns the modality for node types. A fusion node is no sensor, since it reports what other sensors have seen. */
function modalityOfTypes(types: readonly NodeType[]): Modality {
  if (types.includes('FUSION_NODE')) return 'external';
  return types.flatMap((type) => modalityOf[type] ?? [])[0] ?? 'external';
}

function modeOf({ tracking_type, detection_definition = [] }: ModeDefinition, zone: string): NodeMode {
  const velocity = detection_definition.flatMap(({ velocity_type }) => velocity_type?.enu_velocity_units ?? [])[0];
  const ground = velocity?.east_north_rate_units;
  const places = detection_definition.flatMap(({ location_type }) => location_type.zone ?? []);
  return {
    groundMps: ground === 'KPH' ? KPH : 1,
    upMps: (velocity?.up_rate_units ?? ground) === 'KPH' ? KPH : 1,
    tracks: tracking_type !== 'NONE',
    zone: places[0] ?? zone,
  };
}
