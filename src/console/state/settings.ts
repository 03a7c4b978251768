import { effect, type Signal, signal } from '@preact/signals';

/** Settings of this browser, which are not sent to the box. */
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
};

const KEY = 'dunlin.settings';

export const settings: Signal<Settings> = signal({ ...defaults, ...stored() });

/** Stored settings with known names and matching types; others are ignored. */
function stored(): Partial<Settings> {
  try {
    const read: unknown = JSON.parse(globalThis.localStorage?.getItem(KEY) ?? '{}');
    if (typeof read !== 'object' || read === null) return {};
    const known = Object.entries(read).filter(
      ([key, value]) => key in defaults && typeof value === typeof defaults[key as keyof Settings],
    );
    return Object.fromEntries(known) as Partial<Settings>;
  } catch {
    return {};
  }
}

export function change(part: Partial<Settings>): void {
  settings.value = { ...settings.peek(), ...part };
}

/** From now on stores the settings in this browser, and applies the theme to the page. */
export function startSettings(root: HTMLElement): void {
  effect(() => {
    root.dataset.theme = settings.value.theme;
    try {
      localStorage.setItem(KEY, JSON.stringify(settings.value));
    } catch {
      // A browser that blocks storage forgets the settings.
    }
  });
}
