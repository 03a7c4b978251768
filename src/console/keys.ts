import { forbidden, store } from './console.ts';
import { siteCentre } from './map/base_map.ts';
import { distanceAndCourse } from './map/camera.ts';
import { fitSite } from './map/fit_site.ts';
import { centre, show } from './map/view.ts';
import { showTrack } from './panels/show_track.ts';
import { silence } from './sound/siren.ts';
import { acknowledge } from './state/acknowledge.ts';
import { announce } from './state/attempt.ts';
import { firstAlert } from './state/first_alert.ts';
import { isTableOpen } from './state/lists.ts';
import { measurement } from './state/measure.ts';
import { rankThreats } from './state/rank.ts';
import { isSmall } from './state/screen.ts';
import { dialog, openTrackForm, selection, selectTrack, tab } from './state/select.ts';
import { change, settings } from './state/settings.ts';
import { words } from './words/en.ts';

/** Keyboard shortcuts. No shortcut approves a plan: a person must hold the button on the screen for that. */

const themes = ['day', 'dusk', 'night'] as const;

function stepTheme(by: number): void {
  const at = themes.indexOf(settings.peek().theme);
  const next = themes[Math.min(themes.length - 1, Math.max(0, at + by))];
  if (next) change({ theme: next });
}

/** Selects the next or the previous threat of the list. */
function step(by: number): void {
  const rows = rankThreats([...store.threats.byId.values()], (id) => store.tracks.byId.get(id));
  const at = rows.findIndex(({ track }) => track.id === selection.peek()?.id);
  const next = rows[Math.min(rows.length - 1, Math.max(0, at < 0 ? 0 : at + by))];
  if (next) selectTrack(next.track.id);
}

function selectedPlace(): { lat: number; lon: number } | null {
  return store.tracks.byId.get(selection.peek()?.id ?? '')?.position ?? null;
}

/** Share of an alert's row, or of a panel that is lower than the row, that must be in view. */
const IN_VIEW = 0.8;

/** Whether the row of an alert is in view in its panel. A row that is not is scrolled into view. */
function isInView(id: string): boolean {
  const row = document.querySelector(`li[data-alert="${id}"]`);
  const panel = row?.closest('.panel');
  if (!row || !panel) return false;
  const [at, view] = [row.getBoundingClientRect(), panel.getBoundingClientRect()];
  const seenPx = Math.min(at.bottom, view.bottom) - Math.max(at.top, view.top);
  if (seenPx >= IN_VIEW * Math.min(at.height, view.height)) return true;
  row.scrollIntoView({ block: 'center' });
  return false;
}

/** Acknowledges the first unacknowledged alert of the list, if a person can have read it there. */
function acknowledgeFirst(): void {
  if (isSmall.peek() && tab.peek() !== 'alerts') {
    enter('alerts');
    return;
  }
  const first = firstAlert(performance.now());
  const why = forbidden('see') ?? whyNotYet(first);
  if (first === null || why !== null) announce(why ?? words.noneToAcknowledge);
  else void acknowledge(first.alert, words.acknowledgedText(first.alert));
}

/** Sentence if a person cannot have read the first alert of the list yet; null otherwise. */
function whyNotYet(first: ReturnType<typeof firstAlert>): string | null {
  if (first === null) return null;
  if (!isInView(first.alert.id)) return words.firstIsShown;
  return first.isNew ? words.firstIsNew : null;
}

function showFirst(): void {
  const [trackId] = firstAlert(performance.now())?.alert.track_ids ?? [];
  if (trackId !== undefined) showTrack(trackId);
}

/** Distance from the site up to which tracks are fitted, m: an airliner 40 km away would make the site a dot. */
const NEAR_SITE_M = 10_000;

/** Shows all tracks near the site; without one near it, all tracks. */
function fitTracks(): void {
  const places = [...store.tracks.byId.values()].flatMap(({ position }) => position ?? []);
  const site = siteCentre.peek();
  const near = places.filter((place) => site !== null && distanceAndCourse(site, place).distanceM <= NEAR_SITE_M);
  show(near.length > 0 ? near : places);
}

function find(): void {
  dialog.value = 'find';
}

/** Moves the focus to the first row of a list. On a small screen the list's tab is opened first. */
function enter(list: 'threats' | 'alerts'): void {
  tab.value = list;
  const focus = (): void => document.querySelector<HTMLElement>(`.panel.${list} li button`)?.focus();
  if (isSmall.peek()) requestAnimationFrame(focus);
  else focus();
}

const acts: Readonly<Record<string, () => void>> = {
  j: () => step(1),
  k: () => step(-1),
  a: acknowledgeFirst,
  n: showFirst,
  d: () => {
    if (selection.peek() === null) return;
    tab.value = 'track';
    openTrackForm('dismiss');
  },
  t: () => enter('threats'),
  l: () => enter('alerts'),
  g: find,
  '/': find,
  f: () => {
    tab.value = 'fleet';
  },
  h: () => {
    tab.value = 'health';
  },
  c: () => {
    const place = selectedPlace();
    if (place) centre(place);
  },
  s: fitSite,
  z: fitTracks,
  e: () => {
    tab.value = 'approvals';
  },
  r: () => change({ showRings: !settings.peek().showRings }),
  b: () => change({ showLabels: !settings.peek().showLabels }),
  p: () => change({ showTrails: !settings.peek().showTrails }),
  v: () => change({ showVectors: !settings.peek().showVectors }),
  '[': () => stepTheme(-1),
  ']': () => stepTheme(1),
  m: () => silence(performance.now()),
  escape: () => {
    measurement.value = null;
    openTrackForm(null);
    isTableOpen.value = false;
  },
  '?': () => {
    dialog.value = 'keys';
  },
};

/** Fields in which a key is text or chooses a value, and dialogs. A choice among reasons is none: D opens with it. */
const textFields = 'input:not([type="radio"], [type="checkbox"]), textarea, select, dialog';
const isIn = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;

/**
 * Handles shortcuts of a single key. Ignores keys in fields and dialogs, and keys with Ctrl, Alt or Meta. A setting
 * switches the shortcuts off (WCAG 2.1.4).
 */
export function startKeys(target: Document): void {
  target.addEventListener('keydown', (event) => {
    const isEscape = event.key === 'Escape' && !isIn(event.target, 'dialog');
    const isTyping = isIn(event.target, textFields) && !isEscape;
    if (isTyping || event.ctrlKey || event.altKey || event.metaKey || !settings.peek().keysOn) return;
    const key = event.key.toLowerCase();
    const act = acts[key];
    if (!act) return;
    // A key that is held down must not acknowledge one alert after the other.
    if (!event.repeat || key === 'j' || key === 'k') act();
    event.preventDefault();
  });
}
