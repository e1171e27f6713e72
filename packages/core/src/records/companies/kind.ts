import { column, field } from '../../change/record-tables/erased.ts';
import type { RecordKind } from '../../change/record-tables/record-kind.ts';
import { editCompanyLabels } from './labels.ts';
import { companyItems, countCompanies, getCompany, listCompanies } from './record.ts';
import { upsertCompany } from './upsert.ts';
import { createCompany, updateCompany } from './write.ts';

export const company = {
  table: companyItems,
  verbs: {
    'companies.list': listCompanies,
    'companies.count': countCompanies,
    'companies.create': createCompany,
    'companies.get': getCompany,
    'companies.update': updateCompany,
    'companies.upsert': upsertCompany,
    'companies.labels': editCompanyLabels,
  },
  erased: {
    closes: true,
    columns: {
      name: column.text,
      street: column.nothing,
      city: column.nothing,
      postal_code: column.nothing,
      email: column.nothing,
      phone: column.nothing,
      registration_id: column.nothing,
      tax_id: column.nothing,
      vat_id: column.nothing,
      note: column.nothing,
      tag_ids: column.none,
      custom_fields: column.none,
    },
    fields: {
      name: field.text,
      address: {
        fields: { street: field.nothing, city: field.nothing, postal_code: field.nothing },
      },
      email: field.nothing,
      phone: field.nothing,
      registration_id: field.nothing,
      tax_id: field.nothing,
      vat_id: field.nothing,
      note: field.nothing,
      tags: field.emptyList,
      custom_fields: { becomes: {} },
    },
  },
} as const satisfies RecordKind;
