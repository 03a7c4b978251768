import { readdirSync, readFileSync } from 'node:fs';

/**
 * CPU time of a process since its start, by thread, s. `waited` is the time that the main thread was ready to run while
 * the machine ran something else, s. A figure of latency is valid only together with `waited`.
 */
export type Cpu = { main: number; core: number; history: number; other: number; waited: number };

/**
 * Threads of the daemon that turn an event loop besides the main one, in the order in which they begin: V8's own for
 * delayed tasks, the history's, the core's. Ask when all of them rest.
 */
export function daemonThreads(pid: number): { core: string | undefined; history: string | undefined } {
  const loops = tasks(pid).filter((tid) => read(pid, tid, 'wchan').includes('epoll') && tid !== String(pid));
  return { core: loops.at(-1), history: loops.at(-2) };
}

export function cpuOf(pid: number, threads: ReturnType<typeof daemonThreads>): Cpu {
  const cpu: Cpu = { main: 0, core: 0, history: 0, other: 0, waited: 0 };
  for (const tid of tasks(pid)) {
    // Nanoseconds on a processor, finer than the ticks of `stat`, and nanoseconds in its queue.
    const [seconds = 0, waited = 0] = read(pid, tid, 'schedstat')
      .split(' ')
      .map((ns) => Number(ns) / 1e9);
    if (tid === String(pid)) {
      cpu.main += seconds;
      cpu.waited += waited;
    } else if (tid === threads.core) cpu.core += seconds;
    else if (tid === threads.history) cpu.history += seconds;
    else cpu.other += seconds;
  }
  return cpu;
}

export function shares(before: Cpu, after: Cpu, wallS: number): Cpu & { all: number } {
  const share = (thread: keyof Cpu): number => ((after[thread] - before[thread]) / wallS) * 100;
  const each = { main: share('main'), core: share('core'), history: share('history'), other: share('other') };
  return { ...each, waited: share('waited'), all: each.main + each.core + each.history + each.other };
}

/** Resident memory in MB (millions). */
export function rssMb(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return (Number(line?.[1]) * 1024) / 1e6;
}

function tasks(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).sort((a, b) => Number(a) - Number(b));
}

/** Nothing where the thread has ended meanwhile. */
function read(pid: number, tid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/task/${tid}/${file}`, 'utf8');
  } catch {
    return '0';
  }
}
