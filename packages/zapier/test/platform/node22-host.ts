// Runs on Node 22 inside the unzipped build, as Zapier runs it: nothing of this repository is within reach.
import { pathToFileURL } from 'node:url';

interface Request {
  readonly id: number;
  readonly event: Readonly<Record<string, unknown>>;
}

const { handler } = await import(pathToFileURL(`${process.cwd()}/zapierwrapper.js`).href);

process.on('message', async ({ id, event }: Request) => {
  try {
    const { results } = await handler(event);
    process.send?.({ id, results });
  } catch (error) {
    const thrown = error instanceof Error ? error : new Error(String(error));
    process.send?.({ id, error: { name: thrown.name, message: thrown.message, stack: thrown.stack } });
  }
});
process.send?.({ id: 0, results: process.version });
