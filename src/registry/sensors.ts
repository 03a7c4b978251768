import { randomUUID } from 'node:crypto';
import type { Actor } from '../model/actor.ts';
import { conflict, orNotFound, refuseStale } from '../model/fault.ts';
import type { LogVerb } from '../model/log_kind.ts';
import { DEFAULT_HEARTBEAT_S, type SensorSpec } from '../model/sensor.ts';
import type { Deed, Ledger } from '../store/ledger.ts';
import type { SensorRow, SensorRows } from '../store/sensors.ts';
import type { Scope } from '../store/workspaces.ts';
import { ofDeed } from './provenance.ts';
import type { Patch } from './repository.ts';

/** Change of a sensor; absent fields stay unchanged. `version` is the version that the caller expects. */
export type SensorChange = Patch<Omit<SensorSpec, 'heartbeat_s'>> & {
  /** Deadline of the sensor, s. Null means the deadline of its link, or 60 s without a link. */
  heartbeat_s?: number | null | undefined;
};

/**
 * Sensors that operators declare. When a method that changes them returns, the change and its audit row are on the
 * disk.
 */
export class SensorRegistry {
  readonly #rows: SensorRows;
  readonly #scope: Scope;
  readonly #ledger: Ledger;

  constructor(rows: SensorRows, scope: Scope, ledger: Ledger) {
    this.#rows = rows;
    this.#scope = scope;
    this.#ledger = ledger;
  }

  list(): SensorRow[] {
    return this.#rows.list(this.#scope);
  }

  create(spec: SensorSpec, by: Actor): SensorRow {
    const at = this.#ledger.nowText();
    const row: SensorRow = {
      ...this.#scope,
      id: randomUUID(),
      name: spec.name,
      modality: spec.modality,
      placement: spec.placement ?? null,
      heartbeatS: spec.heartbeat_s,
      quietOk: spec.quiet_ok ?? false,
      detection: spec.detection ?? null,
      declaredBy: 'manual',
      linkId: null,
      version: 1,
      createdAt: at,
      updatedAt: at,
    };
    return this.#ledger.change(`The sensor ${row.name}`, () => {
      this.#rows.insert(row);
      return { result: row, deed: this.#deed('created', by, null, row) };
    });
  }

  update(id: string, change: SensorChange, by: Actor): SensorRow {
    const row = this.#get(id);
    refuseStale(`the sensor ${row.name}`, row.version, change.version);
    const next: SensorRow = {
      ...row,
      name: change.name ?? row.name,
      modality: change.modality ?? row.modality,
      placement: change.placement === undefined ? row.placement : change.placement,
      heartbeatS: change.heartbeat_s === null ? DEFAULT_HEARTBEAT_S : (change.heartbeat_s ?? row.heartbeatS),
      quietOk: change.quiet_ok ?? row.quietOk,
      detection: change.detection === undefined ? row.detection : change.detection,
      version: row.version + 1,
      updatedAt: this.#ledger.nowText(),
    };
    return this.#ledger.change(`The sensor ${next.name}`, () => {
      if (!this.#rows.update(next, row.version)) throw conflict(`the sensor ${row.name} has changed meanwhile`);
      return { result: next, deed: this.#deed('changed', by, row, next) };
    });
  }

  remove(id: string, by: Actor): void {
    const row = this.#get(id);
    this.#ledger.change(`The removal of sensor ${row.name}`, () => {
      this.#rows.delete(this.#scope, id);
      return { result: undefined, deed: this.#deed('deleted', by, row, null) };
    });
  }

  /**
   * Stores an operator's settings of a link's receiver. `write` must write the row; it runs within the same transaction
   * as the audit row.
   */
  setReceiver(name: string, before: ReceiverValue, after: ReceiverValue, write: () => void, by: Actor): void {
    this.#ledger.change(`The sensor ${name}`, () => {
      write();
      const facts = { before: receiverFactsOf(before), after: receiverFactsOf(after) };
      return { result: undefined, deed: this.#deedOf('changed', by, { id: after.id, name }, facts) };
    });
  }

  /**
   * Deletes a receiver of a link. `write` must delete the row; it runs within the same transaction as the audit row.
   */
  forgetReceiver(name: string, id: string, write: () => void, by: Actor): void {
    this.#ledger.change(`The removal of sensor ${name}`, () => {
      write();
      return { result: undefined, deed: this.#deedOf('deleted', by, { id, name }, { before: { name }, after: null }) };
    });
  }

  #deed(what: LogVerb<'sensor'>, by: Actor, before: SensorRow | null, after: SensorRow | null): Deed {
    const change = { before: before && factsOf(before), after: after && factsOf(after) };
    return this.#deedOf(what, by, after ?? before ?? { id: '', name: '' }, change);
  }

  #deedOf(
    what: LogVerb<'sensor'>,
    by: Actor,
    { id, name }: { id: string; name: string },
    change: Pick<Deed, 'before' | 'after'>,
  ): Deed {
    return {
      kind: `sensor.${what}`,
      text: `sensor ${name} was ${what}`,
      by,
      workspaceId: this.#scope.workspaceId,
      subject: { type: 'sensor', id, label: name },
      ...ofDeed(this.#scope.environment),
      ...change,
    };
  }

  #get(id: string): SensorRow {
    return orNotFound(this.#rows.get(this.#scope, id), `there is no sensor with the id ${id} in this workspace`);
  }
}

/** Returns the fields of a sensor that an audit row shows. */
function factsOf({ name, modality, placement, heartbeatS, quietOk, detection, version }: SensorRow): object {
  return { name, modality, placement, heartbeat_s: heartbeatS, quiet_ok: quietOk, detection, version };
}

/** Settings of a link's receiver that operators can change. */
type ReceiverValue = Pick<SensorRow, 'id' | 'placement' | 'quietOk' | 'detection' | 'version'> & {
  heartbeatS: number | null;
};

function receiverFactsOf({ placement, heartbeatS, quietOk, detection, version }: ReceiverValue): object {
  return { placement, heartbeat_s: heartbeatS, quiet_ok: quietOk, detection, version };
}
