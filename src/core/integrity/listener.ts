import type { DecisionPolicy } from '../../model/decision_config.ts';
import { OBSERVED } from '../../model/observation_row.ts';
import type { ReadDossier } from '../dossier.ts';
import type { ClaimWatch } from './claim_watch.ts';
import type { Told } from './told.ts';

/** Reads what packed observations tell, for the watches; one report's words are kept for all, since there may be thousands a second. */
export class Listener {
  readonly #told: Told = {
    heardS: Number.NaN,
    sourceS: Number.NaN,
    timeS: Number.NaN,
    latDeg: Number.NaN,
    lonDeg: Number.NaN,
    heightM: Number.NaN,
    speedMps: Number.NaN,
    eastMps: Number.NaN,
    northMps: Number.NaN,
    climbMps: Number.NaN,
    sigmaM: Number.NaN,
    airborne: null,
    operatorLatDeg: Number.NaN,
    operatorLonDeg: Number.NaN,
  };

  /**
   * Crewed aircraft are not listened to: their speed comes in other messages than their place and may be ten seconds old,
   * they tell no time and no operator. What else is held of them holds: their names, and what sensors see.
   */
  hear(
    watch: ClaimWatch,
    dossier: ReadDossier,
    row: Float64Array,
    at: number,
    identity: DecisionPolicy['identity'],
  ): void {
    if (dossier.crewed || !watch.isDue(row[at + OBSERVED.receivedS] ?? 0, row[at + OBSERVED.timeS] ?? 0)) return;
    watch.hear(this.#read(dossier, row, at), identity);
  }

  #read({ status, operator }: ReadDossier, row: Float64Array, at: number): Told {
    const told = this.#told;
    told.heardS = row[at + OBSERVED.receivedS] ?? Number.NaN;
    told.sourceS = row[at + OBSERVED.sourceS] ?? Number.NaN;
    told.timeS = row[at + OBSERVED.timeS] ?? Number.NaN;
    told.latDeg = row[at + OBSERVED.a] ?? Number.NaN;
    told.lonDeg = row[at + OBSERVED.b] ?? Number.NaN;
    told.heightM = heightOf(row, at);
    told.speedMps = row[at + OBSERVED.saidSpeedMps] ?? Number.NaN;
    told.eastMps = row[at + OBSERVED.eastMps] ?? Number.NaN;
    told.northMps = row[at + OBSERVED.northMps] ?? Number.NaN;
    told.climbMps = row[at + OBSERVED.upMps] ?? Number.NaN;
    told.sigmaM = row[at + OBSERVED.sdA] ?? Number.NaN;
    told.airborne = status === 'airborne' ? true : status === 'ground' ? false : null;
    told.operatorLatDeg = operator?.lat ?? Number.NaN;
    told.operatorLonDeg = operator?.lon ?? Number.NaN;
    return told;
  }
}

/** In the first datum in which it tells one. */
function heightOf(row: Float64Array, at: number): number {
  const haeM = row[at + OBSERVED.c] ?? Number.NaN;
  if (!Number.isNaN(haeM)) return haeM;
  const takeoffM = row[at + OBSERVED.heightTakeoffM] ?? Number.NaN;
  return Number.isNaN(takeoffM) ? (row[at + OBSERVED.altAglM] ?? Number.NaN) : takeoffM;
}
