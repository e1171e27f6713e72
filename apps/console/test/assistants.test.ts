import { toolSetNames } from '@dealkeep/contract';
import { Browser, connectedUser, sharedDealkeep, startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { textOf } from './page-parts.ts';
import { signedInOwner } from './signed-in-owner.ts';

const dealkeep = await sharedDealkeep();
const keysPath = '/integrations/keys';
const organizationPath = '/settings/organization';

const owner = () => signedInOwner(dealkeep);

const credentialOf = (token: string) =>
  dealkeep.core.credentials.find({ authorization: `Bearer ${token}`, userAgent: 'test' }, 'api');

/** What assistants may do with a token, as this process knows it at this moment. */
const assistantsOf = async (token: string) => {
  const { assistants } = await credentialOf(token);
  return assistants;
};

describe('what AI assistants may do', () => {
  test('an owner limits it for the organization: the next request of every key and app is bound (rules assistants 12 and 13)', async () => {
    const { organization, browser } = await owner();
    const { token } = await connectedUser(dealkeep, organization, 'leads.view=all');
    const edit = `${organizationPath}/edit`;
    expect(await assistantsOf(organization.key)).toEqual({ access: 'all', toolSets: null });
    expect(textOf((await browser.get(organizationPath)).html)).toContain('AI assistants Read and change');

    const form = await browser.get(edit);
    expect(form.html).toMatch(/name="assistant_access" value="all" checked/);
    const limited = { assistant_access: 'read', assistant_tool_sets: 'sales', do: 'save' };
    expect((await browser.submit(form, edit, limited)).location).toBe(`${organizationPath}?done=saved`);
    for (const credential of [organization.key, token]) {
      expect(await assistantsOf(credential)).toEqual({ access: 'read', toolSets: ['sales'] });
    }
    expect(textOf((await browser.get(organizationPath)).html)).toContain('AI assistants Read only: Sales');
    expect(textOf((await browser.get(`${organizationPath}?language=sk`)).html)).toContain(
      'AI asistenti Iba čítať: Predaj',
    );
    await browser.get('/?language=en');

    await browser.fill(edit, edit, { assistant_access: 'off', do: 'save' });
    expect(await assistantsOf(organization.key)).toMatchObject({ access: 'off' });
    expect(textOf((await browser.get(organizationPath)).html)).toContain('Nothing: none can connect');
  });

  test('nothing ticked is every set, also those that come later', async () => {
    const { organization, browser } = await owner();
    const edit = `${organizationPath}/edit`;
    await browser.fill(edit, edit, { assistant_tool_sets: 'work', do: 'save' });
    expect(await assistantsOf(organization.key)).toEqual({ access: 'all', toolSets: ['work'] });
    await browser.fill(edit, edit, { assistant_tool_sets: [], do: 'save' });
    expect(await assistantsOf(organization.key)).toEqual({ access: 'all', toolSets: null });
  });

  test('of one key it is chosen when it is made, and changed afterwards; its scopes stay', async () => {
    const { organization, browser } = await owner();
    const fields = { name: 'Assistant', access: 'automation', assistant_access: 'read', do: 'save' };
    const made = await browser.fill(`${keysPath}/new`, `${keysPath}/new`, fields);
    const token = /id="secret"[^>]*value="([^"]*)"/.exec(made.html)?.[1] ?? '';
    expect(await assistantsOf(token)).toEqual({ access: 'read', toolSets: null });
    expect(await assistantsOf(organization.key)).toEqual({ access: 'all', toolSets: null });
    expect(textOf((await browser.get(keysPath)).html)).toMatch(
      /Assistant .* Everything: reads and changes all records, .* Read only /,
    );

    const { id } = await credentialOf(token);
    const edit = `${keysPath}/${id}/edit`;
    const form = await browser.get(edit);
    expect(form.html).toMatch(/name="assistant_access" value="read" checked/);
    const limited = { assistant_access: 'all', assistant_tool_sets: 'billing', do: 'save' };
    expect((await browser.submit(form, edit, limited)).location).toBe(`${keysPath}/${id}?done=saved`);
    expect(await assistantsOf(token)).toEqual({ access: 'all', toolSets: ['billing'] });
    expect(textOf((await browser.get(keysPath)).html)).toContain('Read and change: Billing');
    expect((await dealkeep.as(token).get('/leads')).status).toBe(200);

    const late = await browser.submit(form, edit, { assistant_access: 'off', do: 'save' });
    expect([late.status, await assistantsOf(token)]).toEqual([409, { access: 'all', toolSets: ['billing'] }]);
  });

  test('a key that is made without a word of it lets assistants do all', async () => {
    const { browser } = await owner();
    const form = await browser.get(`${keysPath}/new`);
    expect(form.html).toMatch(/name="assistant_access" value="all" checked/);
    const made = await browser.submit(form, `${keysPath}/new`, {
      name: 'n8n',
      access: 'automation',
      do: 'save',
    });
    const token = /id="secret"[^>]*value="([^"]*)"/.exec(made.html)?.[1] ?? '';
    expect(await assistantsOf(token)).toEqual({ access: 'all', toolSets: null });
  });

  test('the list of keys says what is left when the organization allows less', async () => {
    const { organization, browser } = await owner();
    const edit = `${organizationPath}/edit`;
    await browser.fill(edit, edit, { assistant_access: 'read', assistant_tool_sets: 'sales', do: 'save' });
    const ofKey = `${keysPath}/${organization.keyId}/edit`;
    await browser.fill(ofKey, ofKey, { assistant_tool_sets: 'shop', do: 'save' });
    expect(await assistantsOf(organization.key)).toEqual({ access: 'read', toolSets: [] });
    expect(textOf((await browser.get(keysPath)).html)).toContain('Nothing: none can connect');
  });

  test('a key of another organization, or one that has ended, cannot be changed', async () => {
    const [mine, theirs] = [await owner(), await owner()];
    const edit = `${keysPath}/${theirs.organization.keyId}/edit`;
    expect((await mine.browser.get(edit)).status).toBe(404);
    const own = await mine.browser.get(`${keysPath}/${mine.organization.keyId}/edit`);
    const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(own.html)?.[1] ?? '';
    const sent = await mine.browser.post(edit, { csrf_token, assistant_access: 'off', do: 'save' });
    expect(sent.status).toBe(404);
    expect(await assistantsOf(theirs.organization.key)).toEqual({ access: 'all', toolSets: null });
  });
});

describe('the page that connects an assistant (rule assistants 14)', () => {
  const path = '/integrations/assistants';
  const codesIn = (html: string): string[] =>
    [...html.matchAll(/<pre id="code-[^"]*">([^<]*)<\/pre>/g)].map(([, code = '']) =>
      code.replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
    );

  test('names the addresses of this installation, and files that programs can read', async () => {
    const { browser } = await owner();
    const codes = codesIn((await browser.get(path)).html);
    const address = `${dealkeep.core.origin}/mcp`;
    expect(codes).toEqual(
      expect.arrayContaining([
        address,
        ...toolSetNames.map((name) => `${address}/${name}`),
        `${address}/all`,
      ]),
    );
    const files = codes.filter((code) => code.startsWith('{')).map((code) => JSON.parse(code));
    expect(files).toHaveLength(4);
    for (const file of files) expect(JSON.stringify(file)).toContain(`"${dealkeep.core.origin}`);
    expect(codes).toContain(`claude mcp add --transport http dealkeep ${address}`);
  });

  test('everybody sees it; what only owners can do is offered to them alone', async () => {
    const { organization, browser } = await owner();
    const eva = await connectedUser(dealkeep, organization, 'leads.view=all');
    const evas = new Browser(dealkeep);
    await evas.signInAs(eva.email);
    const [hers, his] = [await evas.get(path), await browser.get(path)];
    expect([hers.status, his.status]).toEqual([200, 200]);
    for (const step of ['/settings/organization/edit', `${keysPath}/new`]) {
      expect(his.html).toContain(`href="${step}"`);
      expect(hers.html).not.toContain(`href="${step}"`);
    }
    expect(hers.html).toContain('href="/integrations/apps"');
  });

  test('an owner registers what is not registered yet; what is, can be connected at once', async () => {
    const { organization, browser } = await owner();
    const claude = 'https://claude.ai/oauth/mcp-oauth-client-metadata';
    const form = `/integrations/apps/register?${new URLSearchParams({ metadata_url: claude })}`;
    const before = (await browser.get(path)).html;
    expect(codesIn(before)).toContain(claude);
    expect(before).toContain(`href="${form}"`);
    expect((await browser.get(form)).html).toContain(`value="${claude}"`);
    expect(textOf(before)).not.toContain('Claude Registered');
    await dealkeep.sql`
      with app as (
        insert into oauth_apps (client_id, name, redirect_uris, scopes, everywhere, created_at)
        values (${claude}, 'Claude', '{https://claude.ai/api/mcp/auth_callback}', '{leads:read}', false, now())
        returning client_id)
      insert into oauth_app_organizations (organization_id, client_id, user_id, created_at)
      select ${organization.id}, client_id, ${organization.ownerId}, now() from app`;
    const after = (await browser.get(path)).html;
    expect(textOf(after)).toContain('Claude Registered');
    expect(codesIn(after)).not.toContain(claude);
    expect(after).not.toContain(`href="${form}"`);
    const another = await owner();
    expect(textOf((await another.browser.get(path)).html)).not.toContain('Claude Registered');
  });

  test('says what stands in the way: no https, and an owner who allows nothing or little', async () => {
    const { browser } = await owner();
    const edit = `${organizationPath}/edit`;
    const before = textOf((await browser.get(path)).html);
    expect(before).toContain(`This installation has no address with https (${dealkeep.core.origin}).`);
    expect(before).not.toContain('switched off');
    await browser.fill(edit, edit, { assistant_access: 'read', assistant_tool_sets: 'work', do: 'save' });
    const limited = (await browser.get(path)).html;
    expect(textOf(limited)).toContain('What assistants may do here Read only: Work');
    const address = `${dealkeep.core.origin}/mcp`;
    expect(codesIn(limited)).toContain(`${address}/work`);
    expect(codesIn(limited)).not.toContain(`${address}/sales`);
    await browser.fill(edit, edit, { assistant_access: 'off', do: 'save' });
    expect(textOf((await browser.get(path)).html)).toContain(
      'AI assistants are switched off in this organization, so none of them connects.',
    );
    expect(textOf((await browser.get(`${path}?language=sk`)).html)).toContain(
      'AI asistenti sú v tejto organizácii vypnutí, preto sa žiadny nepripojí.',
    );
  });
});

test('with https, nothing is said against assistants in the cloud', async () => {
  const secure = await startDealkeep({ worker: false, origin: 'https://dealkeep.example' });
  const organization = await secure.createOrganization();
  const browser = new Browser(secure);
  await browser.signIn(organization);
  const { html } = await browser.get('/integrations/assistants');
  expect(textOf(html)).not.toMatch(/no address with https|Needs an address/);
  expect(html).toContain('>https://dealkeep.example/mcp<');
  expect(html).not.toContain('--allow-http');
});
