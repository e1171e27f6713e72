import type { FieldProblem } from '@dealkeep/contract';
import type { Scope } from '../verb/verb.ts';

/** Whom an invoice or a quote is for. */
export interface Counterparty {
  client_id: string | null;
  company_id: string | null;
}

/** The client and company that ids name. A client brings its company along; one of another company fails. */
export async function findCounterparty(
  { sql, organization }: Pick<Scope, 'sql' | 'organization'>,
  clientId: string | null | undefined,
  companyId: string | null | undefined,
): Promise<Counterparty & { problems: FieldProblem[] }> {
  if (!clientId && !companyId) return { client_id: null, company_id: null, problems: [] };
  const [found] = await sql<{ company_id: string | null; company_of_client: string | null }[]>`
    select (select id from companies where organization_id = ${organization}
            and id = ${companyId ?? null}) as company_id,
           (select company_id from clients where organization_id = ${organization}
            and id = ${clientId ?? null}) as company_of_client`;
  const company = found?.company_id ?? null;
  const companyOfClient = found?.company_of_client ?? null;
  const problems: FieldProblem[] = [];
  if (clientId && !companyOfClient) problems.push({ path: 'client_id', key: 'field.not_found' });
  if (companyId && !company) problems.push({ path: 'company_id', key: 'field.not_found' });
  if (company && companyOfClient && company !== companyOfClient) {
    problems.push({ path: 'client_id', key: 'field.client_of_other_company' });
  }
  return { client_id: clientId ?? null, company_id: company ?? companyOfClient, problems };
}
