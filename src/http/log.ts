/** Logger functions that this folder uses. */
export type HttpLog = {
  info(fields: Record<string, unknown>, text: string): void;
  error(fields: Record<string, unknown>, text: string): void;
};

export type HttpMetrics = {
  /** Adds `n` to a counter; default 1. */
  count(name: HttpCounter, n?: number): void;
  /** Registers a function that returns the current value of a gauge. */
  gauge(name: HttpGauge, read: () => number): void;
  /** Returns all counters and gauges of the box, in the text format of Prometheus. */
  text(): string;
};

/** Counters of this folder, with their descriptions. */
export const httpCounters = {
  http_requests_total: 'requests answered',
  http_client_errors_total: 'requests answered with a status of 400 to 499',
  http_server_errors_total: 'requests answered with a status of 500 and above',
  http_connections_refused_total:
    'connections refused because one address, or all untrusted addresses together, had too many open',
  http_bad_requests_total: 'connections closed because the input was not an HTTP request or arrived too slowly',
  stream_clients_cut_total: 'streams cut because the client did not read',
  stream_bytes_total: 'bytes written to streams',
} as const;
export type HttpCounter = keyof typeof httpCounters;

export const httpGauges = { http_connections: 'open connections', stream_clients: 'open streams' } as const;
type HttpGauge = keyof typeof httpGauges;
