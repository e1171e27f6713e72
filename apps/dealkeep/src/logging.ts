import { type DestinationStream, destination, type Logger, pino, stdSerializers } from 'pino';
import pretty from 'pino-pretty';
import type { Configuration } from './configuration.ts';
import type { Output } from './surroundings.ts';

/** Readable lines on a terminal, JSON lines elsewhere. Authorization never appears: no request is logged whole. */
export function createLogger({ logLevel }: Pick<Configuration, 'logLevel'>, stdout: Output): Logger {
  // Whoever read the log may be gone; what runs goes on without.
  stdout.on('error', () => {});
  const options = {
    level: logLevel,
    base: null,
    serializers: { error: stdSerializers.err },
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
  };
  if (!stdout.isTTY) return pino(options, stdout.fd === undefined ? stdout : logDestination(stdout.fd));
  return pino(
    options,
    pretty({
      sync: true,
      colorize: stdout.hasColors?.() ?? false,
      translateTime: 'SYS:HH:MM:ss',
      ignore: 'pid,hostname',
    }),
  );
}

/** Bytes of log lines that wait while the disk is full; beyond that, the newest lines are dropped. */
const mostWaiting = 1024 * 1024;

/**
 * Stdout as a place for log lines that ends nothing: whoever read it may be gone, and the disk of the file behind it
 * may be full. Lines that cannot be written wait, and are written with the next ones that can be.
 */
function logDestination(fd: number): DestinationStream {
  const stdout = destination({ dest: fd, maxLength: mostWaiting });
  let failing = false;
  // An error of the stream that nobody listens to would end the process.
  stdout.on('error', () => {
    failing = true;
  });
  stdout.on('write', () => {
    failing = false;
  });
  // Called at the end of the process; where nothing can be written it would try for ever.
  const flush = stdout.flushSync.bind(stdout);
  stdout.flushSync = () => {
    if (!failing) flush();
  };
  return stdout;
}
