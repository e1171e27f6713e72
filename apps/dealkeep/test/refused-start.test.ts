import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { dealkeep, oneLine, ownFolder, takenPort } from './program.ts';

test('a port that stays in use is reported before a database is created (rule operator 7)', async () => {
  const variables = { DATA_DIR: await ownFolder(), PORT: await takenPort() };
  const { code, stdout, stderr } = await dealkeep(['start'], variables);
  // A service manager tries again: whoever has the port may end.
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(oneLine) });
  expect(stderr).toContain(`PORT ${variables.PORT} is in use`);
  expect(stdout).toContain(`Waiting for port ${variables.PORT}`);
  expect(await readdir(variables.DATA_DIR), 'nothing was created').toEqual([]);
});
