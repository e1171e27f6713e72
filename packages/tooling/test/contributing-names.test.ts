import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const core = `${root}packages/core/src/`;

test('what CONTRIBUTING.md says of a verb and a change names what there is', async () => {
  const page = await readFile(`${root}CONTRIBUTING.md`, 'utf8');
  const [, section = ''] = /^## A verb, and a change$(.*?)^## /ms.exec(page) ?? [];
  const quoted = [...section.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
  const paths = (await readdir(core, { recursive: true })).filter((path) => path.endsWith('.ts'));
  const rooms = ['change/', 'operations/', 'foundations/database/'];
  const read = paths.filter((path) => rooms.some((room) => path.startsWith(room)));
  const texts = await Promise.all(read.map((path) => readFile(core + path, 'utf8')));
  const words = new Set(texts.flatMap((text) => text.match(/\w+/g) ?? []));
  const missing = quoted
    .filter((text) => text !== 'Idempotency-Key')
    .flatMap((text) =>
      text.endsWith('.ts')
        ? paths.includes(text)
          ? []
          : [text]
        : (text.match(/\w+/g) ?? []).filter((word) => !words.has(word)),
    );
  expect(quoted.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});
