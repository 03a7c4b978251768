import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Test } from 'tap';

/**
 * Listens as systemd does, and at the moment of READY=1 asks the daemon for its health over HTTP: Node has no datagram
 * sockets of this family, and by the time this process had read of it the daemon would have answered anyway.
 */
const python = `
import json, re, socket, sys, time, urllib.request
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print(json.dumps({'text': 'listening'}), flush=True)
while True:
    text = s.recv(4096).decode()
    seen = {'text': text, 'at': time.time()}
    if 'READY=1' in text:
        url = re.search('http://[^ \\\\n]+', text).group(0)
        with urllib.request.urlopen(url + '/api/health', timeout=5) as answer:
            seen['health'] = answer.status
    print(json.dumps(seen), flush=True)
`;

export type Told = { text: string; at: number; health?: number };

export async function listenAsManager(t: Test, path: string): Promise<{ told: Told[] }> {
  const child: ChildProcess = spawn('python3', ['-c', python, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => child.kill('SIGKILL'));
  const told: Told[] = [];
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  await once(lines, 'line');
  lines.on('line', (line) => told.push(JSON.parse(line) as Told));
  return { told };
}
