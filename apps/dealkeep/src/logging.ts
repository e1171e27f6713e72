import { type Logger, pino, stdSerializers } from 'pino';
import pretty from 'pino-pretty';
import type { Configuration } from './configuration.ts';
import { logDestination } from './log-destination.ts';

/** Readable lines on a terminal, JSON lines elsewhere. Authorization never appears: no request is logged whole. */
export function createLogger({ logLevel }: Pick<Configuration, 'logLevel'>): Logger {
  // Whoever read the log may be gone; what runs goes on without.
  process.stdout.on('error', () => {});
  const options = {
    level: logLevel,
    base: null,
    serializers: { error: stdSerializers.err },
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
  };
  if (!process.stdout.isTTY) return pino(options, logDestination());
  return pino(
    options,
    pretty({
      sync: true,
      colorize: process.stdout.hasColors(),
      translateTime: 'SYS:HH:MM:ss',
      ignore: 'pid,hostname',
    }),
  );
}
