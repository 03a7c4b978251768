/** Figures of a run over a scenario. */
export type Figures = {
  /** Plots and positions. */
  reports: number;
  /** Heads of scans. */
  scans: number;
  /** Reports that updated a track. */
  updates: number;
  badLines: number;
  /** Tracks that were shown at any time. */
  tracks: number;
  /** Time inside the core, ms. */
  coreMs: number;
  /** The scenario's time, s. */
  atS: number;
};

export const noFigures: Figures = { reports: 0, scans: 0, updates: 0, badLines: 0, tracks: 0, coreMs: 0, atS: 0 };

/** The line that a person watches while the tracker runs. */
export function progressText({ atS, reports, tracks }: Figures, durationS: number | null): string {
  const of = durationS === null ? '' : ` of ${durationS}`;
  return `${atS.toFixed(1)}${of} s, ${reports} reports, ${tracks} tracks`;
}

/** The figures as a person reads them and a script finds them: a name and a value a line. */
export function figuresText({ reports, scans, updates, badLines, tracks, coreMs }: Figures): string {
  const rows = [
    ['reports', String(reports)],
    ['updates', String(updates)],
    ['scans', String(scans)],
    ['tracks', String(tracks)],
    ['time', `${(coreMs / 1000).toFixed(3)} s in the core`],
    ...(reports === 0 ? [] : [['per report', `${((coreMs * 1000) / reports).toFixed(1)} µs`]]),
    ...(scans === 0 ? [] : [['per scan', `${(coreMs / scans).toFixed(3)} ms`]]),
    ...(badLines === 0 ? [] : [['bad lines', String(badLines)]]),
  ];
  return rows.map(([name = '', value]) => `${name.padEnd(12)}${value}`).join('\n');
}
