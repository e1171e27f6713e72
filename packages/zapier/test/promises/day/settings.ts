import { Browser } from '@dealkeep/testing';
import { beforeAll, expect, test } from 'vitest';
import { failureOf } from '../../platform/failure.ts';
import { unique } from '../world.ts';
import type { Today } from './today.ts';

export function settingsPromises(today: Today): void {
  const chooseAnother =
    'There is no such record in this organization. It may have been deleted: choose another one.';
  const notInList = (label: string) =>
    `${label}: This is not in the list any more. It may have been deleted: take it out, or choose another one.`;
  const lists = '/settings/lists';
  const save = { do: 'save' };
  let owner: Browser;

  beforeAll(async () => {
    owner = new Browser(new URL(today.world.connection.baseUrl));
    await owner.signInAs(today.organization.ownerEmail);
  });
  /** Adds a pipeline with the usual stages in the console. */
  async function newPipeline() {
    const name = unique('Retail');
    const path = `${lists}/pipelines/new`;
    expect((await owner.fill(path, path, { name, ...save })).status).toBe(303);
    const all = await today.world.ask<{ id: string; name: string; stages: { id: string }[] }[]>(
      'GET',
      '/pipelines',
    );
    const made = all.find((each) => each.name === name);
    const [first, second, third] = made?.stages ?? [];
    if (!made || !first || !second || !third) throw new Error(`${name} has no stages.`);
    return { id: made.id, first: first.id, second: second.id, third: third.id };
  }
  const remove = async (path: string) => {
    const address = `${lists}/${path}/remove`;
    expect((await owner.fill(address, address, save)).status).toBe(303);
  };

  test('is a stage that was deleted: steps and the trigger say to choose another one, what stays of its choice goes on', async () => {
    const { id: pipeline_id, first, second, third } = await newPipeline();
    const zap = today.world.zap('lead_stage_changed', { pipeline_id, stage_id: [first, second] });
    await zap.turnOn();
    const { id } = await today.world.newLead({ stage_id: first });
    await remove(`pipelines/${pipeline_id}/stages/${second}`);

    const move = today.world.act('move_lead', { id, pipeline_id, stage_id: second });
    expect((await failureOf(move)).message).toBe(`Stage: ${chooseAnother}`);
    const { id: moved } = await today.world.newLead({ stage_id: third });
    await today.world.ask('POST', `/leads/${moved}/move`, { stage_id: first });
    expect(await zap.runs(await zap.delivery())).toMatchObject([{ id: moved, stage: { id: first } }]);
    await zap.turnOff();
    expect((await failureOf(zap.turnOn())).message).toBe(notInList('Stage, choice 2'));
    const waiting = today.world.zap('lead_stage_changed', { pipeline_id, stage_id: [second] });
    expect((await failureOf(waiting.samples())).message).toBe(notInList('Stage'));
    const shown = await today.world.list('triggers.list_stages', { pipeline_id }, { page: 0 });
    expect(shown.map((stage) => stage['id'])).not.toContain(second);
  });

  test('is a pipeline that was closed: steps and the trigger say to choose another one', async () => {
    const { id, first } = await newPipeline();
    await remove(`pipelines/${id}`);
    const create = (values: object) => failureOf(today.world.act('create_lead', { name: 'Lead', ...values }));
    expect((await create({ pipeline_id: id })).message).toBe(`Pipeline: ${chooseAnother}`);
    expect((await create({ stage_id: first })).message).toBe(`Stage: ${chooseAnother}`);
    expect((await create({ pipeline_id: id, stage_id: first })).message).toContain(
      `Pipeline: ${chooseAnother}`,
    );
    expect(await today.world.list('triggers.list_stages', { pipeline_id: id }, { page: 0 })).toEqual([]);
    const waiting = today.world.zap('lead_stage_changed', { pipeline_id: [id] });
    expect((await failureOf(waiting.samples())).message).toBe(notInList('Pipeline'));
    expect((await failureOf(waiting.turnOn())).message).toBe(notInList('Pipeline'));
  });
}
