/** Settings of this browser. They are not sent to the daemon. */
export type Settings = {
  theme: 'day' | 'dusk' | 'night';
  heightUnit: 'm' | 'ft';
  speedUnit: 'mps' | 'kmh' | 'kt' | 'mph';
  positionFormat: 'decimal' | 'dms';
  volumePct: number;
  /** Length of the course vector, s. */
  vectorS: 10 | 30 | 60;
  trailS: number;
  trailStyle: 'line' | 'dots';
  showRings: boolean;
  showLabels: boolean;
  showTrails: boolean;
  showVectors: boolean;
  showCoverage: boolean;
  /** Id of a base map, `auto` for the most detailed one of the site, or `none` for the outline of the land. */
  baseMap: string;
  /** Draws the base map at half resolution; `auto` does so only in a browser without a graphics processor. */
  economyMap: 'auto' | 'on' | 'off';
  /** Way to confirm: hold the button, or press it twice for people who cannot hold it. */
  confirmBy: 'hold' | 'press_twice';
  keysOn: boolean;
  /** Least severity of the rows that the log shows; `persons`: the acts of persons alone. */
  logLeast: 'info' | 'notice' | 'warning' | 'persons';
};

export const defaults: Settings = {
  theme: 'dusk',
  heightUnit: 'm',
  speedUnit: 'mps',
  positionFormat: 'decimal',
  volumePct: 70,
  vectorS: 30,
  trailS: 60,
  trailStyle: 'line',
  showRings: true,
  showLabels: true,
  showTrails: true,
  showVectors: true,
  showCoverage: true,
  baseMap: 'auto',
  economyMap: 'auto',
  confirmBy: 'hold',
  keysOn: true,
  logLeast: 'notice',
};
