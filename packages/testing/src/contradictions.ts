const kindsOfKeys: Readonly<Record<string, string>> = {
  owner: 'user',
  assignee: 'user',
  assignees: 'user',
  origin: 'lead-origin',
  lost_reason: 'lost-reason',
  type: 'activity-type',
  service: 'booking-service',
  staff: 'booking-staff',
  category: 'product-category',
  contacts: 'contact',
  stages: 'stage',
  group: 'custom-field-group',
  token: 'key',
  // What the example of an event is about.
  record: 'lead',
};

/**
 * The kind of record that stands under a key: `lead.stage` and `pipeline.stages` alike, tasks have stages of their
 * own.
 */
function kindUnder(key: string, outer: string): string {
  const kind = kindsOfKeys[key] ?? key;
  if (kind === 'stage' && (outer === 'task' || outer === 'project')) return 'project-stage';
  return kind === 'items' ? `${outer}-item` : kind;
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;

/**
 * Where samples contradict each other: an id that two kinds of records have, a record of two names, a link that
 * leads to another record, sums that do not agree.
 *
 * @param samples by a name of theirs, each with the kind of its record
 */
export function contradictions(
  samples: readonly (readonly [name: string, kind: string, sample: unknown])[],
): string[] {
  const kinds = new Map<string, string>();
  const names = new Map<string, string>();
  const found = new Set<string>();

  const note = (known: Map<string, string>, id: string, told: string, where: string): void => {
    const before = known.get(id);
    if (before !== undefined && before !== told) found.add(`${where}: ${id} is ${before} and ${told}`);
    known.set(id, before ?? told);
  };

  const walk = (value: unknown, kind: string, where: string): void => {
    if (Array.isArray(value)) {
      for (const each of value) walk(each, kind, where);
      return;
    }
    const record = objectOf(value);
    if (!record) return;
    const id = record['id'] ?? record['uuid'];
    if (typeof id === 'string') {
      // A result of the search is another record, of the kind that it says.
      note(kinds, id, kind === 'search' ? String(record['type']) : kind, where);
      // An event's name is its type.
      if (typeof record['name'] === 'string' && record['name'] !== '') note(names, id, record['name'], where);
      const link = record['app_url'];
      if (typeof link === 'string' && !link.endsWith(`/${id}`)) found.add(`${where}: ${link} is not ${id}`);
    }
    for (const sum of wrongSums(record)) found.add(`${where}: ${sum}`);
    for (const [key, inner] of Object.entries(record)) {
      const named = /^(.+)_(?:id|uuid)$/.exec(key)?.[1];
      if (named !== undefined && typeof inner === 'string' && inner.includes('-')) {
        note(kinds, inner, kindUnder(named, kind), `${where}.${key}`);
      }
      walk(inner, kindUnder(key, kind), `${where}.${key}`);
    }
  };

  for (const [name, kind, sample] of samples) walk(sample, kind, name);
  return [...found];
}

const cents = (amount: number): number => Math.round(amount * 100);
const numberIn = (record: Readonly<Record<string, unknown>>, key: string): number => Number(record[key] ?? 0);

/** Of invoices, quotes and orders. */
function wrongSums(record: Readonly<Record<string, unknown>>): string[] {
  const items: unknown = record['items'];
  if (!Array.isArray(items) || typeof record['subtotal'] !== 'number') return [];
  const lines = items.map(objectOf).filter((line) => line !== undefined);
  const lineTotal = (line: Readonly<Record<string, unknown>>): number =>
    numberIn(line, 'line_total' in line ? 'line_total' : 'total');
  const sum = (amounts: readonly number[]): number => amounts.reduce((all, each) => all + cents(each), 0);
  const order = 'grand_total' in record;
  const vat = numberIn(record, order ? 'vat_total' : 'vat_amount');
  const total = order
    ? numberIn(record, 'subtotal') -
      numberIn(record, 'discount_total') +
      numberIn(record, 'shipping_cost') +
      vat +
      numberIn(record, 'cod_fee')
    : numberIn(record, 'subtotal') + vat;
  const rates = Map.groupBy(lines, (line) => numberIn(line, 'vat_rate'));
  const taxes = [...rates].map(([rate, ofRate]) => (sum(ofRate.map(lineTotal)) * rate) / 10_000);
  const checks: [string, boolean][] = [
    ['subtotal', cents(numberIn(record, 'subtotal')) === sum(lines.map(lineTotal))],
    ['total', cents(numberIn(record, order ? 'grand_total' : 'total')) === cents(total)],
    ['VAT', cents(vat) === sum(taxes)],
    ...lines.map((line, index): [string, boolean] => [
      `items[${index}]`,
      cents(lineTotal(line)) ===
        cents(
          numberIn(line, 'quantity') *
            numberIn(line, 'unit_price') *
            (1 - numberIn(line, 'discount_pct') / 100),
        ),
    ]),
  ];
  return checks.filter(([, right]) => !right).map(([name]) => `${name} does not add up`);
}
