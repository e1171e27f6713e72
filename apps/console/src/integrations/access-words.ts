import { allScopes, type Language, type Scope, type Text, text } from '@dealkeep/contract';
import { sayFrom } from '../texts.ts';

type Concern = Scope extends infer Each ? (Each extends `${infer Name}:${string}` ? Name : never) : never;

/** What scopes are about, as the object of a sentence. */
const concerns: Readonly<Record<Exclude<Concern, 'webhooks'>, Text>> = {
  companies: text('companies and contacts', 'firmy a kontakty'),
  clients: text('clients', 'klientov'),
  leads: text('leads', 'príležitosti'),
  activities: text('activities', 'aktivity'),
  tasks: text('tasks', 'úlohy'),
  invoices: text('invoices and quotes', 'faktúry a cenové ponuky'),
  bookings: text('bookings', 'rezervácie'),
  orders: text('orders', 'objednávky'),
  products: text('products', 'produkty'),
  users: text('the people of the organization', 'ľudí v organizácii'),
};

const accessSay = sayFrom({
  everything: text(
    'everything: reads and changes all records, and hears of events',
    'všetko: číta a mení všetky záznamy a dozvedá sa o udalostiach',
  ),
  readsAll: text('reads everything', 'číta všetko'),
  both: text('reads and changes {what}', 'číta a mení {what}'),
  adds: text('reads and adds {what}', 'číta a pridáva {what}'),
  reads: text('reads {what}', 'číta {what}'),
  writes: text('adds {what} without seeing them', 'pridáva {what} bez toho, aby ich videl'),
  hears: text('hears of events', 'dozvedá sa o udalostiach'),
} as const satisfies Record<string, Text>);

/** Records that are created and never changed through the API. */
const onlyAdded = new Set(['invoices', 'orders']);

const isConcern = (name: string): name is keyof typeof concerns => Object.hasOwn(concerns, name);

/** What a credential may do, in one sentence without names of scopes: `Reads and changes leads; reads tasks`. */
export function accessWords(language: Language, granted: readonly Scope[]): string {
  const [say, has] = [accessSay(language), new Set<string>(granted)];
  const names = Object.keys(concerns).filter(isConcern);
  const may = (name: string, what: 'read' | 'write'): boolean => has.has(`${name}:${what}`);
  const part = (key: 'both' | 'adds' | 'reads' | 'writes', wanted: (name: string) => boolean): string[] => {
    const what = names.filter(wanted).map((name) => concerns[name][language]);
    return what.length === 0 ? [] : [say(key, { what: what.join(', ') })];
  };
  const hears = has.has('webhooks:manage') ? [say('hears')] : [];
  const isChanging = names.some((name) => may(name, 'write'));
  const parts = allScopes.every((scope) => has.has(scope))
    ? [say('everything')]
    : names.every((name) => may(name, 'read')) && !isChanging
      ? [say('readsAll'), ...hears]
      : [
          ...part('both', (name) => may(name, 'read') && may(name, 'write') && !onlyAdded.has(name)),
          ...part('adds', (name) => may(name, 'read') && may(name, 'write') && onlyAdded.has(name)),
          ...part('writes', (name) => may(name, 'write') && !may(name, 'read')),
          ...part('reads', (name) => may(name, 'read') && !may(name, 'write')),
          ...hears,
        ];
  const sentence = parts.join('; ');
  return sentence.charAt(0).toLocaleUpperCase(language) + sentence.slice(1);
}
