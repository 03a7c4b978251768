import { spoken } from './flight.ts';
import { clockText } from './units.ts';

/** Texts of orders: STOP ALL, its outcome, buttons that are held, and a box that does not answer. */
export const orderWords = {
  stopAll: 'STOP ALL',
  notStopped: 'Nothing was stopped: keep STOP ALL pressed for 1 s.',
  holdFor: (s: number) => `Keep pressed for ${s} s`,
  holdShort: (s: number) => `Hold for ${s} s`,
  pressAgain: 'Press again',
  pressTwice: 'Press twice',
  stopNotConfirmed:
    'STOP ALL is sent, but the box does not answer: nothing is confirmed. Stop the vehicle by its own remote control.',
  noAnswer: 'The box does not answer yet. The order is carried out if the box gets it.',
  stopped: (held: number, engagements: number, tasks: number) =>
    `Stopped: ${held} ${held === 1 ? 'vehicle holds' : 'vehicles hold'}, ` +
    `${engagements} ${engagements === 1 ? 'plan' : 'plans'} and ${tasks} ${tasks === 1 ? 'task' : 'tasks'} cancelled.`,
  /** Marks a command that the box gave during a plan, unlike one of a person. */
  ofPlan: '(by the box)',
  stoppedSign: 'STOPPED',
  stoppedBefore:
    'Everything was stopped. A vehicle moves again only after an approval of a flight, or an order in Fleet.',
  stillMoving: (count: number) => `${count} ${count === 1 ? 'vehicle still moves' : 'vehicles still move'}`,
  whyMoving: 'A stop takes some seconds. After that, it returns, lands, or its pilot flies it: see Fleet.',
  stoppedHint:
    'Plans in execution were cancelled. New plans wait for an approval. A vehicle that returns or lands goes on; see Fleet.',
  ofLiveWorld: (at: string) => `real world, ${clockText(at)}:`,
  notHeld: (text: string) => ` Not held: ${spoken(text)}.`,
};
