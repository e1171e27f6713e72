import { type Text, text } from '@dealkeep/contract';
import { sayFrom, sharedTexts } from '../../texts.ts';

const printTexts = {
  print: text('Print or save as PDF', 'Vytlačiť alebo uložiť ako PDF'),
  hint: text(
    'The browser prints this page, also into a PDF: Ctrl+P, on a Mac ⌘P.',
    'Stránku vytlačí prehliadač, aj do PDF: Ctrl+P, na Macu ⌘P.',
  ),
  noSupplier: text(
    'Of your organization only the name is printed: its address and IDs are not known here yet.',
    'Z vašej organizácie sa tlačí len názov: jej adresa, IČO a DIČ tu ešte nie sú uvedené.',
  ),
  addToOrganization: text('Add them', 'Doplniť'),
  noCompany: text(
    'The customer’s address and IDs are missing, because it names no company that you may see.',
    'Chýba adresa a IČO zákazníka, lebo doklad neuvádza firmu, ktorú by ste mohli vidieť.',
  ),
  invoice: text('Invoice', 'Faktúra'),
  quote: text('Quote', 'Cenová ponuka'),
  supplier: text('Supplier', 'Dodávateľ'),
  customer: text('Customer', 'Odberateľ'),
  registrationId: text('Company ID: {id}', 'IČO: {id}'),
  taxId: text('Tax ID: {id}', 'DIČ: {id}'),
  vatId: text('VAT ID: {id}', 'IČ DPH: {id}'),
  issued: text('Issued', 'Dátum vystavenia'),
  due: text('Due', 'Dátum splatnosti'),
  validUntil: text('Valid until', 'Platí do'),
  bankAccount: text('Bank account', 'Bankový účet'),
  variableSymbol: text('Variable symbol', 'Variabilný symbol'),
  items: text('Items', 'Položky'),
  item: text('Item', 'Položka'),
  quantity: text('Quantity', 'Množstvo'),
  unitPrice: text('Unit price', 'Cena za jednotku'),
  vatRate: text('VAT', 'DPH'),
  lineTotal: text('Without VAT', 'Bez DPH'),
  lineTotalAlone: text('Total', 'Spolu'),
  vatSummary: text('VAT by rates', 'DPH podľa sadzieb'),
  rate: text('Rate', 'Sadzba'),
  base: text('Base', 'Základ'),
  withVat: text('With VAT', 'S DPH'),
  subtotal: text('Without VAT', 'Bez DPH'),
  total: text('Total', 'Spolu'),
  paid: text('Already paid', 'Už uhradené'),
  toPay: text('To pay', 'Na úhradu'),
  settled: text('Paid. Nothing remains to be paid.', 'Uhradené. Nič netreba platiť.'),
  cancelled: text('Cancelled. Nothing is to be paid.', 'Stornované. Nič netreba platiť.'),
  draft: text('Draft', 'Koncept'),
} as const satisfies Record<string, Text>;

/** The texts of a printed document in a language. */
export const printSay = sayFrom({ ...sharedTexts, ...printTexts });
