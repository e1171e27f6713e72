import { randomUUIDv7 } from 'node:crypto';
import type { Writing } from '../verb/verb.ts';

export interface NewCompany {
  name: string;
  street?: string | null | undefined;
  city?: string | null | undefined;
  postal_code?: string | null | undefined;
  country_code?: string | null | undefined;
  email?: string | null | undefined;
  phone?: string | null | undefined;
  registration_id?: string | null | undefined;
  tax_id?: string | null | undefined;
  vat_id?: string | null | undefined;
  note?: string | null | undefined;
  owner_id?: string | null | undefined;
}

/** Adds a company and answers its id. To say so is left to the caller. */
export async function insertCompany(context: Writing, company: NewCompany): Promise<string> {
  const { sql, organization, now } = context;
  const id = randomUUIDv7();
  await sql`
    insert into companies (organization_id, id, name, street, city, postal_code, country_code, email, phone,
                           registration_id, tax_id, vat_id, note, owner_id, created_at, updated_at)
    values (${organization}, ${id}, ${company.name}, ${company.street ?? null}, ${company.city ?? null},
            ${company.postal_code ?? null},
            coalesce(${company.country_code ?? null}, (select country_code from organizations where id = ${organization})),
            ${company.email ?? null}, ${company.phone ?? null}, ${company.registration_id ?? null},
            ${company.tax_id ?? null}, ${company.vat_id ?? null}, ${company.note ?? null}, ${company.owner_id ?? null},
            ${now}, ${now})`;
  return id;
}
