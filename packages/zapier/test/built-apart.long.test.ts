import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('what stands in the environment while the integration is loaded and built stays out of it', async () => {
  const secret = 'a secret of whoever builds it';
  const from = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
  const program = `
    const { variants } = await import(${from('../src/index.ts')});
    const { definitionOf } = await import(${from('./platform/definition-of.ts')});
    process.stdout.write(JSON.stringify(await Promise.all(Object.values(variants).map(definitionOf))));`;
  const env = { ...process.env, BASE_URL: secret, CLIENT_ID: secret, CLIENT_SECRET: secret };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    env,
    maxBuffer: 10 * 1024 ** 2,
  });
  expect(JSON.parse(stdout)).toHaveLength(2);
  expect(stdout).toContain('"lead_created"');
  expect(stdout).not.toContain(secret);
});
