import { computed, type Signal, signal } from '@preact/signals';
import type { BaseMap } from '../../model/base_map.ts';
import { calls } from '../api/calls.ts';
import { settings } from '../state/settings.ts';
import type { Place } from './camera.ts';
import { chosen } from './chosen_map.ts';

/** Interval at which the list of base maps is read, since maps may be copied to the daemon while the console runs. */
const LISTED_EVERY_MS = 60_000;

/** Base maps of the daemon; null until the first answer, and empty where the first request failed. */
export const baseMaps: Signal<readonly BaseMap[] | null> = signal(null);
/** Centre of the site, which the automatic choice needs; null until it is known. */
export const siteCentre: Signal<Place | null> = signal(null);

/** The base map to draw: the person's choice, else the most detailed one of the site; null for the land's outline. */
export const shownMap = computed(() => chosen(baseMaps.value ?? [], settings.value.baseMap, siteCentre.value));

/** Reads the list of base maps. The old list stays if the daemon does not answer. */
export async function listMaps(): Promise<void> {
  try {
    baseMaps.value = await calls.maps();
  } catch {
    baseMaps.value ??= [];
  }
}

/** Reads the list of base maps regularly. Returns a function that ends this. */
export function startBaseMaps(): () => void {
  void listMaps();
  const timer = setInterval(() => void listMaps(), LISTED_EVERY_MS);
  return () => clearInterval(timer);
}
