// One process that starts the embedded server, as `npm start` would: tests kill it, or run it as another
// user. Says each thing as one line of JSON; stops when its stdin ends.
import { startEmbeddedPostgres } from '../src/index.ts';

const say = (what: object) => process.stdout.write(`${JSON.stringify(what)}\n`);
const { dataDir, port, uid } = JSON.parse(process.argv[2] ?? '{}');
if (uid !== undefined) {
  process.setgroups?.([]);
  process.setgid?.(uid);
  process.setuid?.(uid);
}
// Ctrl-C goes to the whole process group; who stops cleanly does not end by it.
process.on('SIGINT', () => say({ interrupted: true }));
try {
  const server = await startEmbeddedPostgres({ dataDir, port, settings: { fsync: 'off' } });
  const { url, adopted } = server;
  server.exited.then((exit) => say({ exit }));
  say({ url, adopted, port: server.port });
  for await (const _ of process.stdin);
  await server.stop();
} catch (error) {
  say({ error: String(error) });
}
