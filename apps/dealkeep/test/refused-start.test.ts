import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dealkeep, oneLine, ownDatabase, ownFolder, takenPort } from './program.ts';

test('a port that stays in use is reported before a database is created (rule operator 7)', async () => {
  const variables = { DATA_DIR: await ownFolder(), PORT: await takenPort() };
  const { code, stdout, stderr } = await dealkeep(['start'], variables);
  // A service manager tries again: whoever has the port may end.
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(oneLine) });
  expect(stderr).toContain(`PORT ${variables.PORT} is in use`);
  expect(stdout).toContain(`Waiting for port ${variables.PORT}`);
  expect(await readdir(variables.DATA_DIR), 'nothing was created').toEqual([]);
});

describe('a folder that cannot be used is named in one line, with what to do', () => {
  const dataFolders = [
    ['is a file', 'taken', 'which is a file: name a folder'],
    ['is below a file', 'taken/data', 'which is not there: a part of its path is no folder'],
    // Neither ends by itself nor by a signal where the folder above is asked again and again.
    ['cannot be created', '/proc/none', 'which cannot be created'],
    ['is below one that cannot be created', '/proc/none/data', '"/proc/none", which cannot be created'],
    ['takes no folder', '/sys/none', 'name another one'],
  ] as const;

  test.runIf(process.platform === 'linux').each(dataFolders)(
    'DATA_DIR that %s, by a start and by a command (rules operator 6 and 28)',
    async (_, path, words) => {
      const folder = await ownFolder();
      await writeFile(join(folder, 'taken'), '');
      const DATA_DIR = path.startsWith('/') ? path : join(folder, path);
      for (const command of [['start'], ['organizations', 'list']]) {
        const { code, stderr } = await dealkeep(command, { DATA_DIR, PORT: '0' });
        expect({ code, stderr }).toEqual({ code: 78, stderr: expect.stringMatching(oneLine) });
        expect(stderr).toMatch(/^DATA_DIR leads to "/);
        expect(stderr).toContain(words);
      }
    },
  );

  test('the folder of an export and the file of a backup (rule operator 28)', async () => {
    const variables = await ownDatabase();
    const taken = join(await ownFolder(), 'taken');
    await writeFile(taken, '');
    for (const [place, words] of [
      [taken, 'is a file: name a folder'],
      [join(taken, 'deeper'), 'is not there: a part of its path is no folder'],
    ] as const) {
      const refused = await dealkeep(['export', '--organization', 'own', place], variables);
      expect(refused).toEqual({ code: 1, stdout: '', stderr: `"${place}" ${words}\n` });
    }
    const backup = await dealkeep(['backup', join(taken, 'own.backup')], variables);
    expect(backup).toMatchObject({ code: 1, stderr: expect.stringMatching(oneLine) });
    expect(backup.stderr).toContain(taken);
  });
});
