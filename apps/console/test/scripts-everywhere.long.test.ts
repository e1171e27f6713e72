import { Browser, sharedDealkeep, type VisitedPage } from '@dealkeep/testing';
import { expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();
const payload = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`;
const markup = ['<script>alert', '<img src=x', `"'><`, `'><img`];

interface TextForm {
  readonly page: string;
  readonly action: string;
  /** Names of the fields that take text: all, and those that take any. */
  readonly fields: readonly string[];
  readonly freeFields: readonly string[];
}

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&amp;', '&');

/** The forms of a page that change something and have a field to type into. */
function textForms(path: string, { html }: VisitedPage): TextForm[] {
  return [...html.matchAll(/<form\b[^>]*method="post"[^>]*>.*?<\/form>/gs)].flatMap(([form]) => {
    const action = attribute(form.slice(0, form.indexOf('>')), 'action') ?? '';
    const tags = [...form.matchAll(/<input\b[^>]*>|<textarea\b[^>]*>/g)].map(([tag]) => tag);
    const typed = tags.filter(
      (tag) => !/ type="(?:hidden|checkbox|radio|date|time|datetime-local|color)"/.test(tag),
    );
    const names = (list: readonly string[]) => [
      ...new Set(list.flatMap((tag) => attribute(tag, 'name') ?? [])),
    ];
    const free = typed.filter(
      (tag) => tag.startsWith('<textarea') || !/ (?:inputmode|type="(?!text))/.test(tag),
    );
    return typed.length === 0 ? [] : [{ page: path, action, fields: names(typed), freeFields: names(free) }];
  });
}

/** Every page that links lead to, one of each kind, with this seen on it. */
async function walk(browser: Browser, see: (path: string, page: VisitedPage) => void): Promise<void> {
  const kindOf = (path: string) =>
    path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|evt_\w+/g, '{id}').replace(/\?.*/, '');
  const seen = new Set<string>();
  const waiting = ['/'];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (seen.has(kindOf(path))) continue;
    seen.add(kindOf(path));
    const page = await browser.get(path);
    see(path, page);
    for (const [, link = ''] of page.html.matchAll(/<a\b[^>]* href="(\/[^"#]*)/g)) {
      if (!/^\/(?:api|docs|assets)\b/.test(link)) waiting.push(link.replaceAll('&amp;', '&'));
    }
  }
}

/** A list as CSV holds every text as it is; browsers save it and never take it for a page. */
const isDownload = ({ headers }: VisitedPage): boolean =>
  headers.get('content-type') === 'text/csv; charset=utf-8' &&
  headers.get('x-content-type-options') === 'nosniff' &&
  (headers.get('content-disposition')?.startsWith('attachment;') ?? false);

const withoutMarkup = (path: string, page: VisitedPage): void => {
  if (isDownload(page)) return;
  const { html } = page;
  for (const part of markup) expect(html, path).not.toContain(part);
};

test('a script in every text field of every form comes out as text, on the form and wherever it was saved', async () => {
  const organization = await dealkeep.createOrganization();
  const api = dealkeep.as(organization.key);
  const { data: company } = await api.post('/companies', { name: payload, note: payload });
  const name = payload;
  await api.post('/contacts', { company_id: company.id, name, position: payload, note: payload });
  await api.post('/clients', { company_id: company.id, reference_name: payload, note: payload });
  await api.post('/leads', { name, company_id: company.id, note: payload });
  await api.post('/activities', { name, start_at: '2026-01-01T10:00:00Z', location: payload, note: payload });
  await api.post('/tasks', { title: payload, description: payload });
  await api.post('/invoices', { company_id: company.id, items: [{ name, unit_price: 1 }], note: payload });
  await api.post('/orders', {
    customer: { name, delivery_address: payload },
    items: [{ sku: payload, unit_price: 1, quantity: 1 }],
    notes: payload,
  });
  await api.post('/webhooks', { target_url: 'http://127.0.0.1:4567/', event: 'lead.won', name });
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);

  const forms: TextForm[] = [];
  await walk(browser, (path, page) => {
    withoutMarkup(path, page);
    forms.push(
      ...textForms(path, page).filter(({ action }) => !/password|sign-out/.test(`${path} ${action}`)),
    );
  });
  expect(forms.length).toBeGreaterThan(20);

  let saved = 0;
  for (const { page, action, fields, freeFields } of forms) {
    for (const names of fields.length === freeFields.length ? [fields] : [fields, freeFields]) {
      const shown = await browser.get(page);
      if (!shown.html.includes(`action="${action.replaceAll('&', '&amp;')}"`)) continue;
      const filled = Object.fromEntries(names.map((each) => [each, payload]));
      const answer = await browser.submit(shown, action, { ...filled, do: 'save' });
      expect([page, answer.status < 500]).toEqual([page, true]);
      withoutMarkup(`${page} → ${action}`, answer);
      if (answer.status === 303) saved += 1;
    }
  }
  expect(saved).toBeGreaterThan(10);
  await walk(browser, withoutMarkup);
});
