import * as z from 'zod';
import { describe, descriptionOf } from './field.ts';
import type { OperationDeclaration } from './operation.ts';
import { readScopeOf } from './operations.ts';
import { scopePermissions } from './role-permissions.ts';
import type { Scope } from './scopes.ts';
import { text } from './text.ts';

/** What names a record in an answer. */
export const recordNames: readonly string[] = ['id', 'uuid', 'app_url'];

/**
 * The scope without which a credential may run this write and not read its record: it is answered the reduced form
 * (rule keys 16). Undefined where whoever may run it reads all that it answers.
 */
export function unreadScopeOf(declaration: OperationDeclaration): Scope | undefined {
  const { scope, alsoScope, shape, kind, report } = declaration;
  const showsRecords = (shape === 'record' && !report) || kind === 'batch';
  const read = showsRecords ? readScopeOf(declaration) : undefined;
  return read === scope || read === alsoScope ? undefined : read;
}

const reducedForms = new WeakMap<z.ZodObject, z.ZodObject>();

/**
 * The form of a record in which only what names it is always there; the rest is what the credential wrote itself.
 */
export function reducedFormOf(record: z.ZodObject, unread: Scope): z.ZodObject {
  const made = reducedForms.get(record) ?? makeReducedForm(record, unread);
  reducedForms.set(record, made);
  return made;
}

function makeReducedForm(record: z.ZodObject, unread: Scope): z.ZodObject {
  const described = descriptionOf(record);
  if (!described?.id) throw new Error('A record that is answered has a name');
  const { id, label } = described;
  const [permission] = scopePermissions[unread] ?? [];
  const fields = Object.entries(record.shape).map(([name, field]) => [
    name,
    recordNames.includes(name) ? field : z.optional(field),
  ]);
  return describe(z.object(Object.fromEntries(fields)), {
    label: text(`${label.en} (reduced)`, `${label.sk} (skrátene)`),
    help: text(
      `What a write answers to a credential without ${unread}, or to a connection whose role lacks ${permission} for all records: of a record that it created, everything but other records in it and what was taken from them; of a record that was there before, what names it and the fields that were sent.`,
      `Čo zápis vráti prístupu bez ${unread} alebo pripojeniu, ktorého rola nemá ${permission} pre všetky záznamy: z vytvoreného záznamu všetko okrem iných záznamov v ňom a toho, čo je z nich prevzaté; zo záznamu, ktorý už existoval, jeho označenie a poslané polia.`,
    ),
    id: `${id}Reduced`,
  });
}
