/** Settings of PostgreSQL by name, given to the server on its command line. */
export type ServerSettings = Record<string, string | number>;

/**
 * What a small machine with one application needs. Given at every start instead of being written into
 * postgresql.conf, so that a newer release changes them for old data too.
 */
const smallMachine: ServerSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 100,
  shared_buffers: '128MB',
  max_wal_size: '512MB',
  // Nobody replicates from this server, so its log may be the short one.
  wal_level: 'minimal',
  max_wal_senders: 0,
  // Two cores gain nothing from helpers, and containers give them little shared memory.
  io_method: 'sync',
  max_parallel_workers_per_gather: 0,
  jit: 'off',
  // The queue of deliveries gathers dead rows by the thousand in a second when a backlog drains.
  autovacuum_naptime: '15s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The application reports its own failed statements; this log is about the server.
  log_min_messages: 'log',
  log_min_error_statement: 'log',
  log_checkpoints: 'off',
};

/** The server's arguments `-c name=value`; later records win. */
export function settingArguments(...records: ServerSettings[]): string[] {
  const settings: ServerSettings = Object.assign({}, smallMachine, ...records);
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
