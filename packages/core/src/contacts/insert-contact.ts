import { randomUUIDv7 } from 'node:crypto';
import type { Contact } from '@dealkeep/contract';
import type { Writing } from '../verb/verb.ts';
import { readContact } from './contact-record.ts';
import { demotePrimary, emitDemoted } from './demote-primary.ts';
import { touchCompanies } from './touch-companies.ts';

export interface NewContact {
  company_id: string;
  name: string;
  email?: string | null | undefined;
  phone?: string | null | undefined;
  position?: string | null | undefined;
  is_primary?: boolean | null | undefined;
  note?: string | null | undefined;
}

/** Adds a contact to a company that is locked, and says so. */
export async function insertContact(context: Writing, contact: NewContact): Promise<Contact> {
  const { sql, organization, now } = context;
  const demoted = contact.is_primary ? await demotePrimary(context, contact.company_id) : undefined;
  const id = randomUUIDv7();
  await sql`
    with ${touchCompanies(context, [contact.company_id])}
    insert into contacts (organization_id, id, company_id, name, email, phone, position, is_primary, note,
                          created_at, updated_at)
    values (${organization}, ${id}, ${contact.company_id}, ${contact.name}, ${contact.email ?? null},
            ${contact.phone ?? null}, ${contact.position ?? null}, ${contact.is_primary ?? false},
            ${contact.note ?? null}, ${now}, ${now})`;
  const created = await readContact(context, id);
  context.emit('contact.created', created);
  await emitDemoted(context, demoted);
  return created;
}
