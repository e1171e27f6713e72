import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type FieldFacts, fieldsOf, isRecordName, type ResourceName, resources } from '@dealkeep/contract';
import { type Erased, erasedKinds } from '@dealkeep/core/records';
import { expect, test } from 'vitest';

const page = new URL('../../../../docs/forgetting.md', import.meta.url);

/** Texts that the program makes itself, or of which nothing reads like a sentence. */
const notFree: readonly string[] = [
  'invoice.number',
  'invoice.variable_symbol',
  'quote.number',
  'order.internal_number',
  'product.sku',
  'product.ean',
  'product.attachments.kind',
  'product.attachments.locale',
  'product.attachments.mime',
  'pipeline.stages.color',
  'tag.color',
  'project.status',
  'project.stages.category',
  'booking-staff.email',
  'view.made_by',
];

/** Shorter ones are numbers, codes and telephone numbers. */
const shortestFree = 60;

const isFree = ({
  type,
  format,
  values,
  maxLength,
  description = { label: { en: '', sk: '' } },
}: FieldFacts) =>
  (type === 'string' || description.keysOf !== undefined) &&
  format === undefined &&
  description.format === undefined &&
  values.length === 0 &&
  (maxLength === undefined || maxLength >= shortestFree) &&
  !description.opens &&
  !description.nameOf &&
  !description.takenFrom &&
  !description.refersTo &&
  !description.codesOf;

/** The fields of a record that people fill in with any words, without those of other records that it shows. */
function freeTexts(fields: readonly FieldFacts[], path = ''): string[] {
  return fields.flatMap((field) => {
    const name = `${path}${field.name}`;
    if (field.fields.length === 0) return isFree(field) ? [name] : [];
    const isOther = field.name !== 'stages' && field.fields.some((part) => part.name === 'id');
    return isOther || field.description?.refersTo ? [] : freeTexts(field.fields, `${name}.`);
  });
}

/** Whether an erasure of the record overwrites the field. */
function isErased(name: string, erased: Readonly<Record<string, Erased>>): boolean {
  const [first = '', ...rest] = name.split('.');
  const becomes = erased[first];
  if (becomes === undefined) return false;
  return rest.length === 0 || !('fields' in becomes) || isErased(rest.join('.'), becomes.fields);
}

const erasedFieldsOf = (name: ResourceName) =>
  (isRecordName(name) ? erasedKinds.get(name)?.fields : undefined) ?? {};
// What people make. Users are no customers; a call of a webhook, an event and the like show records.
const ofPeople = (name: ResourceName): boolean =>
  (resources[name].kind !== 'service' && name !== 'user') || name === 'view';

/** The rows of the table: of each kind of record the texts that go with it, and those that always stay. */
const rows = Object.keys(resources)
  .filter((name): name is ResourceName => name in resources)
  .filter(ofPeople)
  .map((name) => {
    const all = freeTexts(fieldsOf(resources[name].schema)).filter(
      (field) => !notFree.includes(`${name}.${field}`),
    );
    const goes = (field: string): boolean => isErased(field, erasedFieldsOf(name));
    const shown = (fields: readonly string[]): string => fields.map((field) => `\`${field}\``).join(', ');
    return [resources[name].plural.en, shown(all.filter(goes)), shown(all.filter((field) => !goes(field)))];
  });

/** As the guide has it: each column as wide as its widest cell. */
function drawnTable(table: readonly (readonly string[])[]): string {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = table;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}

test('the guide lists each free text that can name a person, and whether it goes with its record (rule erasing 13)', async () => {
  const text = await readFile(page, 'utf8');
  const [, before = '', , after = ''] =
    /^([\s\S]*## Free text that stays\n[\s\S]*?\n)((?:\|[^\n]*\n)+)([\s\S]*)$/.exec(text) ?? [];
  const drawn = drawnTable([['Record', 'Goes with its own record', 'Always stays'], ...rows]);
  // `--update` writes the table as the contract and the erasure have it.
  await expect(`${before}${drawn}\n${after}`).toMatchFileSnapshot(fileURLToPath(page));
});

test('no text is named that there is not', () => {
  const fields = Object.entries(resources).flatMap(([name, { schema }]) =>
    freeTexts(fieldsOf(schema)).map((field) => `${name}.${field}`),
  );
  expect(notFree.filter((field) => !fields.includes(field))).toEqual([]);
});
