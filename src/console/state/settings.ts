import { effect, type Signal, signal } from '@preact/signals';
import { defaults, type Settings } from './setting_values.ts';

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
