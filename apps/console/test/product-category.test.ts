import { Browser, sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { selectedIn, textOf } from './page-parts.ts';

const dealkeep = await sharedDealkeep();

async function visitor() {
  const organization = await dealkeep.createOrganization();
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);
  const api = dealkeep.as(organization.key);
  /** Saves a new product; answers its id. */
  const add = async (fields: Record<string, string>): Promise<string> => {
    const saved = await browser.fill('/products/new', '/products/new', { ...fields, do: 'save' });
    expect(saved.status, textOf(saved.html)).toBe(303);
    return /\/products\/([\w-]+)/.exec(saved.location ?? '')?.[1] ?? '';
  };
  const categoryOf = async (id: string): Promise<unknown> =>
    (await api.get(`/products/${id}`)).data.category_uuid;
  return { browser, add, categoryOf };
}

/** What a form offers as categories: name by id. */
function categoriesIn(html: string): Map<string, string> {
  const select = html.split('<select name="category_uuid"')[1]?.split('</select>')[0] ?? '';
  const options = [...select.matchAll(/<option value="([^"]*)"[^>]*>([^<]*)/g)];
  return new Map(options.map(([, id = '', name = '']) => [name, id]));
}

test('the category of a product is chosen by what its products are called, or a new one is made', async () => {
  const { browser, add, categoryOf } = await visitor();
  const first = categoriesIn((await browser.get('/products/new')).html);
  expect([...first.keys()]).toEqual(['—', 'A new category']);
  const bikes = first.get('A new category') ?? '';
  const bike = await add({ sku: 'B-1', name: 'City <b>bike</b>', category_uuid: bikes });
  expect(await categoryOf(bike)).toBe(bikes);

  const offered = categoriesIn((await browser.get('/products/new')).html);
  expect([...offered.keys()]).toEqual(['—', 'City &lt;b&gt;bike&lt;/b&gt;', 'A new category']);
  expect(offered.get('City &lt;b&gt;bike&lt;/b&gt;')).toBe(bikes);
  expect(offered.get('A new category'), 'another new one').not.toBe(bikes);
  const child = await add({ sku: 'B-2', name: 'Child’s bike', category_uuid: bikes });
  const lamp = await add({
    sku: 'L-1',
    name: 'Lamp',
    category_uuid: offered.get('A new category') ?? '',
  });
  expect(await categoryOf(child)).toBe(bikes);
  expect(await categoryOf(lamp)).not.toBe(bikes);

  const form = await browser.get(`/products/${lamp}/edit`);
  expect(selectedIn(form.html, 'category_uuid')).toBe('Lamp');
  const moved = await browser.submit(form, `/products/${lamp}/edit`, { category_uuid: bikes, do: 'save' });
  expect(moved.status).toBe(303);
  expect(await categoryOf(lamp)).toBe(bikes);
  const page = await browser.get(`/products/${lamp}`);
  expect(page.html).toContain(`<a href="/products?category_uuid=${bikes}">Products of this category</a>`);
  const list = await browser.get(`/products?category_uuid=${bikes}`);
  expect(selectedIn(list.html, 'category_uuid')).toBe('City &lt;b&gt;bike&lt;/b&gt;, Child’s bike, Lamp');
  const none = await browser.fill(`/products/${lamp}/edit`, `/products/${lamp}/edit`, {
    category_uuid: '',
    do: 'save',
  });
  expect(none.status).toBe(303);
  expect(await categoryOf(lamp)).toBeNull();
});

test('a new category stays chosen where the form comes back with what is wrong', async () => {
  const { browser, categoryOf } = await visitor();
  const form = await browser.get('/products/new');
  const made = categoriesIn(form.html).get('A new category') ?? '';
  const again = await browser.submit(form, '/products/new', {
    sku: '',
    name: 'Lamp',
    category_uuid: made,
    do: 'save',
  });
  expect(again.status).toBe(422);
  expect(selectedIn(again.html, 'category_uuid')).toBe('A new category');
  expect(categoriesIn(again.html).get('A new category')).toBe(made);
  const saved = await browser.submit(again, '/products/new', { sku: 'L-1', do: 'save' });
  expect(await categoryOf(/\/products\/([\w-]+)/.exec(saved.location ?? '')?.[1] ?? '')).toBe(made);
});
