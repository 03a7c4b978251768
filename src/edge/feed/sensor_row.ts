import {
  DEFAULT_HEARTBEAT_S,
  type DetectionModel,
  type Modality,
  type Placement,
  type Sensor,
} from '../../model/sensor.ts';

/** Sensor without its measured values. */
export type SensorIdentity = {
  id: string;
  name: string;
  modality: Modality;
  placement: Placement | null;
  /** Effective deadline, s: the sensor's own deadline, or else the deadline of its link. */
  heartbeatS: number;
  /** True if silence is no fault while the sensor's device or TCP connection is open. */
  quietOk?: boolean;
  detection?: DetectionModel;
  declaredBy: Sensor['declared_by'];
  linkId: string | null;
  /** Asset that carries the sensor. `fit` is the condition of the sensor's payload on that asset. */
  assetId?: string;
  fit?: 'operational' | 'degraded' | 'off' | 'failed' | 'unknown';
  version: number;
  createdAt: string;
  updatedAt: string;
};

/**
 * Operator's settings of a link's sensor. If `heartbeatS` is null, the deadline that the sensor states applies, else
 * the link's `silence_s`.
 */
export type ReceiverSettings = {
  heartbeatS: number | null;
  quietOk: boolean;
  placement: Placement | null;
  detection: DetectionModel | null;
};

/** Report of a sensor about itself, over its link. An operator's settings take precedence, except over the rotation. */
export type SelfReport = {
  placement: Placement | null;
  turn: Pick<DetectionModel, 'rotating' | 'period_s'> | null;
  trouble: SelfTrouble | null;
  /** Name and modality that the sensor states when it registers; null if it does not register. */
  title: { name: string; modality: Modality } | null;
  /** Deadline that the sensor states, s; null if it states none. */
  heartbeatS: number | null;
  /** Ids of the nodes on which a fusion node depends; empty for other sensors. */
  dependentNodes: readonly string[];
};

/** State that a sensor reports about itself; `off` means that it signed off. `more` has further reasons. */
export type SelfTrouble = { state: 'fault' | 'degraded' | 'off'; reason: string; more?: readonly string[] };

/** Receiver of a link as the database stores it for the next start. */
export type KnownReceiver = ReceiverSettings &
  Pick<SensorIdentity, 'id' | 'modality' | 'version' | 'createdAt' | 'updatedAt'> & {
    linkId: string;
    receiver: string;
  };

export const noSettings: ReceiverSettings = { heartbeatS: null, quietOk: false, placement: null, detection: null };

export function isSet({ heartbeatS, quietOk, placement, detection }: ReceiverSettings): boolean {
  return heartbeatS !== null || quietOk || placement !== null || detection !== null;
}

/**
 * Returns the fields of a row that depend on settings. `quietOk` and `detection` are absent at their defaults, so that
 * equal rows have equal JSON texts.
 */
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

/**
 * Returns the row of a declared sensor with its self-report: the reported position if no operator set one, and the
 * rotation.
 */
export function withSelfReport(row: SensorIdentity, { placement, turn }: SelfReport): SensorIdentity {
  if (placement === null && turn === null) return row;
  const detection = turn === null ? {} : { detection: { ...row.detection, ...turn } };
  return { ...row, placement: row.placement ?? placement, ...detection };
}
