import { parentPort, workerData } from 'node:worker_threads';
import { keepHeapCompact } from '../../host/free_memory.ts';
import { Fault } from '../../model/fault.ts';
import { reasonOf } from '../failures.ts';
import { commitAfterMs, HistoryEngine } from './engine.ts';
import type { FromThread, ThreadData, ToThread } from './messages.ts';
import type { Question } from './queries.ts';

/** History thread. It passes messages and clock ticks to the engine, which does the work. */
const port = parentPort;
if (port === null) throw new Error('The history writer runs as a worker thread.');

const send = (message: FromThread): void => port.postMessage(message);
const clock = { wallMs: Date.now, monotonicMs: () => performance.now() };
const engine = new HistoryEngine(workerData as ThreadData, clock, send);
/**
 * Longest interval between two ticks, ms. It is short enough for retries and the deletion of days. Commits of rows have
 * their own timer.
 */
const TICK_MS = 1_000;
keepHeapCompact();
const ticking = setInterval(() => tick(), TICK_MS);
let committing: NodeJS.Timeout | undefined;

/** Lets the engine do what is due. Timers that are not needed now are put off: each expiry would wake the thread. */
function tick(areDue = false): void {
  engine.tick({ areDue });
  ticking.refresh();
  if (engine.hasWaiting) commitWhenDue();
  else {
    clearTimeout(committing);
    committing = undefined;
  }
}

/** Starts a timer that commits the waiting rows, if it does not run yet. */
function commitWhenDue(): void {
  committing ??= setTimeout(() => {
    committing = undefined;
    tick();
  }, commitAfterMs);
}

function answerTo(id: number, question: Question): void {
  try {
    send({ type: 'answer', id, page: engine.ask(question) });
  } catch (thrown) {
    if (thrown instanceof Fault) send({ type: 'refusal', id, code: thrown.code, sentence: thrown.message });
    else
      send({ type: 'refusal', id, code: 'unavailable', sentence: `The history cannot be read: ${reasonOf(thrown)}.` });
  }
}

port.on('message', (message: ToThread) => {
  switch (message.type) {
    case 'batch':
      engine.take(message);
      if (engine.hasWaiting) commitWhenDue();
      break;
    case 'due':
      tick(true);
      break;
    case 'ask':
      answerTo(message.id, message.question);
      break;
    case 'keep':
      engine.keep(message.retention, message.held);
      break;
    case 'stop':
      clearInterval(ticking);
      clearTimeout(committing);
      engine.close();
      port.close();
      break;
  }
});
send({ type: 'ready' });
engine.tick();
