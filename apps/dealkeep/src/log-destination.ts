import { type DestinationStream, destination } from 'pino';

/** Lines that wait for a disk that is full, in bytes; of more the newest go. */
const mostWaiting = 1024 * 1024;

/**
 * Stdout as a place for log lines that ends nothing: whoever read it may be gone, and the disk of the file behind it may
 * be full. Lines that cannot be written wait, and are written with the next ones that can be.
 */
export function logDestination(): DestinationStream {
  const stdout = destination({ dest: process.stdout.fd, maxLength: mostWaiting });
  let failing = false;
  // Without a listener of its own an error of the stream is one of the process.
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
