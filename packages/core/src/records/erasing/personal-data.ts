import { itsOrganization } from '../../change/record-tables/define-record.ts';

/** Stands where a record must have a name and its own was erased. In no language, and no name. */
export const erasedText = '[erased]';

/** Kinds of records that hold personal data. */
export type PersonalKind =
  | 'company'
  | 'contact'
  | 'client'
  | 'lead'
  | 'activity'
  | 'task'
  | 'booking'
  | 'order'
  | 'invoice';

interface PersonalTable {
  readonly table: string;
  /**
   * What each column with personal data becomes, as SQL about a row `t` of a record `due` that is being erased, with
   * `itsOrganization`.
   */
  readonly columns: Readonly<Record<string, string>>;
  /** It has `erased_at`, with which it takes no personal data any more. */
  readonly closes?: true;
}

const text = `'${erasedText}'`;
const nothing = 'null';
const none = `'{}'`;
/** A link to a contact who is not erased, too, goes: otherwise the record would still say who it is about. */
const linkToErased = `case when exists (
  select 1 from erasing_records other where other.organization_id = ${itsOrganization}
    and other.erasure_id = due.erasure_id and other.record_id = t.contact_id) then t.contact_id end`;

/** Where personal data stands in records, and what it becomes. Everything else of these tables stays. */
export const personalTables: Readonly<Record<PersonalKind, PersonalTable>> = {
  company: {
    table: 'companies',
    closes: true,
    columns: {
      name: text,
      street: nothing,
      city: nothing,
      postal_code: nothing,
      email: nothing,
      phone: nothing,
      registration_id: nothing,
      tax_id: nothing,
      vat_id: nothing,
      note: nothing,
      tag_ids: none,
      custom_fields: none,
    },
  },
  contact: {
    table: 'contacts',
    closes: true,
    columns: {
      name: text,
      email: nothing,
      phone: nothing,
      further_emails: none,
      further_phones: none,
      position: nothing,
      note: nothing,
    },
  },
  client: {
    table: 'clients',
    closes: true,
    columns: { note: nothing, reference_code: nothing, reference_name: nothing },
  },
  lead: {
    table: 'leads',
    closes: true,
    columns: {
      name: `case when t.name is not null then ${text} end`,
      note: nothing,
      lost_note: nothing,
      tag_ids: none,
      contact_id: linkToErased,
    },
  },
  activity: {
    table: 'activities',
    columns: {
      name: text,
      location: nothing,
      note: nothing,
      video_call_url: nothing,
      contact_id: linkToErased,
    },
  },
  task: { table: 'tasks', columns: { title: text, description: nothing } },
  booking: {
    table: 'bookings',
    columns: {
      customer_name: text,
      customer_email: nothing,
      customer_phone: nothing,
      customer_company: nothing,
      notes: nothing,
      cancellation_reason: nothing,
    },
  },
  order: {
    table: 'orders',
    columns: {
      customer_name: nothing,
      customer_email: nothing,
      customer_phone: nothing,
      billing_address: nothing,
      delivery_address: nothing,
      notes: nothing,
    },
  },
  invoice: { table: 'invoices', columns: { note: nothing } },
};

/** Of the items of an order; what was ordered stays. */
export const personalItemColumns = ['notes'] as const;

/** What a field of a record becomes. */
export type Erased =
  | { readonly becomes: string | null | readonly never[] | Readonly<Record<never, never>> }
  /** An object, or each object of a list, of which some fields become something else. */
  | { readonly fields: Readonly<Record<string, Erased>> }
  /** Another record: it goes unless it is erased itself. */
  | { readonly link: true };

const becomesText: Erased = { becomes: erasedText };
const becomesNothing: Erased = { becomes: null };
const becomesEmptyList: Erased = { becomes: [] };
const link: Erased = { link: true };

/** The same in the JSON of records, of what refers to them, and of their former values; the rest stays. */
export const personalFields: Readonly<Record<PersonalKind, Readonly<Record<string, Erased>>>> = {
  company: {
    name: becomesText,
    address: {
      fields: { street: becomesNothing, city: becomesNothing, postal_code: becomesNothing },
    },
    email: becomesNothing,
    phone: becomesNothing,
    registration_id: becomesNothing,
    tax_id: becomesNothing,
    vat_id: becomesNothing,
    note: becomesNothing,
    tags: becomesEmptyList,
    custom_fields: { becomes: {} },
  },
  contact: {
    name: becomesText,
    email: becomesNothing,
    emails: becomesEmptyList,
    phone: becomesNothing,
    phones: becomesEmptyList,
    position: becomesNothing,
    note: becomesNothing,
  },
  client: {
    // Where others refer to it: the name of its company.
    name: becomesText,
    note: becomesNothing,
    reference_code: becomesNothing,
    reference_name: becomesNothing,
  },
  lead: {
    name: becomesText,
    note: becomesNothing,
    lost_note: becomesNothing,
    tags: becomesEmptyList,
    contact: link,
  },
  activity: {
    name: becomesText,
    location: becomesNothing,
    note: becomesNothing,
    video_call_url: becomesNothing,
    contact: link,
  },
  task: { title: becomesText, description: becomesNothing },
  booking: {
    customer: {
      fields: {
        name: becomesText,
        email: becomesNothing,
        phone: becomesNothing,
        company: becomesNothing,
        notes: becomesNothing,
      },
    },
    cancellation_reason: becomesNothing,
  },
  order: {
    customer_name: becomesNothing,
    customer_email: becomesNothing,
    customer_phone: becomesNothing,
    billing_address: becomesNothing,
    delivery_address: becomesNothing,
    notes: becomesNothing,
    items: { fields: { notes: becomesNothing } },
  },
  invoice: { counterparty: { fields: { name: becomesText } } },
};
