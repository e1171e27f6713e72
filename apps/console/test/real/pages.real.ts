import { Browser } from '@dealkeep/testing';
import { startChromium } from '@dealkeep/testing/chromium';
import { describe, expect, test } from 'vitest';
import { signIn, startBusiness } from './business.ts';
import { crawl } from './crawl.ts';
import { looks, visitor } from './visitor.ts';

const { dealkeep, organization } = await startBusiness();
const chromium = await startChromium();
const crawler = new Browser(dealkeep);
await crawler.signIn(organization);
const pages = await crawl(crawler, ['/', '/search?q=tatra']);

test('the pages are found that links lead to', () => {
  const kinds = [
    'leads',
    'companies',
    'contacts',
    'clients',
    'quotes',
    'invoices',
    'activities',
    'tasks',
    'bookings',
  ];
  const ofKinds = kinds.flatMap((kind) => [`/${kind}`, `/${kind}/:id`, `/${kind}/new`]);
  const others = [
    ...['/', '/leads/board', '/leads/:id/move', '/companies/:id/labels', '/invoices/:id/pay'],
    ...[
      '/orders/:id',
      '/products/:id/edit',
      '/integrations/keys/:id/revoke',
      '/integrations/webhooks/:id/edit',
    ],
    ...[
      '/integrations/webhooks/:id/deliveries/:id',
      '/integrations/apps',
      '/integrations/assistants',
      '/integrations/developers/events/:type',
    ],
    ...['/settings/lists/tags/new', '/settings/lists/pipelines/:id/stages/:id/remove'],
  ];
  expect([...pages.keys()]).toEqual(expect.arrayContaining([...ofKinds, ...others]));
});

const fileNameOf = (shape: string): string =>
  shape === '/'
    ? 'home'
    : shape
        .slice(1)
        .replaceAll(/:(?:id|type)/g, 'one')
        .replaceAll('/', '-');

describe.each(looks)('in $language, $colours, $width wide', (look) => {
  test('every page is accessible, fits and keeps to itself', { timeout: 600_000 }, async () => {
    const visit = await visitor(chromium, dealkeep.origin, look);
    await signIn(visit, organization);
    const failures: unknown[] = [];
    for (const [shape, path] of pages) {
      await visit.open(path);
      await visit.judge(fileNameOf(shape)).catch((failure) => failures.push(failure));
    }
    expect(failures).toEqual([]);
  });
});
