import { type Text, text } from '@dealkeep/contract';
import type { RecordKind } from './record-kind.ts';

/** What a button and a form say that make a record: a sentence of its own in each language, for words change in one. */
export const createWords: Readonly<Record<RecordKind['resource'], Text>> = {
  company: text('Create company', 'Vytvoriť firmu'),
  contact: text('Create contact', 'Vytvoriť kontakt'),
  client: text('Create client', 'Vytvoriť klienta'),
  lead: text('Create lead', 'Vytvoriť príležitosť'),
  quote: text('Create quote', 'Vytvoriť cenovú ponuku'),
  invoice: text('Create invoice', 'Vytvoriť faktúru'),
  activity: text('Create activity', 'Vytvoriť aktivitu'),
  task: text('Create task', 'Vytvoriť úlohu'),
  booking: text('Create booking', 'Vytvoriť rezerváciu'),
  order: text('Create order', 'Vytvoriť objednávku'),
  product: text('Create product', 'Vytvoriť produkt'),
};
