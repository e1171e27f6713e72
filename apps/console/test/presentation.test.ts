import { everyOperation, fieldsOf, type OperationDeclaration } from '@dealkeep/contract';
import { describe, expect, test } from 'vitest';
import { formSections, pageSections } from '../src/records/arranged-fields.ts';

import { lead } from '../src/records/kinds/lead.ts';

import { bodyFields, declared, eachKind, namesOf, plural, recordFields } from './presented-kinds.ts';

describe.each(eachKind)('what is declared of %s', (_, kind) => {
  const columns = kind.columns.flatMap((column) => (typeof column === 'string' ? [column] : column.of));
  const inForm = [...kind.form.flatMap(({ fields }) => fields), ...(kind.more ?? [])];
  const onPage = kind.page.flatMap(({ fields }) => fields);

  test('names only fields that the contract has, each once', () => {
    const ofRecord = recordFields(kind).map(({ name }) => name);
    const ofForms = (['create', 'update'] as const).flatMap((name) =>
      bodyFields(kind, name).map((field) => field.name),
    );
    expect(ofRecord).toEqual(
      expect.arrayContaining([...columns, ...onPage, ...Object.keys(kind.leftOut.page)]),
    );
    expect(ofForms).toEqual(expect.arrayContaining([...inForm, ...Object.keys(kind.leftOut.form ?? {})]));
    expect([new Set(inForm).size, new Set(onPage).size]).toEqual([inForm.length, onPage.length]);
    const list = declared(`${plural(kind)}.list`)?.query;
    const bodies = Object.values<OperationDeclaration>(everyOperation).filter(
      (operation) => operation.resource === kind.resource,
    );
    const everywhere = new Set([
      ...namesOf(recordFields(kind)),
      ...namesOf(list ? fieldsOf(list) : []),
      ...bodies.flatMap(({ body }) => (body ? namesOf(fieldsOf(body)) : [])),
    ]);
    expect(Object.keys(kind.labels ?? {}).filter((path) => !everywhere.has(path))).toEqual([]);
  });

  test('places every field, or says why programs alone have it', () => {
    const placed = new Set([...onPage, ...Object.keys(kind.leftOut.page)]);
    expect(
      recordFields(kind)
        .map(({ name }) => name)
        .filter((name) => !placed.has(name)),
    ).toEqual([]);
    const asked = new Set([...inForm, ...Object.keys(kind.leftOut.form ?? {})]);
    const bodies = (['create', 'update'] as const).flatMap((name) => bodyFields(kind, name));
    const missing = bodies.filter(({ name, description }) => !asked.has(name) && !description?.leftOutOf);
    expect(missing.map(({ name }) => name)).toEqual([]);
    const reasons = [...Object.values(kind.leftOut.page), ...Object.values(kind.leftOut.form ?? {})];
    expect(reasons.filter((reason) => !/\w+ \w+/.test(reason))).toEqual([]);
  });
});

describe('a field that no declaration places', () => {
  const fields = recordFields(lead);
  const named = (sections: ReturnType<typeof pageSections>) =>
    sections.map((section) => section.fields.map(({ name }) => name));

  test('stands at the end of the page', () => {
    expect(
      named(pageSections([{ fields: ['name'] }, { fields: ['value'] }], fields))
        .at(-1)
        ?.slice(0, 2),
    ).toEqual(['value', 'id']);
    expect(named(pageSections([], fields))).toEqual([fields.map(({ name }) => name)]);
  });

  test('is folded away in the form, behind what is', () => {
    const some = fields.filter(({ name }) => ['name', 'value', 'note', 'status'].includes(name));
    const sections = formSections([{ fields: ['note'] }], ['value'], some);
    expect(named(sections)).toEqual([['note'], ['value', 'name', 'status']]);
    expect(sections.map(({ isFolded }) => isFolded ?? false)).toEqual([false, true]);
  });
});
