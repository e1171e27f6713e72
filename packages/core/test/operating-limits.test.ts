import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectQueue } from '@dealkeep/core/foundations';
import { expect, test } from 'vitest';
import { connectPools } from '../src/foundations/database/connect-pools.ts';
import { otherConnections, workerConnections } from '../src/foundations/operating-limits.ts';

const folder = join(import.meta.dirname, '..', 'src');
const sources = new Map<string, string>();
for await (const file of glob('**/*.ts', { cwd: folder })) {
  sources.set(file, await readFile(join(folder, file), 'utf8'));
}

const limitsFile = 'foundations/operating-limits.ts';
const handedOut = 'foundations/index.ts';
const declared =
  /^(?:export )?const (\w+)(?:: \w+)? = (?:[\d_.]+(?: \* [\d_.]+)*|[\d_]+ \* \w+(?:\.\w+)?);/gm;

test('no two figures of core have one name, whatever they limit', () => {
  const places = new Map<string, string[]>();
  for (const [file, text] of sources) {
    for (const [, name = ''] of text.matchAll(declared)) {
      places.set(name, [...(places.get(name) ?? []), file]);
    }
  }
  expect(places.size).toBeGreaterThan(60);
  expect([...places].filter(([, files]) => files.length > 1)).toEqual([]);
});

test('every figure that an operator may ask about says why, and is in use', () => {
  const text = sources.get(limitsFile) ?? '';
  const names = [...text.matchAll(/^export const (\w+)/gm)].map(([, name = '']) => name);
  const explained = [...text.matchAll(/\*\/\nexport const (\w+)/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(40);
  expect(explained).toEqual(names);
  const others = [...sources].filter(([file]) => file !== limitsFile && file !== handedOut);
  const exported = sources.get(handedOut) ?? '';
  const used = (name: string) => {
    const word = new RegExp(`\\b${name}\\b`);
    return others.some(([, other]) => word.test(other)) || word.test(exported);
  };
  expect(names.filter((name) => !used(name))).toEqual([]);
});

test('a figure of time or of bytes says its unit', () => {
  const text = sources.get(limitsFile) ?? '';
  const figures = [...text.matchAll(declared)].map(([, name = '']) => name);
  const counts =
    /^(dead|remembered|unwritten|inspected|tried|attempts)|(AtOnce|InFlight|Share|PerKey|Connections|Tries)$/;
  const units = /(Ms|Seconds|Minutes|Hours|Days|Bytes|PerMinute)$/;
  expect(figures.filter((name) => !units.test(name) && !counts.test(name))).toEqual([]);
});

test('the connections that a process says it opens at most are those that its pools have', () => {
  // Nothing is connected to: pools do that at their first statement.
  const databaseUrl = 'postgres://nobody@127.0.0.1:1/none';
  const sizes = (pools: object) =>
    Object.values(pools).reduce((sum: number, { options }) => sum + options.max, 0);
  const placesOfStreams = 1;
  expect(sizes(connectPools(databaseUrl, 10)) + placesOfStreams).toBe(10 + otherConnections);
  expect(sizes(connectQueue(databaseUrl))).toBe(workerConnections.queue);
});
