import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('a process that no assistant talks to does not load the protocol’s parts', async () => {
  const entry = new URL('../src/index.ts', import.meta.url);
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({
      load(url, context, next) {
        loaded.push(url);
        return next(url, context);
      },
    });
    const { createMcp } = await import('${entry}');
    createMcp({}, 'test');
    process.stdout.write(JSON.stringify(loaded));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  const loaded: string[] = JSON.parse(stdout);
  expect(loaded).toContain(entry.href);
  expect(loaded.filter((url) => url.includes('modelcontextprotocol'))).toEqual([]);
});
