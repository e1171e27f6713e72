import { column, field } from '../../change/record-tables/erased.ts';
import type { RecordKind } from '../../change/record-tables/record-kind.ts';
import { contacts, countContacts, getContact, listContacts } from './record.ts';
import { upsertContact } from './upsert.ts';
import { createContact, editContactAddresses, updateContact } from './write.ts';

export const contact = {
  table: contacts,
  verbs: {
    'contacts.list': listContacts,
    'contacts.count': countContacts,
    'contacts.create': createContact,
    'contacts.get': getContact,
    'contacts.update': updateContact,
    'contacts.upsert': upsertContact,
    'contacts.addresses': editContactAddresses,
  },
  erased: {
    closes: true,
    with: [{ kind: 'company', column: 'company_id' }],
    columns: {
      name: column.text,
      email: column.nothing,
      phone: column.nothing,
      further_emails: column.none,
      further_phones: column.none,
      position: column.nothing,
      note: column.nothing,
    },
    fields: {
      name: field.text,
      email: field.nothing,
      emails: field.emptyList,
      phone: field.nothing,
      phones: field.emptyList,
      position: field.nothing,
      note: field.nothing,
    },
  },
} as const satisfies RecordKind;
