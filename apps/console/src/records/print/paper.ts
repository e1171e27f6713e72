import type { Invoice, InvoiceItem, Quote } from '@dealkeep/contract';
import { getOrganization, type OrganizationUse } from '@dealkeep/core/accounts';
import { dayOf, Problem, sumAmounts } from '@dealkeep/core/foundations';
import { runAsUser } from '@dealkeep/core/operations';
import { type ConsoleContext, sessionOf } from '../../context.ts';
import type { printSay } from './print-texts.ts';

type PrintText = Parameters<ReturnType<typeof printSay>>[0];

/** What an invoice and a quote print alike. */
export interface Paper {
  readonly kind: 'invoice' | 'quote';
  readonly number: string;
  /** Days and what a payment is known by, by the names of their labels. */
  readonly facts: readonly (readonly [label: PrintText, value: string, holds?: 'date'])[];
  readonly supplier: Party;
  readonly customer: Party;
  readonly currency: string;
  readonly items: readonly InvoiceItem[];
  readonly subtotal: number;
  readonly vat: number;
  readonly total: number;
  /** Of an invoice: what of it has come, and what is asked for. */
  readonly payment: { readonly paid: number; readonly remaining: number } | undefined;
  /** What is said of its state, where it is not simply to be paid. */
  readonly state: PrintText | undefined;
}

/** What stands of a business on paper. */
export type Identity = Pick<
  OrganizationUse,
  'street' | 'city' | 'postal_code' | 'registration_id' | 'tax_id' | 'vat_id'
> & { readonly country_code: string | null };

interface Party {
  readonly name: string;
  /**
   * Its address and IDs: of a customer where it is a company that the user may see, of the supplier where there are
   * any.
   */
  readonly identity: Identity | undefined;
}

/** An invoice or a quote as it is printed. Raises NOT_FOUND. */
export async function paperOf(c: ConsoleContext, kind: Paper['kind'], id: string): Promise<Paper> {
  const request = { path: { id } };
  const [core, session] = [c.get('core'), sessionOf(c)];
  const organization = await getOrganization(core, session.organization);
  if (kind === 'invoice') {
    return ofInvoice(c, organization, await runAsUser(core, session, 'invoices.get', request));
  }
  return ofQuote(c, organization, await runAsUser(core, session, 'quotes.get', request));
}

async function ofInvoice(c: ConsoleContext, organization: OrganizationUse, invoice: Invoice): Promise<Paper> {
  const { company, client, name } = invoice.counterparty;
  const { total, remaining_amount: remaining, status } = invoice;
  const states: Readonly<Partial<Record<Invoice['status'], PrintText>>> = {
    draft: 'draft',
    paid: 'settled',
    cancelled: 'cancelled',
  };
  return {
    kind: 'invoice',
    number: invoice.number ?? '',
    facts: [
      ['issued', invoice.issued_date ?? '', 'date'],
      ['due', invoice.due_date ?? '', 'date'],
      ['bankAccount', organization.bank_account ?? ''],
      ['variableSymbol', invoice.variable_symbol ?? ''],
    ],
    supplier: supplierOf(organization),
    customer: await customerOf(c, company?.id, name ?? company?.name ?? client?.name ?? ''),
    currency: invoice.currency,
    items: invoice.items,
    subtotal: invoice.subtotal,
    vat: invoice.vat_amount,
    total,
    payment: status === 'cancelled' ? undefined : { paid: sumAmounts(total, -remaining), remaining },
    state: states[status],
  };
}

async function ofQuote(c: ConsoleContext, organization: OrganizationUse, quote: Quote): Promise<Paper> {
  const { company, client, lead } = quote;
  return {
    kind: 'quote',
    number: quote.number ?? '',
    facts: [
      ['issued', dayOf(quote.created_at, sessionOf(c).organization.timeZone), 'date'],
      ['validUntil', quote.valid_until ?? '', 'date'],
    ],
    supplier: supplierOf(organization),
    customer: await customerOf(c, company?.id, company?.name ?? client?.name ?? lead?.name ?? ''),
    currency: quote.currency,
    items: quote.items,
    subtotal: quote.subtotal,
    vat: quote.vat_amount,
    total: quote.total,
    payment: undefined,
    state: quote.status === 'draft' ? 'draft' : undefined,
  };
}

/** The organization, with its country where more than its name is known. */
function supplierOf(organization: OrganizationUse): Party {
  const { name, street, city, postal_code, registration_id, tax_id, vat_id } = organization;
  const known = [street, city, postal_code, registration_id, tax_id, vat_id].some(Boolean);
  return { name, identity: known ? organization : undefined };
}

/** The customer by its company, where there is one and the role shows it. */
async function customerOf(c: ConsoleContext, id: string | undefined, name: string): Promise<Party> {
  if (id === undefined) return { name, identity: undefined };
  try {
    const company = await runAsUser(c.get('core'), sessionOf(c), 'companies.get', { path: { id } });
    return { name: company.name, identity: { ...company, ...company.address } };
  } catch (error) {
    if (error instanceof Problem) return { name, identity: undefined };
    throw error;
  }
}
