import { text } from '@dealkeep/contract';
import type { FormRule } from './form/judge.ts';
import type { FormBody } from './record-kind.ts';

const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(isFilled)
    : value !== undefined && value !== null && String(value).trim() !== '';

const has = (body: FormBody, names: readonly string[]): boolean => names.some((name) => isFilled(body[name]));

/** An invoice or a quote is for somebody; programs may send one without. */
export const forSomebody = (path: string, names: readonly string[]): FormRule => ({
  path,
  says: names.includes('lead_id')
    ? text(
        'Say who it is for: choose a client, a company or a lead.',
        'Uveďte, pre koho je: vyberte klienta, firmu alebo príležitosť.',
      )
    : text(
        'Say who it is for: choose a client or a company.',
        'Uveďte, pre koho je: vyberte klienta alebo firmu.',
      ),
  breaks: (_, whole) => !has(whole, names),
});

/** An order is somebody's. */
export const bySomebody: FormRule = {
  path: 'customer.name',
  says: text(
    'Say whose order it is: a name, an e-mail, a phone, a client or a company.',
    'Uveďte, čia je objednávka: meno, e-mail, telefón, klient alebo firma.',
  ),
  breaks: (_, { customer }) =>
    !has(Object(customer), ['name', 'email', 'phone', 'client_uuid', 'company_uuid']),
};

/** A lead that has neither could not be found again. One that a program made so can still be changed otherwise. */
export const namedLead: FormRule = {
  path: 'name',
  says: text('A lead needs a name or a company.', 'Príležitosť potrebuje názov alebo firmu.'),
  breaks: (sent, whole) =>
    !has(whole, ['name', 'company_id', 'company']) &&
    (sent === whole || 'name' in sent || 'company_id' in sent),
};
