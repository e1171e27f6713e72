import {
  EditContactAddresses,
  fieldsOf,
  type Order,
  PayInvoice,
  type Permission,
  resources,
  type Text,
  text,
} from '@dealkeep/contract';
import {
  acceptQuote,
  actAsPerson,
  archiveTask,
  type BookingStep,
  type CompanyLabels,
  type ContactAddresses,
  type Core,
  cancelActivity,
  cancelInvoice,
  completeBooking,
  confirmBooking,
  editCompanyLabels,
  editContactAddresses,
  markNoShow,
  type OrderStep,
  type PaymentStep,
  payInvoice,
  type QuoteStep,
  rejectQuote,
  type Session,
  sendQuote,
  setPaymentStatus,
  stepOrder,
} from '@dealkeep/core';
import { sessionOf } from '../context.ts';
import { companyLabelFields } from './company-label-fields.ts';
import { operationStep } from './operation-kind.ts';
import type { FormBody, RecordKind, Step } from './record-kind.ts';

type Resource = RecordKind['resource'];

interface Change {
  readonly resource: Resource;
  readonly permission: Permission;
  readonly idField?: 'id' | 'uuid';
  work(
    core: Core,
    organization: Session['organization'],
    id: string,
    form: { body: FormBody; once: { person: string; key: string; input: unknown }; version?: string },
  ): Promise<unknown>;
}

/** A step that no API operation makes. */
const consoleStep = (
  step: Pick<Step, 'name' | 'label' | 'about' | 'asks'> & Partial<Pick<Step, 'danger' | 'fields' | 'begins'>>,
  { resource, permission, idField = 'id', work }: Change,
): Step => ({
  fields: [],
  ...step,
  permissions: [permission],
  run: (c, id, body, { once: key, ...version }) => {
    const session = sessionOf(c);
    const once = { person: session.user.id, key, input: [step.name, id, body] };
    const change = { resource, permissions: [permission], path: { [idField]: id } };
    return actAsPerson(c.get('core'), session, change, (organization) =>
      work(c.get('core'), organization, id, { body, once, ...version }),
    );
  },
});

/** What only the console edits of a company (decisions, section 4). */
export const companyLabels = consoleStep(
  {
    name: 'labels',
    label: text('Tags and custom fields', 'Štítky a vlastné polia'),
    about: text(
      'Webhooks are told of the change like of any other.',
      'Webhooky sa o zmene dozvedia ako o každej inej.',
    ),
    asks: true,
    fields: companyLabelFields,
    begins: ({ tags, custom_fields }) => ({ tags, custom_fields }),
  },
  {
    resource: 'company',
    permission: 'companies.edit',
    work: (core, organization, id, { body, version }) =>
      // The verb checks what the form says.
      editCompanyLabels(core, organization, { id, ...(body as CompanyLabels) }, version),
  },
);

/** What only the console edits of a contact (decisions, section 4). */
export const contactAddresses = consoleStep(
  {
    name: 'addresses',
    label: text('Further e-mails and phones', 'Ďalšie e-maily a telefóny'),
    about: text('Those besides the first ones.', 'Tie, ktoré sú popri prvých.'),
    asks: true,
    fields: fieldsOf(EditContactAddresses),
    begins: ({ email, emails, phone, phones }) => ({
      further_emails: Array.isArray(emails) ? emails.slice(email === null ? 0 : 1) : [],
      further_phones: Array.isArray(phones) ? phones.slice(phone === null ? 0 : 1) : [],
    }),
  },
  {
    resource: 'contact',
    permission: 'companies.edit',
    work: (core, organization, id, { body, version }) =>
      // The verb checks by the contract what the form says.
      editContactAddresses(core, organization, { id, ...(body as ContactAddresses) }, version),
  },
);

export const leadSteps: Readonly<Record<'move' | 'archive', Step>> = {
  move: operationStep('leads.move', { label: text('Move', 'Presunúť'), asks: true }),
  archive: operationStep('leads.archive', {
    label: text('Archive', 'Archivovať'),
    ...{ asks: true, danger: true },
  }),
};

export const activitySteps: Readonly<Record<'complete' | 'cancel', Step>> = {
  complete: operationStep('activities.complete', { label: text('Complete', 'Dokončiť'), asks: false }),
  cancel: consoleStep(
    {
      name: 'cancel',
      label: text('Cancel', 'Zrušiť'),
      about: text(
        'The activity will not take place. It stays in the list, and cannot be opened again.',
        'Aktivita sa neuskutoční. Zostane v zozname a nedá sa znova otvoriť.',
      ),
      ...{ asks: true, danger: true },
    },
    {
      resource: 'activity',
      permission: 'activities.edit',
      work: (core, organization, id) => cancelActivity(core, organization, { id }),
    },
  ),
};

export const taskSteps: Readonly<Record<'complete' | 'reopen' | 'move' | 'archive', Step>> = {
  complete: operationStep('tasks.update', {
    ...{ name: 'complete', label: text('Complete', 'Dokončiť'), asks: false, body: { completed: true } },
  }),
  reopen: operationStep('tasks.update', {
    ...{ name: 'reopen', label: text('Reopen', 'Znova otvoriť'), asks: false, body: { completed: false } },
  }),
  move: operationStep('tasks.update', {
    ...{ name: 'move', label: text('Move', 'Presunúť'), asks: true, only: ['stage_id'] },
    about: text('Places the task in a stage of its project.', 'Umiestni úlohu do fázy jej projektu.'),
  }),
  archive: consoleStep(
    {
      name: 'archive',
      label: text('Archive', 'Archivovať'),
      about: text(
        'Puts the task away. It can be read, but no longer changed.',
        'Odloží úlohu. Možno ju čítať, no už nie meniť.',
      ),
      ...{ asks: true, danger: true },
    },
    {
      resource: 'task',
      permission: 'tasks.edit',
      work: (core, organization, id) => archiveTask(core, organization, { id }),
    },
  ),
};

export const invoiceSteps: Readonly<Record<'pay' | 'cancel', Step>> = {
  pay: consoleStep(
    {
      name: 'pay',
      label: text('Record a payment', 'Zaznamenať platbu'),
      about: text(
        'Notes that money arrived. When nothing remains, the invoice is paid; that cannot be taken back.',
        'Zaznamená prijaté peniaze. Keď nič nezostane, faktúra je uhradená; to sa nedá vrátiť.',
      ),
      asks: true,
      fields: fieldsOf(PayInvoice),
    },
    {
      resource: 'invoice',
      permission: 'budget.edit',
      work: (core, organization, id, { body, once }) => payInvoice(core, organization, { id, ...body }, once),
    },
  ),
  cancel: consoleStep(
    {
      name: 'cancel',
      label: text('Cancel', 'Stornovať'),
      about: text(
        'The invoice is no longer owed. Its number stays taken, and this cannot be taken back.',
        'Faktúra sa už nemá uhradiť. Jej číslo zostáva obsadené a nedá sa to vrátiť.',
      ),
      ...{ asks: true, danger: true },
    },
    {
      resource: 'invoice',
      permission: 'budget.edit',
      work: (core, organization, id) => cancelInvoice(core, organization, { id }),
    },
  ),
};

const quote = (
  name: QuoteStep,
  words: { label: Text; about: Text; danger?: boolean },
  verb: typeof sendQuote,
): Step =>
  consoleStep(
    { name, asks: name !== 'send', ...words },
    {
      resource: 'quote',
      permission: 'budget.edit',
      work: (core, organization, id) => verb(core, organization, { id }),
    },
  );

export const quoteSteps: Readonly<Record<QuoteStep, Step>> = {
  send: quote(
    'send',
    {
      label: text('Mark as sent', 'Označiť ako odoslanú'),
      about: text('Notes that the customer has it.', 'Zaznamená, že ju zákazník dostal.'),
    },
    sendQuote,
  ),
  accept: quote(
    'accept',
    {
      label: text('Mark as accepted', 'Označiť ako prijatú'),
      about: text('The customer agreed. This cannot be taken back.', 'Zákazník súhlasil. Nedá sa to vrátiť.'),
    },
    acceptQuote,
  ),
  reject: quote(
    'reject',
    {
      label: text('Mark as rejected', 'Označiť ako odmietnutú'),
      about: text(
        'The customer declined. This cannot be taken back.',
        'Zákazník odmietol. Nedá sa to vrátiť.',
      ),
      danger: true,
    },
    rejectQuote,
  ),
};

const booking = (
  name: Exclude<BookingStep, 'cancel'>,
  words: { label: Text; about: Text; danger?: boolean },
  verb: typeof confirmBooking,
): Step =>
  consoleStep(
    { name, asks: name !== 'confirm', ...words },
    {
      resource: 'booking',
      permission: 'booking.edit',
      work: (core, organization, id) => verb(core, organization, { id }),
    },
  );

export const bookingSteps: Readonly<Record<BookingStep, Step>> = {
  confirm: booking(
    'confirm',
    {
      label: text('Confirm', 'Potvrdiť'),
      about: text('The customer can count on it.', 'Zákazník s ňou môže počítať.'),
    },
    confirmBooking,
  ),
  complete: booking(
    'complete',
    {
      label: text('Complete', 'Dokončiť'),
      about: text(
        'The service was rendered. This cannot be taken back.',
        'Služba bola poskytnutá. Nedá sa to vrátiť.',
      ),
    },
    completeBooking,
  ),
  'no-show': booking(
    'no-show',
    {
      label: text('No-show', 'Zákazník neprišiel'),
      about: text(
        'The customer did not come. This cannot be taken back.',
        'Zákazník neprišiel. Nedá sa to vrátiť.',
      ),
      danger: true,
    },
    markNoShow,
  ),
  cancel: operationStep('bookings.cancel', {
    label: text('Cancel', 'Zrušiť'),
    ...{ asks: true, danger: true },
  }),
};

/** The words of a state, as the record's field names them. */
function stateText(field: 'status' | 'payment_status', state: string): Text {
  const order = fieldsOf(resources.order.schema).find(({ name }) => name === field);
  return order?.description?.choices?.[state] ?? text(state, state);
}

const endsOrder: readonly OrderStep[] = ['cancelled', 'returned'];

const marked = (label: Text): Text => text(`Mark as: ${label.en}`, `Označiť: ${label.sk}`);

export const orderStep = (status: OrderStep): Step => {
  const label = stateText('status', status);
  const ends = endsOrder.includes(status);
  const stock = ends
    ? text('Its stock is free again.', 'Jej zásoby sú opäť voľné.')
    : text('Steps in between are left out.', 'Kroky medzitým sa vynechajú.');
  return consoleStep(
    {
      name: status.replaceAll('_', '-'),
      label: marked(label),
      about: text(
        `The order becomes “${label.en}”. ${stock.en} This cannot be taken back.`,
        `Objednávka bude v stave „${label.sk}“. ${stock.sk} Nedá sa to vrátiť.`,
      ),
      ...{ asks: ends, danger: ends },
    },
    {
      resource: 'order',
      permission: 'orders.edit',
      idField: 'uuid',
      work: (core, organization, uuid) => stepOrder(core, organization, { uuid, status }),
    },
  );
};

export const paymentStep = (payment_status: PaymentStep): Step => {
  const label = stateText('payment_status', payment_status);
  const refunds: Order['payment_status'] = 'refunded';
  const ends = payment_status === refunds;
  return consoleStep(
    {
      name: `payment-${payment_status}`,
      label: text(`Payment: ${label.en}`, `Platba: ${label.sk}`),
      about: text(
        `The payment becomes “${label.en}”. No money is moved by this.`,
        `Platba bude v stave „${label.sk}“. Peniaze sa tým neprevádzajú.`,
      ),
      ...{ asks: ends, danger: ends },
    },
    {
      resource: 'order',
      permission: 'orders.edit',
      idField: 'uuid',
      work: (core, organization, uuid) => setPaymentStatus(core, organization, { uuid, payment_status }),
    },
  );
};

/** Every step of a resource, whatever its state, so that a page can name the one that was taken. */
export const everyStep: Readonly<Partial<Record<Resource, readonly Step[]>>> = {
  company: [companyLabels],
  contact: [contactAddresses],
  lead: Object.values(leadSteps),
  activity: Object.values(activitySteps),
  task: Object.values(taskSteps),
  invoice: Object.values(invoiceSteps),
  quote: Object.values(quoteSteps),
  booking: Object.values(bookingSteps),
  order: [
    ...(['confirmed', 'picking', 'packed', 'ready_for_pickup', 'shipped', 'delivered'] as const).map(
      orderStep,
    ),
    ...(['cancelled', 'returned'] as const).map(orderStep),
    ...(['pending', 'paid', 'failed', 'refunded'] as const).map(paymentStep),
  ],
};
