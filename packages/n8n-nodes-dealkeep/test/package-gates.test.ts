import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { checkRequires } from '../scripts/check-requires.ts';
import { publishedManifest } from '../scripts/published-manifest.ts';

/** A folder as the build leaves it, with one file of this code. */
async function built(code: string): Promise<string> {
  const dist = await mkdtemp(join(tmpdir(), 'dist-'));
  onTestFinished(() => rm(dist, { recursive: true }));
  await mkdir(join(dist, 'nodes'));
  await writeFile(join(dist, 'nodes', 'some.node.js'), code);
  return dist;
}

test.each([
  'require("n8n-workflow"); require("./beside.js"); require("../../above.js")',
  "const crypto_1 = require('node:crypto')",
])('built code may need %s', async (code) => {
  await expect(checkRequires(await built(code))).resolves.toBeUndefined();
});

test.each([
  ['@dealkeep/contract', 'require("@dealkeep/contract")'],
  ['zod', "const zod_1 = require( 'zod' )"],
  ['node:fs', 'await import("node:fs")'],
])('built code that needs %s is refused by its name (rule n8n 2)', async (module, code) => {
  await expect(checkRequires(await built(code))).rejects.toThrow(`some.node.js needs ${module}`);
});

test('a build that made nothing is refused', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'dist-'));
  onTestFinished(() => rm(empty, { recursive: true }));
  await expect(checkRequires(empty)).rejects.toThrow('Nothing was built');
});

test('the package has no runtime dependencies, and takes the n8n-workflow of its n8n (rule n8n 2)', () => {
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
});

test('the published manifest has no scripts and no private packages, but an address to write to and a changelog (rule n8n 2)', () => {
  const published = publishedManifest(manifest);
  expect(Object.keys(published)).not.toContain('scripts');
  expect(JSON.stringify(published)).not.toContain('@dealkeep/');
  expect(published).toMatchObject({
    name: 'n8n-nodes-dealkeep',
    author: { email: expect.stringContaining('@') },
    files: ['dist', 'CHANGELOG.md'],
    n8n: { strict: true },
  });
});

test('the primitives that the package gives to the library of Standard Webhooks compute what its own do', () => {
  const load = createRequire(import.meta.url);
  const [sha256, base64] = [
    load('../scripts/primitives/sha256.cjs'),
    load('../scripts/primitives/base64.cjs'),
  ];
  const library = createRequire(load.resolve('standardwebhooks'));
  for (const length of [1, 24, 64, 65, 4096]) {
    const [key, data] = [randomBytes(length), new Uint8Array(randomBytes(length + 1))];
    expect(Buffer.from(sha256.hmac(key, data))).toEqual(Buffer.from(library('fast-sha256').hmac(key, data)));
    const text = library('@stablelib/base64').encode(data);
    expect(base64.encode(data)).toBe(text);
    expect(Buffer.from(base64.decode(text))).toEqual(Buffer.from(data));
  }
});
