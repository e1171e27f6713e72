import { createApi, serve } from '@dealkeep/api';
import { createCore } from '@dealkeep/core';
import { readLookups } from '@dealkeep/core/records';
import { type ApiClient, ApiClient as Client, inConsole, lockWaits, sharedDealkeep } from '@dealkeep/testing';
import { afterAll, describe, expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();
const { core, sql } = dealkeep;

/** Another API process on the same database. */
const other = await (async () => {
  const server = await serve(createApi({ core: createCore(core) }), { port: 0, host: '127.0.0.1' });
  afterAll(() => server.stop(1000));
  return (key: string): ApiClient =>
    new Client(`http://127.0.0.1:${server.port}/api/v1/public`, { Authorization: `Bearer ${key}` });
})();

async function business() {
  const organization = await dealkeep.createOrganization();
  const api = dealkeep.as(organization.key);
  const pipeline = (await api.get('/pipelines')).page.data[0];
  const stage = (name: string) => pipeline?.stages.find((each) => each.name === name)?.id ?? '';
  return { organization, api, elsewhere: other(organization.key), pipeline, stage };
}

/** Resolves as soon as a statement waits for a lock. */
const somebodyWaits = () => expect.poll(() => lockWaits(sql)).toBe(1);

describe('a change of a list', () => {
  test('is seen by every process in its next answer, in lists and in records (rule lookups 5)', async () => {
    const { organization, api, elsewhere, stage } = await business();
    const { id } = (await api.post('/leads', { name: 'Ten bikes' })).data;
    expect((await elsewhere.get(`/leads/${id}`)).data.stage?.name).toBe('New');
    const changes = { name: 'Fresh', probability: 5 };
    await inConsole(core, organization, 'stages.edit', { id: stage('New'), ...changes });
    expect((await elsewhere.get(`/leads/${id}`)).data.stage).toMatchObject({ name: 'Fresh', probability: 5 });
    expect((await elsewhere.get('/pipelines')).page.data[0]?.stages[0]?.name).toBe('Fresh');
    const origin = await inConsole(core, organization, 'lead-origins.add', { name: 'Radio' });
    expect((await elsewhere.post('/leads', { name: 'Heard', origin_id: origin.id })).status).toBe(201);
  });

  test('is one at a time: of two of a name made at once, one is refused', async () => {
    const { organization } = await business();
    const make = () => inConsole(core, organization, 'lead-origins.add', { name: 'Radio' });
    const outcomes = await Promise.allSettled([make(), make(), make()]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const origins = await readLookups({ sql, organization: organization.id }, 'lead-origin');
    expect(origins.filter(({ name }) => name === 'Radio')).toHaveLength(1);
  });
});

test('a task stays in an archived project and moves between its stages; no other task comes in (rule lookups 6)', async () => {
  const { organization, api } = await business();
  const project = await inConsole(core, organization, 'projects.add', { name: 'Move', status: 'active' });
  const stages = await readLookups({ sql, organization: organization.id }, 'project-stage', project.id);
  const [first, second] = stages.map(({ id }) => id);
  const task = (await api.post('/tasks', { title: 'Pack', stage_id: first })).data;
  const outside = (await api.post('/tasks', { title: 'Other' })).data;
  expect(await inConsole(core, organization, 'projects.remove', { id: project.id })).toBe('archived');
  const moved = await api.patch(`/tasks/${task.id}`, { project_id: project.id, stage_id: second });
  expect([moved.data.project?.name, moved.data.stage?.id]).toEqual(['Move', second]);
  const refused = await api.patch(`/tasks/${outside.id}`, { stage_id: second });
  expect(refused.fields).toEqual({ stage_id: 'not_found' });
});

describe('a record that is made meanwhile', () => {
  test('in a stage that is being removed is refused, as if the stage had been gone before', async () => {
    const { organization, api, stage } = await business();
    await api.get('/pipelines');
    const answer = await sql.begin(async (tx) => {
      await tx`delete from stages where organization_id = ${organization.id} and id = ${stage('Contacted')}`;
      await tx`update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
      const waiting = api.post('/leads', { name: 'Late', stage_id: stage('Contacted') });
      await somebodyWaits();
      return { waiting };
    });
    expect((await answer.waiting).fields).toEqual({ stage_id: 'not_found' });
  });

  test('in a stage whose kind changes has the new status', async () => {
    const { organization, api, stage } = await business();
    const { waiting } = await sql.begin(async (tx) => {
      await tx`
        update stages set kind = 'won' where organization_id = ${organization.id} and id = ${stage('Contacted')}`;
      await tx`update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
      const waiting = api.post('/leads', { name: 'Late', stage_id: stage('Contacted') });
      await somebodyWaits();
      return { waiting };
    });
    expect((await waiting).data).toMatchObject({ status: 'won', stage: { kind: 'won' } });
  });

  test('is not left behind in a stage that is removed', async () => {
    const { organization, stage } = await business();
    const id = crypto.randomUUID();
    const { removal } = await sql.begin(async (tx) => {
      await tx`
        insert into leads (organization_id, id, pipeline_id, stage_id, status, stage_entered_at, created_at, updated_at)
        select organization_id, ${id}, pipeline_id, id, 'open', now(), now(), now()
        from stages where organization_id = ${organization.id} and id = ${stage('Contacted')}`;
      const removal = inConsole(core, organization, 'stages.remove', {
        id: stage('Contacted'),
        open: stage('New'),
      });
      await somebodyWaits();
      return { removal };
    });
    expect(await removal).toBe('removed');
    expect((await dealkeep.as(organization.key).get(`/leads/${id}`)).data.stage?.name).toBe('New');
  });
});
