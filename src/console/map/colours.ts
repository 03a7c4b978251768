import type { Settings } from '../state/setting_values.ts';

const names = [
  ...(['ground', 'panel', 'raised', 'line', 'text', 'quiet', 'critical', 'high', 'medium', 'low', 'good'] as const),
  ...(['friend', 'hostile', 'neutral', 'unknown', 'zone-protected', 'zone-warning', 'zone-alert'] as const),
  ...(['zone-keep-out', 'zone-keep-in', 'zone-ignore', 'coverage'] as const),
];
export type Colours = Readonly<Record<(typeof names)[number], string>>;

let read: { theme: Settings['theme']; colours: Colours } | null = null;

/**
 * Colours of a theme for canvases, from the variables of the style sheet. They are read once for each change of the
 * theme.
 */
export function coloursOf(theme: Settings['theme']): Colours {
  if (read?.theme === theme) return read.colours;
  const style = getComputedStyle(document.documentElement);
  const colours = Object.fromEntries(
    names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]),
  ) as Colours;
  // Nothing is cached before the style sheet is loaded.
  if (colours.text !== '') read = { theme, colours };
  return colours;
}
