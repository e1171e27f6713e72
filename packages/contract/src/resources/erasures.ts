import { operation } from '../operation.ts';
import * as field from '../scalars.ts';
import { exampleRef, record } from '../shapes.ts';
import { text } from '../text.ts';

const label = text('Erasure', 'Vymazanie');

const count = (en: string, sk: string, help: { en: string; sk: string }, example: number) =>
  field.integer({ label: text(en, sk), help: text(help.en, help.sk), example });

/** What an erasure has done so far. It holds nothing of what it erased. */
const Erasure = record(
  'Erasure',
  { label },
  {
    id: field.uuid({
      label: text('Erasure ID', 'ID vymazania'),
      help: text('Of this entry in the log of erasures.', 'Tohto zápisu v zozname vymazaní.'),
      example: '01985f6e-2c41-7d88-9a10-6f2be47c0d35',
    }),
    record_id: field.uuid({
      label: text('Record ID', 'ID záznamu'),
      help: text('Of the record that was erased.', 'Záznamu, ktorý bol vymazaný.'),
      example: exampleRef.lead.id,
    }),
    requested_at: field.dateTime({
      label: text('Requested At', 'Vyžiadané'),
      example: '2026-10-01T13:05:09.480Z',
    }),
    finished_at: field
      .dateTime({
        label: text('Finished At', 'Dokončené'),
        help: text(
          'Null while the log of events is still gone through; it goes on by itself. Send the request again to see how far it is.',
          'Prázdne, kým sa prechádza záznam udalostí; pokračuje sám. Opakovaná požiadavka ukáže, ako je ďaleko.',
        ),
        example: '2026-10-01T13:05:09.730Z',
      })
      .nullable(),
    records: count(
      'Records',
      'Záznamy',
      {
        en: 'In which something was overwritten: the record itself and what belongs to it.',
        sk: 'V ktorých sa niečo prepísalo: záznam sám a čo k nemu patrí.',
      },
      4,
    ),
    events: count('Events', 'Udalosti', { en: 'That were overwritten.', sk: 'Ktoré sa prepísali.' }, 12),
    deliveries: count(
      'Deliveries',
      'Doručenia',
      {
        en: 'That waited or were held, and are not sent.',
        sk: 'Ktoré čakali alebo boli zadržané a neodošlú sa.',
      },
      1,
    ),
    attempts: count(
      'Attempts',
      'Pokusy',
      {
        en: 'In the delivery log, whose answers were removed.',
        sk: 'V zázname doručení, ktorých odpovede sa odstránili.',
      },
      9,
    ),
    answers: count(
      'Stored Answers',
      'Uložené odpovede',
      {
        en: 'Kept for repeats with an idempotency key, and overwritten.',
        sk: 'Uchované pre opakovania s kľúčom idempotencie a prepísané.',
      },
      2,
    ),
  },
);

const erasing = {
  kind: 'action',
  method: 'POST',
  ownersOnly: true,
  report: true,
  destructive: true,
  answer: Erasure,
  shape: 'record',
  statuses: [200],
  errors: [],
  step: { label: text('Erase', 'Vymazať'), asks: true },
} as const;

const forGood = text(
  'Nothing brings it back, and webhooks are told nothing. Only owners, and keys of theirs.',
  'Nič to nevráti a webhooky sa o tom nedozvedia. Len vlastníci a ich kľúče.',
);

/** Forgetting: personal data of a record is overwritten wherever it stands. */
export const erasureOperations = {
  'companies.erase': operation({
    ...erasing,
    id: 'companies.erase',
    resource: 'company',
    path: '/companies/{id}/erase',
    scope: 'companies:write',
    title: text('Erase a company', 'Vymazať údaje firmy'),
    about: text(
      `Overwrites the personal data of a company, of its contacts, its client and leads, and of their activities, tasks and bookings; also in events, in the delivery log and in stored answers. Invoices, quotes and orders keep their numbers and lose the contact data. ${forGood.en}`,
      `Prepíše osobné údaje firmy, jej kontaktov, klienta a príležitostí a ich aktivít, úloh a rezervácií; aj v udalostiach, v zázname doručení a v uložených odpovediach. Faktúry, ponuky a objednávky si nechajú čísla a stratia kontaktné údaje. ${forGood.sk}`,
    ),
    instruction:
      'Forget a company and its contacts: overwrite their personal data everywhere, for good. Only when somebody demands it.',
  }),
  'contacts.erase': operation({
    ...erasing,
    id: 'contacts.erase',
    resource: 'contact',
    path: '/contacts/{id}/erase',
    scope: 'companies:write',
    title: text('Erase a contact', 'Vymazať údaje kontaktu'),
    about: text(
      `Overwrites the personal data of a contact, and the texts of its leads and of their activities, tasks and bookings; also in events, in the delivery log and in stored answers. Its company stays. ${forGood.en}`,
      `Prepíše osobné údaje kontaktu a texty jeho príležitostí a ich aktivít, úloh a rezervácií; aj v udalostiach, v zázname doručení a v uložených odpovediach. Jeho firma zostáva. ${forGood.sk}`,
    ),
    instruction:
      'Forget a person: overwrite the personal data of a contact everywhere, for good. Only when somebody demands it.',
  }),
  'clients.erase': operation({
    ...erasing,
    id: 'clients.erase',
    resource: 'client',
    path: '/clients/{id}/erase',
    scope: 'clients:write',
    title: text('Erase a client', 'Vymazať údaje klienta'),
    about: text(
      `Overwrites what was noted of a client, and the contact data in its bookings, orders and invoices; also in events, in the delivery log and in stored answers. Its company and the contacts stay. ${forGood.en}`,
      `Prepíše, čo bolo o klientovi zapísané, a kontaktné údaje v jeho rezerváciách, objednávkach a faktúrach; aj v udalostiach, v zázname doručení a v uložených odpovediach. Jeho firma a kontakty zostávajú. ${forGood.sk}`,
    ),
    instruction:
      'Forget a client: overwrite its notes, and the contact data of its bookings, orders and invoices, for good. Only when somebody demands it.',
  }),
  'leads.erase': operation({
    ...erasing,
    id: 'leads.erase',
    resource: 'lead',
    path: '/leads/{id}/erase',
    scope: 'leads:write',
    title: text('Erase a lead', 'Vymazať údaje príležitosti'),
    about: text(
      `Overwrites the texts of a lead and of its activities, tasks and bookings, and takes its contact away from it; also in events, in the delivery log and in stored answers. Its company and the contact stay. ${forGood.en}`,
      `Prepíše texty príležitosti a jej aktivít, úloh a rezervácií a odoberie jej kontakt; aj v udalostiach, v zázname doručení a v uložených odpovediach. Jej firma a kontakt zostávajú. ${forGood.sk}`,
    ),
    instruction:
      'Forget a lead: overwrite its texts and those of its activities, tasks and bookings, for good. Only when somebody demands it.',
  }),
};
