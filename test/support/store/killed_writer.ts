import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/**
 * Runs a script on a data folder, lets it live for `lifeMs` after its line `least`, and kills it with SIGKILL. Returns
 * the whole lines that it printed.
 */
export async function linesBeforeKill(script: URL, dataDir: string, lifeMs: number, least = 1): Promise<string[]> {
  const path = fileURLToPath(script);
  // Without what a test runner preloads into every program: the life that is measured should be the script's.
  const env = { ...process.env, NODE_OPTIONS: '' };
  const child = spawn(process.execPath, [path, dataDir], { stdio: ['ignore', 'pipe', 'inherit'], env });
  let printed = '';
  child.stdout.setEncoding('utf8');
  const ended = new Promise<void>((resolve) => child.stdout.once('end', () => resolve()));
  const enough = new Promise<void>((resolve) =>
    child.stdout.on('data', (text: string) => {
      printed += text;
      if (printed.split('\n').length > least) resolve();
    }),
  );
  await Promise.race([enough, ended]);
  await sleep(lifeMs);
  child.kill('SIGKILL');
  await ended;
  // A last line without its end was cut by the kill.
  return printed.split('\n').slice(0, -1);
}
