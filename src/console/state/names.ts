import { store } from '../console.ts';
import { words } from '../words/en.ts';

/** Names of things by their ids, as the store knows them now. Reading one subscribes the caller to its collection. */
export const trackNumber = (id: string): string => store.tracks.get(id)?.number ?? words.trackGone;
/** Number of a closed track by the log of this page; empty where no row is about the track. */
export const loggedNumber = (id: string): string =>
  store.log.value.find(({ subject }) => subject?.type === 'track' && subject.id === id)?.subject?.label ?? '';
/** Name of a zone or of a protected vehicle. */
export const placeName = (id: string): string => store.zones.get(id)?.name ?? store.assets.get(id)?.name ?? 'a zone';
export const assetName = (id: string): string => store.assets.get(id)?.name ?? words.unknownVehicle;
