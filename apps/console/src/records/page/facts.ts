import type { FieldFacts } from '@dealkeep/contract';
import { Problem } from '@dealkeep/core/foundations';
import { html } from 'hono/html';
import { isPermitted } from '../../auth/permitted.ts';
import type { ConsoleContext } from '../../context.ts';
import type { FormSection } from '../../forms/form-sections.ts';
import { type Fact, factList, type Markup } from '../../markup.ts';
import { fieldLabel } from '../../values/field-words.ts';
import type { ShownRecord } from '../../values/shown-record.ts';
import { addressLine, currencyOf, factsIn, shownValue } from '../../values/shown-value.ts';
import { kindOf, recordKinds } from '../record-kinds.ts';
import { pageSay } from './texts.ts';

/** A record that says other records by their ids alone (`client_uuid`), with the names of these. */
export async function withNames(c: ConsoleContext, record: ShownRecord): Promise<ShownRecord> {
  const named = recordKinds.flatMap(({ resource }) => {
    const id = record[`${resource}_uuid`];
    return typeof id === 'string' ? [{ resource, id }] : [];
  });
  const entries = await Promise.all(
    named.map(async ({ resource, id }) => [`${resource}_uuid`, { id, name: await nameOf(c, resource, id) }]),
  );
  return { ...record, ...Object.fromEntries(entries) };
}

/** How a record is called; where the role does not show it, that there is one. */
async function nameOf(c: ConsoleContext, resource: string, id: string): Promise<string> {
  const kind = kindOf(resource);
  try {
    return kind && isPermitted(c, resource, kind) ? kind.titleOf(await kind.get(c, id)) : '';
  } catch (error) {
    if (error instanceof Problem) return '';
    throw error;
  }
}

/**
 * What is known of a record, one fact below the other; what is not filled in is left out, and so is what the page
 * says already: its title.
 */
export function factCards(
  c: ConsoleContext,
  record: ShownRecord,
  sections: readonly FormSection[],
  title: string,
): Markup[] {
  const [language, text] = [c.get('language'), pageSay(c.get('language'))];
  return sections.flatMap(({ heading, fields }) => {
    const facts = fields
      .filter((field) => !isTable(field))
      .flatMap((field): Fact[] => {
        const held = record[field.name];
        // The heading of the card says what the parts are of.
        if (isInParts(field, held)) return factsIn(c, field, held, currencyOf(c, record));
        const value =
          field.name === 'address'
            ? addressLine(JSON.stringify(held ?? {}))
            : shownValue(c, field, held, currencyOf(c, record));
        return [[fieldLabel(language, field), value, field.description?.multiline ? 'wide' : undefined]];
      })
      .filter(([, value]) => value !== '' && value !== title);
    if (facts.length === 0) return [];
    return [
      html`<section class="card"><h2>${heading?.[language] ?? text('about')}</h2>${factList(facts)}</section>`,
    ];
  });
}

/** What is no record of its own and no address: a customer by name, e-mail and phone. */
const isInParts = (field: FieldFacts, held: unknown): held is object =>
  field.name !== 'address' &&
  field.fields.length > 0 &&
  typeof held === 'object' &&
  held !== null &&
  !Array.isArray(held) &&
  !('id' in held);

/** What has many rows, such as the items of an invoice. */
export function factTables(
  c: ConsoleContext,
  record: ShownRecord,
  sections: readonly FormSection[],
): Markup[] {
  const tables = sections.flatMap(({ fields }) => fields).filter(isTable);
  return tables.flatMap((field) => {
    const shown = shownValue(c, field, record[field.name], currencyOf(c, record));
    return shown === ''
      ? []
      : [html`<section><h2>${fieldLabel(c.get('language'), field)}</h2>${shown}</section>`];
  });
}

/** Records that are named by their ids are a list, not a table. */
const isTable = ({ isArray, type, resource, fields }: FieldFacts): boolean =>
  isArray && type === 'object' && resource === undefined && !fields.some(({ name }) => name === 'id');
