import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  allScopes,
  attemptDelaysSeconds,
  bareSchema,
  commonListParameters,
  errorStatus,
  limits,
  type OperationDeclaration,
  operations,
  permissionEntities,
  permissionRights,
} from '../src/index.ts';

// The tables of the rules are those of the contract.

const folder = join(import.meta.dirname, '..', '..', '..', 'docs', 'rules');

/** The cells of the rows of a rule's table, without its head. */
function rowsOf(page: string, number: number): string[][] {
  const [, after = ''] = readFileSync(join(folder, `${page}.md`), 'utf8').split(`### ${page} ${number}\n`);
  const [own = ''] = after.split(/^##/m);
  const rows = own.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
const codesIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

test('each error code has the status that the table says (rule errors 3)', () => {
  const told = rowsOf('errors', 3).flatMap(([status, codes]) =>
    codesIn(codes).map((code) => [code, Number(status)] as const),
  );
  expect(Object.fromEntries(told)).toEqual(errorStatus);
});

test('the scopes are those of the table (rule scopes 1)', () => {
  const told = rowsOf('scopes', 1).flatMap(([scopes]) => codesIn(scopes));
  expect(told.toSorted()).toEqual(allScopes.toSorted());
  expect(allScopes).toHaveLength(19);
});

test('a role permits entities and rights that there are (rule scopes 4)', () => {
  const text = readFileSync(join(folder, 'scopes.md'), 'utf8');
  const [, rule = ''] = text.split('### scopes 4\n');
  const [own = ''] = rule.split('### scopes 5');
  for (const name of [...permissionEntities, ...permissionRights]) expect(own).toContain(`\`${name}\``);
  expect(permissionRights).toEqual(['view', 'create', 'edit']);
  expect(permissionEntities).toHaveLength(10);
});

test('filters and sorts of each list are those of the table (rules lists 6 and 7)', () => {
  const lists = Object.values<OperationDeclaration>(operations).flatMap(({ kind, path, query }) => {
    const { sort } = query?.shape ?? {};
    if (kind !== 'list' || !query || !sort) return [];
    const { bare } = bareSchema(sort);
    const sorts: string[] = Reflect.get(bare, 'options');
    const filters = Object.keys(query.shape).filter((name) => !commonListParameters.includes(name));
    return [{ path, sorts, filters }];
  });
  const told = new Map(
    rowsOf('lists', 7).map(([list = '', , filters = '', sorts = '']) => [
      list,
      { filters: filters.split(', ').filter(Boolean), sorts: sorts.split(', ').filter(Boolean) },
    ]),
  );
  for (const { path, sorts, filters } of lists) {
    const name = path === '/products/categories' ? 'product categories' : path.slice(1);
    const row = told.get(name) ?? told.get('other lookups');
    const own = filters.filter((each) => !['q', 'include', 'custom_field'].includes(each));
    expect([path, own.toSorted()]).toEqual([path, row?.filters.toSorted()]);
    const fields = ['created_at', 'updated_at', ...(row?.sorts ?? [])];
    expect([path, sorts]).toEqual([path, fields.flatMap((field) => [field, `-${field}`])]);
  }
  expect(lists.length).toBeGreaterThan(20);
});

/** What the tables of the limits say, as far as the contract knows it. */
const figures: readonly (readonly [number: number, rows: Readonly<Record<string, string>>])[] = [
  [
    1,
    {
      'requests a minute of a credential; in a test environment': `${limits.requestsPerMinute}; ${limits.testRequestsPerMinute}`,
      'requests a minute of an organization; in a test environment': `${limits.organizationRequestsPerMinute}; ${limits.testOrganizationRequestsPerMinute}`,
      'requests a minute of a session of the console; of an application at its endpoints': `${limits.sessionRequestsPerMinute}; ${limits.applicationRequestsPerMinute}`,
      'body of a request': `${limits.bodyBytes / 1024 ** 2} MiB`,
      'time for a request to come whole': `${limits.requestSeconds} seconds`,
      'form of somebody who is not signed in, or of an application': `${limits.openFormBytes / 1024} KiB, ${limits.openFormFields} fields`,
      '`Idempotency-Key`; how long an answer is stored': `1 to ${limits.idempotencyKeyLength} characters; ${limits.idempotencyRetentionHours} hours`,
      'page of a list': `1 to ${limits.pageSizeMaximum} records, ${limits.pageSizeDefault} by default, ${limits.pageBytes / 1024 ** 2} MiB`,
      'items of a batch; how many of them count as one request': `1 to ${limits.batchItems}; ${limits.itemsPerRequest}`,
      'results of a search over everything': `${limits.searchResults}`,
      'days of the free starts of a service': `${limits.availabilityDays}`,
      'failing fields that an answer names': `${limits.failingFields}`,
    },
  ],
  [
    2,
    {
      'text without a length of its own': `${limits.textBytes / 1024} KiB as JSON`,
      'list without a number of its own, such as the items of an order': `${limits.listItems} entries`,
      'value of a custom field': `${limits.customFieldLength} characters`,
      'tags of a company or a lead, as programs write them': `${limits.tagsOfRecord}`,
      'tags of an organization, as programs make them': `${limits.tagsOfOrganization}`,
      'choices of a custom field': `${limits.customFieldChoices}`,
      'record; its envelope': `254 KiB; ${limits.envelopeBytes / 1024} KiB`,
      'file that is imported; its rows; a row of it': `${limits.importBytes / 1024 ** 2} MiB; 50,000; ${limits.importRowBytes / 1024} KiB`,
      'unfinished imports of an organization; how long one is kept; can be undone': `${limits.importsPerOrganization}; ${limits.importDays} days; ${limits.importUndoHours} hours`,
    },
  ],
  [
    3,
    {
      'API keys of an organization': `${limits.keysPerOrganization}`,
      'webhooks of an organization, REST hooks and made by hand together': `${limits.webhooksPerOrganization}`,
      'an entry of the audit log is kept': `${limits.auditDays} days`,
    },
  ],
  [
    4,
    {
      'event types': 'as many as the catalog has',
      'target of a webhook': `${limits.webhookTargetLength} characters`,
      'headers of a webhook made by hand': `${limits.webhookHeaders}, a value ${limits.webhookHeaderLength} characters`,
      '`max_per_minute` of one': `1 to ${limits.webhookAttemptsPerMinute}`,
      'time for an answer': `${limits.deliveryTimeoutSeconds} seconds`,
      attempts: `${attemptDelaysSeconds.length}`,
      '`Retry-After` that is heeded': `${limits.retryAfterSeconds / 3600} hours`,
      'failing until a mail; until the end': `${limits.failingMailHours} hours; ${limits.failingEndHours} hours`,
      'held events': `${limits.heldEventsDays} days, 1,000 for a webhook`,
      'former secret': `${limits.previousSecretHours} hours`,
      'attempts in the log': `${limits.deliveryLogDays} days`,
      events: `${limits.eventDays} days`,
      'deliveries sent again': `${limits.replayedPerSecond} a second`,
      'wait for an event of the feed': `${limits.feedWaitSeconds} seconds`,
    },
  ],
];

test.each(figures)(
  'the figures of table %i are those of the contract (rules limits 1, 2, 3 and 4)',
  (number, rows) => {
    const told = Object.fromEntries(rowsOf('limits', number).map(([of = '', figure = '']) => [of, figure]));
    expect(told).toMatchObject(rows);
  },
);
