import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';

const repository = join(import.meta.dirname, '..', '..', '..');
const assets = join(import.meta.dirname, '..', 'assets');

describe.each([256, 512])('the logo of %i pixels', async (size) => {
  const picture = PNG.sync.read(await readFile(join(assets, `logo-${size}.png`)));
  const pixel = (x: number, y: number) => [...picture.data.subarray((y * size + x) * 4).subarray(0, 4)];
  const end = size - 1;

  test('is square and of that size', () => {
    expect([picture.width, picture.height]).toEqual([size, size]);
  });

  test.each([
    [0, 0],
    [end, 0],
    [0, end],
    [end, end],
  ])('is transparent in the corner %i, %i', (x, y) => {
    expect(pixel(x, y)[3]).toBe(0);
  });

  test('holds the mark, with its white tick opaque', () => {
    const [x, y] = [(26 - 5) / 50, (42 - 7) / 50].map((share) => Math.round(share * size));
    expect(pixel(x ?? 0, y ?? 0)).toEqual([255, 255, 255, 255]);
    expect(pixel(Math.round(0.5 * size), Math.round(0.9 * size))).toEqual([0x0b, 0x6b, 0x63, 255]);
  });
});

test.each([
  'apps/console/src/assets/icon.svg',
  'packages/n8n-nodes-dealkeep/icons/dealkeep.svg',
  'packages/n8n-nodes-dealkeep/icons/dealkeep.dark.svg',
])('the logo is the mark of %s', async (path) => {
  const shapes = async (file: string) => [...(await readFile(file, 'utf8')).matchAll(/ d="([^"]+)"/g)];
  const mark = (await shapes(join(repository, path))).map(([, shape]) => shape);
  expect(mark.length).toBeGreaterThan(0);
  expect((await shapes(join(assets, 'logo.svg'))).map(([, shape]) => shape)).toEqual(mark);
});
