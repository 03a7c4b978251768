import { readdirSync } from 'node:fs';
import type { LoopDelay } from '../loop_delay.ts';
import type { Metrics } from '../metrics.ts';

/** Declares the metrics of the process: processor time, memory, open files and the delay of the event loop. */
export function addProcessMetrics(metrics: Metrics, delay: LoopDelay): void {
  const started = (Date.now() - process.uptime() * 1_000) / 1_000;
  const gauge = (name: string, help: string, value: () => number): void =>
    metrics.read('gauge', name, help, [], (put) => put(value()));

  metrics.read('counter', 'process_cpu_seconds_total', 'Processor time used, user and system.', [], (put) => {
    const { user, system } = process.cpuUsage();
    put((user + system) / 1e6);
  });
  gauge('process_start_time_seconds', 'Start of the process since the Unix epoch.', () => started);
  gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
  gauge('process_open_fds', 'Open file descriptors.', () => readdirSync('/proc/self/fd').length);
  gauge('nodejs_heap_used_bytes', 'JavaScript heap in use.', () => process.memoryUsage().heapUsed);
  gauge('nodejs_external_memory_bytes', 'Memory of buffers and native objects.', () => process.memoryUsage().external);
  gauge(
    'nodejs_eventloop_delay_p99_seconds',
    'Delay of the event loop, 99th percentile of the last 15 s, sampled twice a second.',
    () => delay.p99Ms() / 1_000,
  );
}
