import { expect, test } from 'vitest';
import { RememberedPages } from '../../src/lists/remembered-pages.ts';

/** Pages whose version, a single sign, can be changed, and how often they were read. */
function observed(size = 10) {
  const pages = new RememberedPages();
  const state = { version: '1', reads: 0 };
  const ask = async (key = 'page') => {
    const { body } = await pages.answer(
      key,
      async () => state.version,
      async () => {
        state.reads += 1;
        return { status: 200, body: state.version.padEnd(size, '.'), noStore: false };
      },
    );
    return typeof body === 'string' ? body[0] : String.fromCharCode(body[0] ?? 0);
  };
  return { state, ask };
}

test('a page is read twice, and then no more as long as its version stays', async () => {
  const { state, ask } = observed();
  for (let times = 0; times < 5; times += 1) expect(await ask()).toBe('1');
  expect(state.reads).toBe(2);
});

test('a page of another version is read again', async () => {
  const { state, ask } = observed();
  for (let times = 0; times < 3; times += 1) await ask();
  state.version = '2';
  expect(await ask()).toBe('2');
  expect(await ask()).toBe('2');
  expect(state.reads).toBe(3);
});

test('a change while a page is read is not taken for the version before', async () => {
  const pages = new RememberedPages();
  let current = '1';
  const read = async () => ({ status: 200, body: current, noStore: false });
  const ask = (version: () => Promise<string>) => pages.answer('page', version, read);
  await ask(async () => current);
  // The change falls between version and page.
  await ask(async () => {
    const version = current;
    current = '2';
    return version;
  });
  current = '3';
  expect(Buffer.from((await ask(async () => current)).body).toString()).toBe('3');
});

test('the pages that were not asked for the longest go when 8 MB are full', async () => {
  const { state, ask } = observed(1_000_000);
  for (const key of ['kept', 'forgotten']) for (let times = 0; times < 2; times += 1) await ask(key);
  for (let page = 0; page < 14; page += 1) {
    for (let times = 0; times < 2; times += 1) await ask(`page ${page}`);
    await ask('kept');
  }
  const { reads } = state;
  await ask('kept');
  expect(state.reads).toBe(reads);
  await ask('forgotten');
  expect(state.reads).toBe(reads + 1);
});

test('all are forgotten when told', async () => {
  const pages = new RememberedPages();
  let reads = 0;
  const read = async () => {
    reads += 1;
    return { status: 200, body: String(reads), noStore: false };
  };
  const ask = async () => Buffer.from((await pages.answer('page', async () => '1', read)).body).toString();
  expect([await ask(), await ask(), await ask()]).toEqual(['1', '2', '2']);
  pages.forget();
  expect(await ask()).toBe('3');
});
