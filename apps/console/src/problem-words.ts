import {
  dataSchemaOf,
  entityLabels,
  events,
  eventTypes,
  type FieldProblem,
  fieldsOf,
  filterFieldsOf,
  inLowerCase,
  isEventType,
  type Language,
  type MessageKey,
  message,
  rightLabels,
  type Text,
  text,
} from '@dealkeep/contract';
import type { Problem } from '@dealkeep/core/foundations';
import { fieldLabel } from './values/field-words.ts';

/** What the console says where the API's own words speak to programs: of field names, formats and requests. */
const words: Readonly<Partial<Record<MessageKey, Text>>> = {
  'parameter.invalid': text('This filter cannot be used: {reason}', 'Tento filter sa nedá použiť: {reason}'),
  'record.wrong_state': text(
    'The record is in another state by now. Look at it and decide again.',
    'Záznam je už v inom stave. Pozrite si ho a rozhodnite sa znova.',
  ),
  'field.invalid_characters': text(
    'This holds characters that cannot be saved. Type it anew.',
    'Toto obsahuje znaky, ktoré sa nedajú uložiť. Napíšte to znova.',
  ),
  'field.too_few': text('At least {min} is needed.', 'Treba aspoň {min}.'),
  'field.invalid_uuid': text('Choose one of those on offer.', 'Vyberte z ponuky.'),
  'field.invalid_choice': text('Choose one of those on offer.', 'Vyberte z ponuky.'),
  'field.not_found': text('Choose one of those on offer.', 'Vyberte z ponuky.'),
  'field.not_of_event': text(
    'The event “{event}” cannot be filtered by “{field}”. Take one of them out.',
    'Udalosť „{event}“ sa nedá filtrovať podľa „{field}“. Jedno z nich odoberte.',
  ),
  'field.not_watchable': text(
    'The event “{event}” does not tell of a change of “{field}”. Take one of them out.',
    'Udalosť „{event}“ nehovorí o zmene poľa „{field}“. Jedno z nich odoberte.',
  ),
  'field.needs_updated_event': text(
    'None of the chosen events tells of an update. Choose one that does, or take these fields out.',
    'Žiadna z vybraných udalostí nehovorí o zmene. Vyberte takú alebo tieto polia odoberte.',
  ),
  'field.invalid_country': text('Choose a country.', 'Vyberte krajinu.'),
  'field.invalid_date': text('This is not a date.', 'Toto nie je dátum.'),
  'field.invalid_date_time': text('This is not a date with a time.', 'Toto nie je dátum s časom.'),
  'field.invalid_time': text(
    'This is not a time of day, such as 09:30.',
    'Toto nie je čas, napríklad 09:30.',
  ),
  'field.needs_product': text(
    'Choose a product, or fill in its SKU.',
    'Vyberte produkt alebo vyplňte jeho SKU.',
  ),
  'field.needs_price': text(
    'No product has this SKU, so it needs a unit price.',
    'Toto SKU nemá žiadny produkt, preto treba jednotkovú cenu.',
  ),
  'field.product_without_price': text(
    'This product has no price, so it needs a unit price.',
    'Tento produkt nemá cenu, preto treba jednotkovú cenu.',
  ),
  'field.either': text(
    'Choose one that is there or enter a new one, not both.',
    'Vyberte existujúci záznam alebo zadajte nový, nie oboje.',
  ),
  'field.needs_company': text('Choose a company first.', 'Najprv vyberte firmu.'),
  'order.external_id': text(
    'There is already an order with this external ID from {source}.',
    'Objednávka s týmto externým ID zo zdroja {source} už existuje.',
  ),
  'webhook.unknown_event': text('Choose one of those on offer.', 'Vyberte z ponuky.'),
  'webhook.url_malformed': text('This is not a web address.', 'Toto nie je webová adresa.'),
  'webhook.url_too_long': text(
    'The address is longer than {max} characters.',
    'Adresa je dlhšia ako {max} znakov.',
  ),
  'webhook.url_not_https': text('The address must start with https://.', 'Adresa sa musí začínať https://.'),
  'webhook.url_user_information': text(
    'The address must not hold a user name or password.',
    'Adresa nesmie obsahovať meno používateľa ani heslo.',
  ),
  'webhook.url_port': text(
    'The address may use port 443 or a port from 1024 up.',
    'Adresa môže použiť port 443 alebo porty od 1024 vyššie.',
  ),
  'webhook.url_unresolvable': text(
    'The host of this address cannot be found.',
    'Server tejto adresy sa nedá nájsť.',
  ),
  'webhook.url_blocked': text(
    'The host of this address is private or internal. Use a public one, or ask the operator to allow it.',
    'Server tejto adresy je súkromný alebo interný. Použite verejný alebo požiadajte prevádzkovateľa o povolenie.',
  ),
};

type Values = Readonly<Record<string, string | number | Text>>;

/** A message in the words of the console. */
function say(language: Language, key: MessageKey, values: Values): string {
  const own = words[key];
  if (!own) return message(key, language, values);
  return own[language].replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name] ?? whole;
    return typeof value === 'object' ? value[language] : String(value);
  });
}

/** What is wrong with a field, in the words of the console. */
export const fieldWords = (language: Language, { key, values = {} }: Omit<FieldProblem, 'path'>): string =>
  say(language, key, withLabels(language, values));

/** With what people call an event and its field. */
function withLabels(language: Language, values: Values): Values {
  const { event, field } = values;
  if (typeof event !== 'string' || !isEventType(event)) return values;
  const fields = [event, ...eventTypes].flatMap((type) => [
    ...filterFieldsOf(type),
    ...fieldsOf(dataSchemaOf(type)),
  ]);
  const named = fields.find(({ name }) => name === field);
  return {
    ...values,
    event: events[event].label,
    ...(named ? { field: fieldLabel(language, named) } : {}),
  };
}

/** A problem that belongs to no field, in the words of the console. */
export function problemWords(language: Language, { key, values, reason }: Problem): string {
  const { permission } = values;
  return say(language, key, {
    ...values,
    ...(reason ? { reason: fieldWords(language, reason) } : {}),
    ...(typeof permission === 'string' ? { permission: permissionWords(language, permission) } : {}),
  });
}

/** `leads.view` as the page of roles calls it: `Leads: see`. */
export function permissionWords(language: Language, permission: string): string {
  const [entity = '', right = ''] = permission.split('.');
  const [of, to] = [labelOf(entityLabels, entity), labelOf(rightLabels, right)];
  return of && to ? `${of[language]}: ${inLowerCase(to[language])}` : permission;
}

const labelOf = (labels: Readonly<Record<string, Text>>, name: string): Text | undefined =>
  Object.hasOwn(labels, name) ? labels[name] : undefined;
