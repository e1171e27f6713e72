import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { troubleOfFile } from '../src/foundations/file-trouble.ts';

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

test('an error of a file is a sentence, and says whether another try may help', async () => {
  expect(troubleOfFile(await failure(readFile(import.meta.dirname)))).toMatchObject({
    reason: 'is a folder: name a file',
    isFull: false,
    isLasting: true,
  });
  const below = `${import.meta.filename}/below`;
  expect(troubleOfFile(await failure(readFile(below)))).toMatchObject({ path: below, isLasting: true });
});

test.runIf(process.platform === 'linux')('a full disk may get room again', async () => {
  expect(troubleOfFile(await failure(writeFile('/dev/full', 'text')))).toMatchObject({
    reason: expect.stringContaining('make room on its disk'),
    isFull: true,
    isLasting: false,
  });
});

test('an error of a connection or a program is no error of a file', async () => {
  const refused = new Promise((_, reject) => connect({ path: '/none/socket' }).once('error', reject));
  expect(troubleOfFile(await failure(refused))).toBeUndefined();
  expect(troubleOfFile(new Error('ENOENT'))).toBeUndefined();
});
