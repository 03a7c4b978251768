import type { DecisionPolicy } from '../../model/decision_config.ts';
import { OBSERVED } from '../../model/rows/layouts.ts';
import type { ClaimWatch } from './claim_watch.ts';
import type { ReadDossier } from './dossier.ts';
import { Report } from './report.ts';

/** Unpacks observations for the checks. Reuses one report object, because thousands of reports arrive per second. */
export class Listener {
  readonly #report = new Report();

  /**
   * Checks a report against the claim's earlier reports. Skips tracks of other systems and crewed aircraft; checks of
   * names and checks by sensors still apply to them. The speed of crewed aircraft comes in separate messages and may be
   * 10 s old. Crewed aircraft report neither time nor operator. Also skips reports for which `ClaimWatch.isDue` is
   * false.
   */
  receive(
    watch: ClaimWatch,
    dossier: ReadDossier,
    row: Float64Array,
    at: number,
    identity: DecisionPolicy['identity'],
  ): void {
    if (dossier.crewed || dossier.isExternal) return;
    if (!watch.isDue(row[at + OBSERVED.receivedS] ?? 0, row[at + OBSERVED.timeS] ?? 0)) return;
    watch.receive(this.#read(dossier, row, at), identity);
  }

  #read({ status, operator }: ReadDossier, row: Float64Array, at: number): Report {
    const report = this.#report;
    report.receivedS = row[at + OBSERVED.receivedS] ?? Number.NaN;
    report.sourceS = row[at + OBSERVED.sourceS] ?? Number.NaN;
    report.timeS = row[at + OBSERVED.timeS] ?? Number.NaN;
    report.latDeg = row[at + OBSERVED.azimuthOrLatDeg] ?? Number.NaN;
    report.lonDeg = row[at + OBSERVED.elevationOrLonDeg] ?? Number.NaN;
    report.heightM = heightOf(row, at);
    report.speedMps = row[at + OBSERVED.saidSpeedMps] ?? Number.NaN;
    report.eastMps = row[at + OBSERVED.eastMps] ?? Number.NaN;
    report.northMps = row[at + OBSERVED.northMps] ?? Number.NaN;
    report.climbMps = row[at + OBSERVED.upMps] ?? Number.NaN;
    report.sigmaM = row[at + OBSERVED.sdAzimuthDegOrHM] ?? Number.NaN;
    report.airborne = status === 'airborne' ? true : status === 'ground' ? false : null;
    report.operatorLatDeg = operator?.lat ?? Number.NaN;
    report.operatorLonDeg = operator?.lon ?? Number.NaN;
    return report;
  }
}

/**
 * Returns the first height that is reported, m: above the ellipsoid, the take-off position, or the ground, in this
 * order.
 */
function heightOf(row: Float64Array, at: number): number {
  const haeM = row[at + OBSERVED.rangeOrAltHaeM] ?? Number.NaN;
  if (!Number.isNaN(haeM)) return haeM;
  const takeoffM = row[at + OBSERVED.heightTakeoffM] ?? Number.NaN;
  return Number.isNaN(takeoffM) ? (row[at + OBSERVED.altAglM] ?? Number.NaN) : takeoffM;
}
