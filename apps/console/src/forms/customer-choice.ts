import type { FieldFacts } from '@dealkeep/contract';
import { firstOf, type Typed } from './typed.ts';

/**
 * Whom an invoice, a quote or an order is for is a client or a company, each by a field of its own. A form asks
 * once: for the customer.
 */
export interface CustomerField extends FieldFacts {
  /** The field of the company, beside this one of the client. */
  readonly company: FieldFacts;
}

/** A field that has no control of its own. */
export interface AskedElsewhere extends FieldFacts {
  readonly isAskedElsewhere: true;
}

export const isCustomer = (field: FieldFacts & Partial<CustomerField>): field is CustomerField =>
  field.company !== undefined;

export const isAskedElsewhere = (field: FieldFacts & Partial<AskedElsewhere>): boolean =>
  field.isAskedElsewhere === true;

/** The fields of a form with the client and the company as one choice, wherever they stand side by side. */
export function withOneCustomer(fields: readonly FieldFacts[]): readonly FieldFacts[] {
  const single = (name: string) => fields.find((each) => each.reference === name && !each.isArray);
  const [client, company] = [single('client'), single('company')];
  if (!client || !company)
    return fields.map((field) =>
      field.type === 'object' ? { ...field, fields: withOneCustomer(field.fields) } : field,
    );
  const customer: CustomerField = { ...client, company };
  const elsewhere: AskedElsewhere = { ...company, isAskedElsewhere: true };
  return [customer, elsewhere, ...fields.filter((each) => each !== client && each !== company)];
}

/** The paths of the two fields that a customer is kept in. */
export interface CustomerPaths {
  readonly client: string;
  readonly company: string;
}

export const customerPaths = ({ company }: CustomerField, name: string): CustomerPaths => ({
  client: name,
  company: `${name.slice(0, name.lastIndexOf('.') + 1)}${company.name}`,
});

/** The name of the one control; its value is `client:` or `company:` and the id. */
export const customerName = (name: string): string => `${name}.customer`;

/** The value of the control for what stands in the two fields. */
export function customerIn(typed: Typed, { client, company }: CustomerPaths): string {
  const [ofClient, ofCompany] = [firstOf(typed, client), firstOf(typed, company)];
  if (ofClient !== '') return `client:${ofClient}`;
  return ofCompany === '' ? '' : `company:${ofCompany}`;
}

/** A form with a chosen customer in the field that it belongs to. */
export function withCustomer(typed: Typed, paths: CustomerPaths, value: string): Typed {
  const [kind, id = ''] = value.split(':');
  const kept = [...typed].filter(([name]) => name !== paths.client && name !== paths.company);
  return new Map([...kept, [kind === 'client' ? paths.client : paths.company, [id]]]);
}

/** The form that was sent, with each customer in its field instead of in the control. */
export function readCustomers(fields: readonly FieldFacts[], sent: Typed, prefix = ''): Typed {
  let typed = sent;
  for (const field of fields) {
    const name = `${prefix}${field.name}`;
    if (isCustomer(field)) {
      const value = firstOf(typed, customerName(name));
      if (value !== '') typed = withCustomer(typed, customerPaths(field, name), value);
    } else if (!field.isArray) typed = readCustomers(field.fields, typed, `${name}.`);
  }
  return typed;
}
