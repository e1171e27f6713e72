import { migrate, prepareProgramRole } from '@dealkeep/core/foundations';
import { scaleOut } from '@dealkeep/core/installation';
import type { TestProject } from 'vitest/node';
import { databaseUrl, programUrl } from '../database-url.ts';
import { citusUrl, joinServers, onEach, workersOf } from './servers.ts';

const template = 'template_dealkeep';

/** Makes the template that `testDatabase()` copies on each server of a Citus, with its records distributed. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = citusUrl();
  const others = await workersOf(url);
  const servers = [url, ...others];
  // Also what a run left that was killed.
  const remove = () =>
    onEach(servers, 'postgres', async (each) => {
      await each`update pg_database set datistemplate = false where datname = ${template}`;
      const left = await each<{ name: string }[]>`
        select datname as name from pg_database where datname = ${template} or datname like 'test\\_%'`;
      for (const { name } of left) await each`drop database ${each(name)} with (force)`;
    });
  await remove();
  await onEach(servers, 'postgres', (each) => each`create database ${each(template)}`);
  await joinServers(servers, template);
  const owner = databaseUrl(url, template);
  await migrate(owner);
  await prepareProgramRole(owner, programUrl(owner));
  await scaleOut(owner, { begins() {}, tell() {} });
  // Citus has a process in each of its databases, which keeps it from being copied.
  await onEach(servers, 'postgres', async (each) => {
    await each`alter database ${each(template)} with is_template true allow_connections false`;
    await each`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = ${template}`;
  });
  project.provide('postgres', { url, template, others });
  return remove;
}
