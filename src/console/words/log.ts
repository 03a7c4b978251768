import { clockText } from './units.ts';

/** Texts of the timeline and of the log. */
export const logWords = {
  timeline: 'Timeline',
  log: 'Log',
  span: '30 min',
  strip: (atMs: number) => new Date(atMs).toISOString().slice(11, 16),
  chooseMinute: 'Timeline: click a minute, or use the arrow keys, to read its events',
  inMinute: (minuteMs: number, count: number) =>
    `${new Date(minuteMs).toISOString().slice(11, 16)}Z: ${count} ${count === 1 ? 'event' : 'events'}`,
  minuteIsRead: 'The box is asked for this minute …',
  wholeLog: 'All minutes',
  viewBegins: (at: string) => `The view begins at ${clockText(at)}; older rows: choose a minute in the timeline, or`,
  logBegins: (at: string) => `The log begins here, at ${clockText(at)}.`,
  scenarioAgain: 'The scenario begins again: its clock goes back to the start.',
  older: 'Older',
  newestRows: 'Newest rows',
  earlierRun: 'A simulation that begins again keeps no rows of the run before it.',
  emptyLog: 'The log has no such row.',
  noneRead: 'No such row is among those that were read.',
  alertRaised: 'Alert:',
  logShows: 'Rows:',
  allRows: 'every severity',
  fromNotice: 'notices and worse',
  fromWarning: 'warnings and critical',
  byPersons: 'what persons did',
};
