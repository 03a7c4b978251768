import type { Detection } from '../../../src/model/detection.ts';
import type { Link } from '../../../src/model/link.ts';
import type { Picture } from '../../../src/model/picture.ts';
import type { Sensor } from '../../../src/model/sensor.ts';
import type { Track, TrackPoint } from '../../../src/model/track.ts';
import { type Daemon, until } from './daemon.ts';

export const picture = (daemon: Daemon): Promise<Picture> => daemon.get<Picture>('/api/picture');

/** The tracks that carry an identity of this value. */
export async function tracksOf(daemon: Daemon, identity: string): Promise<Track[]> {
  const tracks = await daemon.get<Track[]>('/api/tracks');
  return tracks.filter((track) => track.identities.some(({ value }) => value === identity));
}

/** Waits until exactly one track carries the identity, and fits. */
export function trackOf(
  daemon: Daemon,
  identity: string,
  fits: (track: Track) => boolean = () => true,
  withinMs?: number,
): Promise<Track> {
  const ask = async (): Promise<Track | null> => {
    const [track, ...more] = await tracksOf(daemon, identity);
    return track && more.length === 0 && fits(track) ? track : null;
  };
  return until(ask, `one track that fits carries ${identity}`, withinMs).catch(async (thrown) => {
    const found = await daemon.get<Track[]>('/api/tracks');
    throw new Error(`${(thrown as Error).message}; the tracks are ${JSON.stringify(found)}`);
  });
}

/** All detections that match, the first page of a thousand. */
export const detections = (daemon: Daemon, query: string): Promise<Detection[]> =>
  daemon.get<Detection[]>(`/api/detections?limit=1000&${query}`);

/** Waits until the history holds at least so many detections, and answers them. */
export function detectionsOf(daemon: Daemon, query: string, least: number): Promise<Detection[]> {
  return until(async () => {
    const found = await detections(daemon, query);
    return found.length >= least ? found : null;
  }, `${least} detections of ${query} are in the history`);
}

export function pointsOf(daemon: Daemon, trackId: string, least: number): Promise<TrackPoint[]> {
  return until(async () => {
    const found = await daemon.get<TrackPoint[]>(`/api/tracks/${trackId}/history?limit=1000`);
    return found.length >= least ? found : null;
  }, `${least} points of the track are in the history`);
}

export async function linkOf(daemon: Daemon, name: string): Promise<Link> {
  const links = await daemon.get<Link[]>('/api/links');
  const link = links.find((row) => row.name === name);
  if (!link) throw new Error(`there is no link ${name}`);
  return link;
}

/** The link once it has counted that many messages: a track may be there while the last reports are under way. */
export function countedOf(daemon: Daemon, name: string, messages: number): Promise<Link> {
  const counted = async (): Promise<Link | null> => {
    const link = await linkOf(daemon, name);
    return link.rx_msgs >= messages ? link : null;
  };
  return until(counted, `${name} has counted ${messages} messages`);
}

/** Waits until a sensor of this name is there, and fits. */
export function sensorOf(
  daemon: Daemon,
  name: string,
  fits: (sensor: Sensor) => boolean = () => true,
): Promise<Sensor> {
  return until(async () => {
    const sensors = await daemon.get<Sensor[]>('/api/sensors');
    return sensors.find((sensor) => sensor.name === name && fits(sensor)) ?? null;
  }, `the sensor ${name} fits`);
}

/** Where a track's pilot is; NaN where that is not known. */
export function pilotOf({ operator }: Track): { lat: number; lon: number } {
  return { lat: operator?.lat ?? Number.NaN, lon: operator?.lon ?? Number.NaN };
}
