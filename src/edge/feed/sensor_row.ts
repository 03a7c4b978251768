import {
  DEFAULT_HEARTBEAT_S,
  type DetectionModel,
  type Modality,
  type Placement,
  type Sensor,
} from '../../model/sensor.ts';

/** A sensor without its measured values: declared by a person, or learnt at its first reception. */
export type SensorIdentity = {
  id: string;
  name: string;
  modality: Modality;
  placement: Placement | null;
  /** Deadline in force: its own, else its link's. */
  heartbeatS: number;
  /** Silence is no fault while its device or TCP connection is there. */
  quietOk?: boolean;
  detection?: DetectionModel;
  declaredBy: Sensor['declared_by'];
  linkId: string | null;
  /** The asset that brings it, and how it is fitted there. */
  assetId?: string;
  fit?: 'operational' | 'degraded' | 'off' | 'failed' | 'unknown';
  version: number;
  createdAt: string;
  updatedAt: string;
};

/** Operator's settings of a link's sensor. `heartbeatS` null: the link's `silence_s` holds. */
export type ReceiverSettings = {
  heartbeatS: number | null;
  quietOk: boolean;
  placement: Placement | null;
  detection: DetectionModel | null;
};

/** Report of a sensor about itself, over its link. Operator's settings have precedence, but for how it turns. */
export type SelfReport = {
  placement: Placement | null;
  turn: Pick<DetectionModel, 'rotating' | 'period_s'> | null;
  trouble: SelfTrouble | null;
  /** Its name and kind, where it introduces itself. */
  title: { name: string; modality: Modality } | null;
  /** Its own deadline, s. */
  heartbeatS: number | null;
  /** Ids of the nodes that it depends on, where it fuses. */
  dependentNodes: readonly string[];
};

/** State that a sensor reports of itself; `off`: it has said goodbye. `more` are further reasons. */
export type SelfTrouble = { state: 'fault' | 'degraded' | 'off'; reason: string; more?: readonly string[] };

/** A receiver of a link as the database keeps it over a restart. */
export type KnownReceiver = ReceiverSettings &
  Pick<SensorIdentity, 'id' | 'modality' | 'version' | 'createdAt' | 'updatedAt'> & {
    linkId: string;
    receiver: string;
  };

export const noSettings: ReceiverSettings = { heartbeatS: null, quietOk: false, placement: null, detection: null };

export function isSet({ heartbeatS, quietOk, placement, detection }: ReceiverSettings): boolean {
  return heartbeatS !== null || quietOk || placement !== null || detection !== null;
}

/** The fields of a row that settings decide; absent where they are at their default, so that equal rows are equal texts. */
export function rowFields(
  { heartbeatS, quietOk, placement, detection }: ReceiverSettings,
  silenceS = DEFAULT_HEARTBEAT_S,
): Pick<SensorIdentity, 'placement' | 'heartbeatS' | 'quietOk' | 'detection'> {
  return {
    placement,
    heartbeatS: heartbeatS ?? silenceS,
    ...(quietOk ? { quietOk } : {}),
    ...(detection === null ? {} : { detection }),
  };
}

/** The row of a declared sensor with what it reports of itself: its place where nobody gave one, and how it turns. */
export function withSelfReport(row: SensorIdentity, { placement, turn }: SelfReport): SensorIdentity {
  if (placement === null && turn === null) return row;
  const detection = turn === null ? {} : { detection: { ...row.detection, ...turn } };
  return { ...row, placement: row.placement ?? placement, ...detection };
}
