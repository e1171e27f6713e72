import { connect as connectDatabase } from '@dealkeep/core/foundations';
import { expect, onTestFinished, test } from 'vitest';
import { dealkeep, oneLine, ownDatabase, result, startReadyHere } from './program.ts';

test('a program that does not live with what a newer version has done does not start, migrate or call itself ready, and says so', async () => {
  const variables = await ownDatabase();
  const running = await startReadyHere({ ...variables, ROLES: 'api' });
  const sql = connectDatabase(variables.DATABASE_URL, { connections: 1, name: 'test' });
  onTestFinished(() => sql.end());
  await sql`insert into migrations (name, lived_with_since) values ('9999-of-a-newer-version.sql', '9998')`;

  const ready = await fetch(`${running.origin}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toEqual({
    status: 'database is newer',
    unknown: ['9999-of-a-newer-version.sql'],
  });
  await running.says(/migrated by a newer version while this one runs/);
  expect((await running.end('SIGTERM')).code).toBe(0);

  for (const args of [['start'], ['migrate'], ['organizations', 'list']]) {
    const { code, stderr } = await dealkeep(args, { ...variables, PORT: '0', ROLES: 'api' });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(oneLine) });
    expect(stderr).toContain('9999-of-a-newer-version.sql, which this version does not know');
  }
  expect(await result(['migrate', '--status'], variables)).toMatchObject({
    pending: [],
    unknown: ['9999-of-a-newer-version.sql'],
  });
  const { code, stdout } = await dealkeep(['doctor', '--json'], { ...variables, PORT: '0' });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toContainEqual(
    expect.objectContaining({ check: 'Migrations', state: 'failed', mend: expect.any(String) }),
  );
});

test('a program of the version before goes on with what a newer one has added, starts again, and says so', async () => {
  const variables = await ownDatabase();
  const running = await startReadyHere({ ...variables, ROLES: 'api' });
  const sql = connectDatabase(variables.DATABASE_URL, { connections: 1, name: 'test' });
  onTestFinished(() => sql.end());
  const [known] = await sql<{ number: string }[]>`select left(max(name), 4) as number from migrations`;
  await sql`
    insert into migrations (name, lived_with_since)
    values ('9998-which-adds.sql', null), ('9999-which-takes-away.sql', ${known?.number ?? ''})`;
  const newer = ['9998-which-adds.sql', '9999-which-takes-away.sql'];

  expect(await (await fetch(`${running.origin}/readyz`)).json()).toEqual({ status: 'ready' });
  await running.says(/migrated by a newer version, with which this one goes on/);
  expect((await running.end('SIGTERM')).code).toBe(0);

  const again = await startReadyHere({ ...variables, ROLES: 'api', MIGRATE: '' });
  expect((await fetch(`${again.origin}/readyz`)).status).toBe(200);
  expect(await result(['migrate'], variables)).toMatchObject({ pending: [], newer, unknown: [] });
  const { stdout } = await dealkeep(['doctor', '--json'], { ...variables, PORT: '0' });
  expect(JSON.parse(stdout)).toContainEqual(
    expect.objectContaining({ check: 'Migrations', state: 'warning', mend: expect.any(String) }),
  );
});
