import { Browser } from '@dealkeep/testing';
import { startChromium } from '@dealkeep/testing/chromium';
import { describe, expect, test } from 'vitest';
import { signIn, startBusiness } from './business.ts';
import { type Look, visitor } from './visitor.ts';

const { dealkeep, organization } = await startBusiness();
const chromium = await startChromium();
const path = '/integrations/assistants';
const looks: readonly Look[] = [
  { colours: 'light', width: 1280, language: 'en' },
  { colours: 'light', width: 390, language: 'en' },
  { colours: 'light', width: 1280, language: 'sk' },
  { colours: 'light', width: 390, language: 'sk' },
];

describe.each(looks)('in $language, $width wide', (look) => {
  test('the page that connects assistants, and the forms that limit them', async () => {
    const visit = await visitor(chromium, dealkeep.origin, look);
    await signIn(visit, organization);
    await visit.open(path);
    await visit.judge('assistants');
    await visit.page.evaluate(
      'document.querySelectorAll("details").forEach((each) => { each.open = true; })',
    );
    await visit.judge('assistants-unfolded');
    await visit.open('/integrations/keys');
    await visit.judge('assistants-of-keys');
    await visit.open(`/integrations/keys/${organization.keyId}/edit`);
    await visit.judge('assistants-of-key');
    await visit.open('/settings/organization/edit');
    await visit.judge('assistants-of-organization');
  });
});

test('what stands on the page is copied as it stands, with the address of this installation', async () => {
  const visit = await visitor(chromium, dealkeep.origin);
  await visit.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: dealkeep.origin });
  await signIn(visit, organization);
  await visit.open(path);
  await visit.page.getByText('Claude Code', { exact: true }).click();
  await visit.page.getByRole('button', { name: 'Copy (Claude Code, step 1)' }).click();
  await visit.page.getByText('Copied', { exact: true }).waitFor();
  expect(await visit.page.evaluate('navigator.clipboard.readText()')).toBe(
    `claude mcp add --transport http dealkeep ${dealkeep.core.origin}/mcp`,
  );
});

test('it says so when assistants are switched off', async () => {
  const off = await dealkeep.createOrganization();
  const edit = '/settings/organization/edit';
  const browser = new Browser(dealkeep);
  await browser.signIn(off);
  await browser.fill(edit, edit, { assistant_access: 'off', do: 'save' });
  const visit = await visitor(chromium, dealkeep.origin);
  await signIn(visit, off);
  await visit.open(path);
  await visit.page.getByText('AI assistants are switched off in this organization').waitFor();
  await visit.judge('assistants-off');
});
