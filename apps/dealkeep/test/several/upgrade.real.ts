import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyWithPriority } from '../../walks/field/copy-with-priority.ts';
import { ask } from '../program.ts';
import { Disturbed } from './disturbed.ts';
import { type Installation, startInstallation, type Version } from './installation.ts';
import { installOlderVersion } from './older-version.ts';

async function replaceAll({ api, workers }: Installation, version?: Version): Promise<void> {
  for (const each of [...api, ...workers]) expect(await each.restart(version)).toBe(0);
}

test('an upgrade from the version before and the way back, process by process: its programs as they were then and these ones serve at once, and nobody’s request fails', async () => {
  const older = await installOlderVersion();
  const installation = await startInstallation(older);
  const disturbed = await Disturbed.start(installation);
  await disturbed.by(`${older.name}, migrated by this version`, 'nobody', async () =>
    expect(await installation.migrate()).toMatchObject({ code: 0 }),
  );
  await disturbed.by(`${older.name}, replaced by this version`, 'nobody', () => replaceAll(installation));
  expect(await installation.migrate(older)).toMatchObject({ code: 0 });
  await disturbed.by(`replaced by ${older.name} again`, 'nobody', () => replaceAll(installation, older));
  await disturbed.judge((line) => console.info(line));
});

test('an upgrade to the next version and the way back, process by process: both versions serve meanwhile, and nobody’s request fails', async () => {
  const copy = await copyWithPriority();
  onTestFinished(() => rm(copy, { recursive: true, force: true }));
  const next = { program: join(copy, 'apps/dealkeep/bin/dealkeep.js') };
  const installation = await startInstallation();
  const { api, origin, token, sql } = installation;
  const disturbed = await Disturbed.start(installation);
  const lead = async (method: string, path: string, body?: object) => {
    const answer = await ask(origin, token, `/leads${path}`, {
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const { data }: { data: Record<string, unknown> } = JSON.parse(await answer.text());
    return data;
  };

  await disturbed.by('migrated by the next version', 'nobody', async () =>
    expect(await installation.migrate(next)).toMatchObject({ code: 0 }),
  );
  expect(await lead('POST', '', { name: 'Of the version before' })).not.toHaveProperty('priority');
  await disturbed.by('replaced by the next version', 'nobody', () => replaceAll(installation, next));
  const made = await lead('POST', '', { name: 'Of the next version', priority: 'First' });
  expect(made).toMatchObject({ priority: 'First' });

  // A rollback is the same the other way round; the tables stay as they are.
  expect(await installation.migrate()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('9999-priority'),
  });
  await disturbed.by('replaced by the version before', 'nobody', () => replaceAll(installation));
  const changed = await lead('PATCH', `/${made['id']}`, { name: 'Changed by the version before' });
  expect(changed).not.toHaveProperty('priority');
  expect(api[0].said()).toContain('migrated by a newer version, with which this one goes on');
  const kept = await sql`select name, priority from leads where id = ${String(made['id'])}`;
  expect(kept).toEqual([{ name: 'Changed by the version before', priority: 'First' }]);
  await disturbed.judge((line) => console.info(line));
});
