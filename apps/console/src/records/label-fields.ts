import { type FieldFacts, text } from '@dealkeep/contract';
import { runAsUser } from '@dealkeep/core/operations';
import { type ConsoleContext, sessionOf } from '../context.ts';
import type { TextNumberField } from '../forms/typed-numbers.ts';
import { type ShownPage, type ShownRecord, textIn } from '../values/shown-record.ts';

/** A field that the organization decides on instead of the contract. */
const field = (name: string, more: Partial<FieldFacts>): FieldFacts => ({
  name,
  description: undefined,
  type: 'string',
  isArray: false,
  format: undefined,
  required: false,
  nullable: false,
  maxLength: undefined,
  minimum: undefined,
  moreThan: undefined,
  maximum: undefined,
  minItems: undefined,
  maxItems: undefined,
  values: [],
  reference: undefined,
  resource: undefined,
  fields: [],
  ...more,
});

/** The tags to choose from; nothing where the organization has none. */
export async function tagFields(c: ConsoleContext): Promise<FieldFacts[]> {
  const tags = await all(c, 'tags.list');
  const tagged = field('tags', {
    description: { label: text('Tags', 'Štítky') },
    isArray: true,
    required: true,
    values: tags.map((tag) => textIn(tag, 'name')),
  });
  return tags.length > 0 ? [tagged] : [];
}

/** The tags to choose from, and the organization's own fields by their names; what it has none of is left out. */
export async function companyLabelFields(c: ConsoleContext): Promise<FieldFacts[]> {
  const [tagged, own] = await Promise.all([tagFields(c), all(c, 'custom-fields.list')]);
  const valued = field('custom_fields', {
    description: { label: text('Custom fields', 'Vlastné polia') },
    type: 'object',
    required: true,
    fields: own.map(customField),
  });
  return [...tagged, ...(own.length > 0 ? [valued] : [])];
}

const yesOrNo = { true: text('Yes', 'Áno'), false: text('No', 'Nie') };

function customField(record: ShownRecord): FieldFacts & Partial<TextNumberField> {
  const [name, about, kind] = ['name', 'description', 'kind'].map((key) => textIn(record, key));
  const choices: unknown = record['choices'];
  const facts = field(name ?? '', {
    description: {
      label: text(name ?? '', name ?? ''),
      ...(about ? { help: text(about, about) } : {}),
      ...(kind === 'checkbox' ? { choices: yesOrNo } : {}),
    },
    required: record['required'] === true,
    ...(kind === 'checkbox' ? { values: ['true', 'false'] } : {}),
    ...(kind === 'choice' && Array.isArray(choices) ? { values: choices.map(String) } : {}),
    ...(kind === 'date' ? { format: 'date' } : {}),
  });
  return kind === 'number' ? { ...facts, type: kind, heldAsText: true } : facts;
}

async function all(c: ConsoleContext, id: 'tags.list' | 'custom-fields.list'): Promise<ShownRecord[]> {
  const query = [
    ['limit', '100'],
    ['sort', 'name'],
  ] as const;
  const first = (await runAsUser(c.get('core'), sessionOf(c), id, { query })) as ShownPage;
  const records = [...first.data];
  for (let next = first.next_cursor; next !== null; ) {
    const more = [...query, ['cursor', next] as const];
    const page = (await runAsUser(c.get('core'), sessionOf(c), id, { query: more })) as ShownPage;
    records.push(...page.data);
    next = page.next_cursor;
  }
  return records;
}
