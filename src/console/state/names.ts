import { store } from '../console.ts';
import { words } from '../words/en.ts';

/** Names of things by their ids, as the store knows them now. Reading one subscribes the caller to its collection. */
export const trackNumber = (id: string): string => store.tracks.get(id)?.number ?? words.trackGone;
export const assetName = (id: string): string => store.assets.get(id)?.name ?? words.unknownVehicle;
