import { column, field } from '../../change/record-tables/erased.ts';
import type { RecordKind } from '../../change/record-tables/record-kind.ts';
import { clients, countClients, getClient, listClients } from './record.ts';
import { upsertClient } from './upsert.ts';
import { createClient, updateClient } from './write.ts';

export const client = {
  table: clients,
  verbs: {
    'clients.list': listClients,
    'clients.count': countClients,
    'clients.create': createClient,
    'clients.get': getClient,
    'clients.update': updateClient,
    'clients.upsert': upsertClient,
  },
  erased: {
    closes: true,
    with: [{ kind: 'company', column: 'company_id' }],
    columns: { note: column.nothing, reference_code: column.nothing, reference_name: column.nothing },
    fields: {
      // Where others refer to it: the name of its company.
      name: field.text,
      note: field.nothing,
      reference_code: field.nothing,
      reference_name: field.nothing,
    },
  },
} as const satisfies RecordKind;
