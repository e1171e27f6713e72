import { inConsole, startDealkeep, type TestDealkeep, type TestOrganization } from '@dealkeep/testing';
import { startChromium } from '@dealkeep/testing/chromium';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Api } from './api.ts';
import { Editor } from './editor.ts';
import { at, listAt, textAt } from './json.ts';
import { N8nDriver } from './n8n-driver.ts';

describe('in the editor of n8n, in a browser,', () => {
  const n8n = new N8nDriver();
  let api: Api;
  let dealkeep: TestDealkeep;
  let organization: TestOrganization;

  beforeAll(async () => {
    dealkeep = await startDealkeep({ allowedTargets: '127.0.0.1' });
    organization = await dealkeep.createOrganization();
    api = new Api(dealkeep.baseUrl, organization.key);
  });
  const browser = startChromium();

  const open = async () => {
    const editor = await Editor.open(await browser, n8n.session);
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') await editor.picture(`failed-${task.id}`);
      await editor.close();
    });
    return editor;
  };

  test('the node is found, connected, filled in from its dropdowns, and run', async () => {
    const [pipeline] = listAt(await api.call('GET', '/pipelines'), 'data');
    const stages = listAt(pipeline, 'stages').map((stage) => textAt(stage, 'name'));
    for (let number = 1; number <= 120; number++)
      await api.call('POST', '/companies', { name: `Firma ${number}` });
    const company = await api.create('/companies', { name: 'Železiarstvo Kováč' });

    const editor = await open();
    await editor.addManualTrigger();
    await editor.lookFor('dealkeep');
    await editor.part('node-creator-item-name').getByText('Dealkeep', { exact: true }).click();
    await editor.picture('actions');
    await editor.page.getByText('Create lead', { exact: true }).click();
    await editor.connect(api.baseUrl, api.key);
    await editor.part('credential-edit-button').waitFor();

    // What a lead is about and whose it is stands there from the start.
    await editor.fill('name', 'Dvere na mieru');
    for (const field of ['Pipeline', 'Stage']) await editor.addField(field);
    expect(await editor.choices('pipelineId')).toContain(textAt(pipeline, 'name'));
    await editor.choose(textAt(pipeline, 'name'));
    // The stages of the chosen pipeline, and no others.
    expect(await editor.choices('stageId')).toEqual(stages);
    await editor.choose(stages[1] ?? '');
    expect(await editor.choices('companyId', 'Železiarstvo')).toEqual(['Železiarstvo Kováč']);
    await editor.picture('dropdown');
    await editor.choose('Železiarstvo Kováč');

    await editor.execute();
    await editor.output().getByText('Dvere na mieru').first().waitFor();
    await editor.picture('executed');

    const [lead] = listAt(await api.call('GET', '/leads?q=Dvere'), 'data');
    expect(at(lead, 'company', 'id')).toBe(company);
    expect(at(lead, 'stage', 'name')).toBe(stages[1]);
  });

  test('custom fields are filled in beside the others, or all columns of the input are mapped', async () => {
    await inConsole(dealkeep.core, organization, 'custom-fields.add', {
      name: 'Odvetvie',
      type: 'choice',
      choices: ['Stavby', 'Obchod'],
      required: false,
    });
    const editor = await open();
    await editor.addManualTrigger();
    await editor.addDealkeep('Create company');
    await editor.connect(api.baseUrl, api.key);
    await editor.part('credential-edit-button').waitFor();
    await editor.fill('name', 'Stavby Kováč');
    await editor.loadMappedFields();
    await editor.addMappedField('Odvetvie');
    await editor.chooseMapped('Stavby');
    await editor.picture('mapper');
    await editor.execute();
    await editor.output().getByText('Stavby Kováč').first().waitFor();
    const [company] = listAt(await api.call('GET', '/companies?q=Stavby'), 'data');
    expect(at(company, 'custom_fields')).toEqual({ Odvetvie: 'Stavby' });

    await editor.mapAutomatically();
    await editor.page.getByText('Columns Not in Dealkeep').waitFor();
    await editor.page.getByText('These columns are taken').waitFor();
    await editor.picture('mapped-automatically');
    // Nothing is asked for that a column says.
    expect(await editor.part('parameter-input-name').count()).toBe(0);
  });

  test('the trigger listens, and shows the record of what happened', async () => {
    const editor = await open();
    await editor.addDealkeep('On lead created');
    await editor.connect(api.baseUrl, api.key);
    await editor.part('credential-edit-button').waitFor();
    await editor.execute();
    await expect.poll(async () => listAt(await api.call('GET', '/webhooks'), 'data')).toHaveLength(1);
    await editor.picture('listening');
    await api.create('/leads', { name: 'Okná do kúpeľne' });
    await editor.output().getByText('Okná do kúpeľne').first().waitFor();
    await editor.picture('trigger');
    // Nothing is left behind by a test.
    await expect.poll(async () => listAt(await api.call('GET', '/webhooks'), 'data')).toEqual([]);
  });

  test('a key is connected although the latest credential was for OAuth', async () => {
    await n8n.createOAuthCredential(api.baseUrl, { client_id: 'office', client_secret: 'not connected' });
    const editor = await open();
    await editor.addDealkeep('On lead created');
    await editor.connect(api.baseUrl, api.key);
    await editor.part('credential-edit-button').waitFor();
  });

  test('a key that is not valid is told in the words of the API', async () => {
    const editor = await open();
    await editor.addManualTrigger();
    await editor.addDealkeep('Get many companies');
    await editor.connect(api.baseUrl, `${api.key}x`);
    const form = editor.part('editCredential-modal');
    await form.getByText('More details').click();
    await form.getByText('This API key is not valid').first().waitFor();
    await editor.picture('wrong-key');
  });

  test('a hook is limited by the filters that its events have, chosen from their dropdowns', async () => {
    const [pipeline] = listAt(await api.call('GET', '/pipelines'), 'data');
    const editor = await open();
    await editor.addManualTrigger();
    await editor.addDealkeep('Create REST hook');
    await editor.connect(api.baseUrl, api.key);
    await editor.part('credential-edit-button').waitFor();
    await editor.fill('targetUrl', 'http://127.0.0.1:9/won');
    await editor.chooseSeveral('events', ['Lead Won']);
    await editor.addField('Filters');
    const filters = await editor.fieldsToAdd('Add Filter');
    expect(filters).toContain('Pipeline Names or IDs');
    expect(filters).not.toContain('Project Names or IDs');
    await editor.take('Pipeline Names or IDs');
    await editor.chooseSeveral('pipelineId', [textAt(pipeline, 'name')]);
    await editor.picture('hook-filters');
    await editor.execute();
    await editor.output().getByText('whsec_').first().waitFor();
    expect(listAt(await api.call('GET', '/webhooks'), 'data')).toMatchObject([
      { events: ['lead.won'], filters: { pipeline_id: [at(pipeline, 'id')] } },
    ]);
  });

  test('a wrong value is told with the name of its field', async () => {
    const editor = await open();
    await editor.addManualTrigger();
    await editor.addDealkeep('Create company');
    await editor.connect(api.baseUrl, api.key);
    await editor.part('credential-edit-button').waitFor();
    await editor.fill('name', 'Firma s chybou');
    await editor.addField('Email');
    await editor.fill('email', 'not an address');
    await editor.execute();
    await editor.output().getByText('Email: This is not an e-mail address').first().waitFor();
    await editor.picture('wrong-value');
  });
});
