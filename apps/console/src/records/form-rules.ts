import { type Text, text } from '@dealkeep/contract';
import type { FormBody } from '../forms/body.ts';
import type { FormRule } from '../forms/judge.ts';

const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(isFilled)
    : value !== undefined && value !== null && String(value).trim() !== '';

const has = (body: FormBody, names: readonly string[]): boolean => names.some((name) => isFilled(body[name]));

const unless = (good: boolean, path: string, says: Text) => (good ? [] : [{ path, says }]);

const forWhom = {
  invoice: text(
    'Say who it is for: choose a client or a company.',
    'Uveďte, pre koho je: vyberte klienta alebo firmu.',
  ),
  quote: text(
    'Say who it is for: choose a client, a company or a lead.',
    'Uveďte, pre koho je: vyberte klienta, firmu alebo príležitosť.',
  ),
  order: text(
    'Say whose order it is: a name, an e-mail, a phone, a client or a company.',
    'Uveďte, čia je objednávka: meno, e-mail, telefón, klient alebo firma.',
  ),
};

/** An invoice is for somebody; programs may send one without. */
export const invoiceForSomebody: FormRule = {
  about: forWhom.invoice,
  finds: (_, whole) => unless(has(whole, ['client_id', 'company_id']), 'client_id', forWhom.invoice),
};

export const quoteForSomebody: FormRule = {
  about: forWhom.quote,
  finds: (_, whole) => unless(has(whole, ['client_id', 'company_id', 'lead_id']), 'client_id', forWhom.quote),
};

const ofCustomer = ['name', 'email', 'phone', 'client_uuid', 'company_uuid'];

export const orderOfSomebody: FormRule = {
  about: forWhom.order,
  finds: (_, { customer }) => unless(has(Object(customer), ofCustomer), 'customer.name', forWhom.order),
};

const named = text('A lead needs a name or a company.', 'Príležitosť potrebuje názov alebo firmu.');

/** A lead that has neither could not be found again. One that a program made so can still be changed otherwise. */
export const namedLead: FormRule = {
  about: named,
  finds: (sent, whole) =>
    unless(
      has(whole, ['name', 'company_id', 'company']) ||
        !(sent === whole || 'name' in sent || 'company_id' in sent),
      'name',
      named,
    ),
};
