import type { TestDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { type LookupOwner, lists, tokenOn } from './lookup-owner.ts';
import { problemBeside, textOf } from './page-parts.ts';

const save = { do: 'save' };

/** What an entry of a list is made with, and what it is changed to. */
type Fields = Readonly<Record<string, string>> & { readonly name: string };

/** As the API shows what was typed. */
const shown = (fields: Fields): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (name === 'required') return [name, value === 'true'];
      const number = ['duration_minutes', 'price'].includes(name);
      return [name, number ? Number(value) : value];
    }),
  );

/** What every list to choose from promises of its entries. */
export function itKeepsEntries(
  dealkeep: TestDealkeep,
  [me, theirs]: readonly [LookupOwner, LookupOwner],
  [path, fields, changes]: readonly [path: string, Fields, Fields],
): void {
  test('are added, changed and removed, and the API shows it at once', async () => {
    const id = await me.idOf(path, fields);
    expect((await me.listed(`/${path}`)).get(fields.name)).toMatchObject(shown(fields));
    expect((await me.browser.get(`${lists}/${path}`)).html).toContain(fields.name);

    const saved = await me.step(path, id, 'edit', changes);
    expect(saved.location).toContain('?done=saved');
    const after = await me.listed(`/${path}`);
    expect(after.get(changes.name)).toMatchObject({ id, ...shown(changes) });
    expect(after.has(fields.name)).toBe(false);

    const asking = await me.browser.get(`${lists}/${path}/${id}/remove`);
    expect(textOf(asking.html)).toContain('No record has it');
    expect((await me.step(path, id, 'remove')).location).toBe(`${lists}/${path}?done=removed`);
    expect((await me.listed(`/${path}`)).has(changes.name)).toBe(false);
    expect((await me.browser.get(`${lists}/${path}/${id}/edit`)).status).toBe(404);
    expect(await dealkeep.eventsOf(me.organization)).toEqual([]);
  });

  test('a name that is taken is refused beside the field, and of a form sent twice one is made', async () => {
    const address = `${lists}/${path}/new`;
    const form = await me.browser.get(address);
    const send = () => me.browser.submit(form, address, { ...fields, ...save });
    expect([(await send()).status, (await send()).status]).toEqual([303, 303]);
    const again = await me.add(path, { ...fields, name: fields.name.toUpperCase() });
    expect([again.status, problemBeside(again.html, 'name')]).toEqual([
      422,
      'There is already one with this name. Choose another.',
    ]);
    const id = await me.idOf(path, { ...fields, ...changes });
    const renamed = await me.step(path, id, 'edit', { name: fields.name });
    expect([renamed.status, problemBeside(renamed.html, 'name')]).toEqual([422, expect.any(String)]);
    const names = [...(await me.listed(`/${path}`)).keys()];
    expect(names.filter((name) => name === fields.name)).toHaveLength(1);
  });

  test('what another organization has does not exist', async () => {
    const id = await theirs.idOf(path, fields);
    const csrf_token = tokenOn(await me.browser.get(`${lists}/${path}/new`));
    for (const step of ['edit', 'remove']) {
      const address = `${lists}/${path}/${id}/${step}`;
      expect((await me.browser.get(address)).status, address).toBe(404);
      expect((await me.browser.post(address, { csrf_token, ...fields, ...save })).status, address).toBe(404);
    }
    expect((await theirs.listed(`/${path}`)).get(fields.name)).toMatchObject({ id });
  });

  test('an old form is told, and what is typed never becomes markup', async () => {
    const script = '<script>alert(1)</script>';
    const id = await me.idOf(path, { ...fields, name: script });
    const address = `${lists}/${path}/${id}/edit`;
    const [first, stale] = [await me.browser.get(address), await me.browser.get(address)];
    await me.browser.submit(first, address, { ...changes, name: `${script} 2`, ...save });
    const told = await me.browser.submit(stale, address, { name: 'Old', ...save });
    expect([told.status, textOf(told.html)]).toEqual([409, expect.stringContaining('changed this record')]);
    expect((await me.listed(`/${path}`)).has(`${script} 2`)).toBe(true);
    for (const page of [`${lists}/${path}`, address, `${lists}/${path}/${id}/remove`]) {
      expect((await me.browser.get(page)).html, page).not.toContain(script);
    }
  });
}
