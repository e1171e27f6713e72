import { fieldsOf, PayInvoice, type Text, text } from '@dealkeep/contract';
import {
  acceptQuote,
  archiveTask,
  type BookingStep,
  cancelActivity,
  cancelInvoice,
  completeBooking,
  confirmBooking,
  type LeadStep,
  markNoShow,
  payInvoice,
  type QuoteStep,
  rejectQuote,
  sendQuote,
} from '@dealkeep/core';
import { consoleStep } from './console-step.ts';
import { companyLabels, contactAddresses, leadTags } from './label-steps.ts';
import { operationStep } from './operation-kind.ts';
import { orderStep, paymentStep } from './order-steps.ts';
import type { RecordKind, Step } from './record-kind.ts';

export const leadSteps: Readonly<Record<LeadStep, Step>> = {
  move: operationStep('leads.move', { label: text('Move', 'Presunúť'), asks: true }),
  tags: leadTags,
  archive: operationStep('leads.archive', { label: text('Archive', 'Archivovať'), asks: true }),
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
      asks: true,
      danger: true,
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
    name: 'complete',
    label: text('Complete', 'Dokončiť'),
    asks: false,
    body: { completed: true },
  }),
  reopen: operationStep('tasks.update', {
    name: 'reopen',
    label: text('Reopen', 'Znova otvoriť'),
    asks: false,
    body: { completed: false },
  }),
  move: operationStep('tasks.update', {
    name: 'move',
    label: text('Move', 'Presunúť'),
    asks: true,
    only: ['stage_id'],
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
      asks: true,
      danger: true,
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
      asks: true,
      danger: true,
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
  cancel: operationStep('bookings.cancel', { label: text('Cancel', 'Zrušiť'), asks: true }),
};

/** Every step of a resource, whatever its state, so that a page can name the one that was taken. */
export const everyStep: Readonly<Partial<Record<RecordKind['resource'], readonly Step[]>>> = {
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
