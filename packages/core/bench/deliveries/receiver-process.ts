// A receiver in a process of its own: `receiver-process.ts MILLISECONDS`. Answers 200 to every POST, after so long;
// tells on GET how many came, when the first and the last did, and how many came in each second.
import { createServer } from 'node:http';

const delay = Number(process.argv[2]);
let count = 0;
let first = 0;
let last = 0;
let perSecond: number[] = [];

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify({ count, first, last, perSecond }));
    return;
  }
  if (request.method === 'DELETE') {
    count = 0;
    perSecond = [];
    response.end();
    return;
  }
  request.on('data', () => {});
  request.on('end', () => {
    last = Date.now();
    if (count === 0) first = last;
    count += 1;
    const second = Math.floor((last - first) / 1000);
    perSecond[second] = (perSecond[second] ?? 0) + 1;
    if (delay > 0) setTimeout(() => response.end('ok'), delay);
    else response.end('ok');
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const bound = server.address();
  process.stdout.write(`${bound !== null && typeof bound === 'object' ? bound.port : 0}\n`);
});
// Ends with whoever started it.
process.stdin.on('end', () => process.exit()).resume();
