/**
 * Rooms of `src/`, from the bottom up. A room imports `model/` and the rooms named here; `below` stands for every room of a
 * lower rank. `folders` gives the order inside a room, lowest first; `.` is the room's own files.
 */
export type Room = { room: string; rank: number; may: 'below' | readonly string[]; folders?: readonly string[] };

const core = ['tracking', 'integrity', 'tracks', 'identity', 'threat', 'rules', 'site', 'assess', '.', 'thread'];
const sim = ['kernel', 'scenarios', 'aircraft', 'wire', 'vehicles', 'population', 'sensors', 'score', 'runs'];

export const rooms: readonly Room[] = [
  { room: 'model', rank: 0, may: [] },
  { room: 'console', rank: 1, may: [] },
  { room: 'geo', rank: 1, may: [] },
  { room: 'host', rank: 1, may: [] },
  { room: 'edge/wire', rank: 1, may: [] },
  { room: 'edge/link', rank: 2, may: ['host', 'edge/wire'] },
  { room: 'store', rank: 2, may: ['host'] },
  { room: 'edge/feed', rank: 3, may: ['edge/wire', 'edge/link', 'geo', 'host'] },
  { room: 'core', rank: 3, may: ['geo'], folders: core },
  { room: 'registry', rank: 3, may: ['store', 'geo'] },
  { room: 'access', rank: 3, may: ['store'] },
  { room: 'maps', rank: 3, may: ['store'] },
  { room: 'picture', rank: 3, may: [] },
  { room: 'fleet', rank: 4, may: ['registry', 'picture', 'edge/wire', 'edge/link', 'edge/feed', 'geo', 'store'] },
  { room: 'alerts', rank: 4, may: ['store', 'access', 'picture', 'host'] },
  {
    room: 'outlet',
    rank: 4,
    may: ['picture', 'store', 'access', 'edge/wire', 'edge/link', 'edge/feed', 'geo', 'host'],
  },
  { room: 'world', rank: 5, may: 'below', folders: ['signing', '.', 'driven'] },
  { room: 'command', rank: 5, may: 'below', folders: ['.', 'safety', 'guidance', 'commands'] },
  { room: 'sim', rank: 6, may: 'below', folders: sim },
  { room: 'recording', rank: 6, may: 'below' },
  { room: 'engagement', rank: 6, may: 'below' },
  { room: 'app', rank: 7, may: 'below' },
  { room: 'http', rank: 8, may: 'below' },
  { room: 'daemon', rank: 9, may: 'below' },
  { room: 'cli', rank: 10, may: 'below' },
  { room: 'main.ts', rank: 11, may: 'below' },
];
