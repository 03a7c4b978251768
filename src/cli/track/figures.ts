/** Figures of a run over a scenario. */
export type Figures = {
  /** Number of plots and positions. */
  reports: number;
  /** Number of scan lines. */
  scans: number;
  /** Number of reports that updated a track. */
  updates: number;
  badLines: number;
  /** Number of tracks that were shown at any time. */
  tracks: number;
  /** Computing time of the core, ms. */
  coreMs: number;
  /** Scenario time of the latest picture, s. */
  atS: number;
};

export const noFigures: Figures = { reports: 0, scans: 0, updates: 0, badLines: 0, tracks: 0, coreMs: 0, atS: 0 };

/** Words the progress line. `durationS` is the length of the scenario; null if unknown. */
export function progressText({ atS, reports, tracks }: Figures, durationS: number | null): string {
  const of = durationS === null ? '' : ` of ${durationS}`;
  return `${atS.toFixed(1)}${of} s, ${reports} reports, ${tracks} tracks`;
}

/** Formats the figures for people and scripts: one name and value per line. */
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
