/** The load that one box is expected to carry. `--load 5` is five times as many of each. */
export type Expected = { remoteId: number; airliners: number; friends: number; receivers: number; consoles: number };

/** Twenty aircraft, two receivers that pass on one to two reports a second of each, two consoles. */
const ONE: Expected = { remoteId: 12, airliners: 5, friends: 3, receivers: 2, consoles: 2 };

export function expectedLoad(factor: number): Expected {
  const times = (count: number): number => Math.max(1, Math.round(count * factor));
  return {
    remoteId: times(ONE.remoteId),
    airliners: times(ONE.airliners),
    friends: Math.min(200, times(ONE.friends)),
    receivers: times(ONE.receivers),
    consoles: Math.min(40, times(ONE.consoles)),
  };
}

export const SITE = { lat: 47.4, lon: 8.5 };

/** A place `northM` and `eastM` from the site, on a plane: good to a metre within the few kilometres of a soak. */
export function placeOf(northM: number, eastM: number): { lat: number; lon: number } {
  return { lat: SITE.lat + northM / 111_194, lon: SITE.lon + eastM / 75_270 };
}
