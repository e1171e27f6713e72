import { randomBytes } from 'node:crypto';
import { bareSchema, descriptionOf, exampleOf, formsOf, limits, longestOf } from '@dealkeep/contract';
import * as z from 'zod';

const most = limits.bodyBytes - 1024;

/** Texts that cost quadratic readers dearly, each of so many characters. */
const hostile: Readonly<Record<string, (length: number) => string>> = {
  letters: (length) => 'a'.repeat(length),
  dots: (length) => `a@${'a.'.repeat(length / 2)}`,
  dashes: (length) => `a@${'a-'.repeat(length / 2)}`,
  blanks: (length) => `x${' '.repeat(length - 2)}x`,
  digits: (length) => '9'.repeat(length),
  decimals: (length) => `2026-01-01T00:00:00.${'1'.repeat(length)}`,
  brackets: (length) => '['.repeat(length),
  bicycles: (length) => '🚲'.repeat(length / 4),
  controls: (length) => '\u0001'.repeat(length / 6),
  address: (length) => `https://a.example/${'%2f'.repeat(length / 3)}`,
};

/** Every path of a schema that holds something, with the schema there. */
function* leaves(
  schema: z.core.$ZodType,
  path: readonly (string | number)[] = [],
): Generator<[path: readonly (string | number)[], schema: z.core.$ZodType]> {
  const { bare } = bareSchema(schema);
  if (path.length > 0) yield [path, schema];
  for (const form of formsOf(bare) ?? []) yield* leaves(form, path);
  if (bare instanceof z.ZodObject) {
    for (const [name, field] of Object.entries(bare.shape)) yield* leaves(field, [...path, name]);
  } else if (bare instanceof z.ZodArray) yield* leaves(bare.element, [...path, 0]);
}

function put(body: object, path: readonly (string | number)[], value: unknown): object {
  const [first = '', ...rest] = path;
  const copy: object = Array.isArray(body) ? [...body] : { ...body };
  const inner: unknown = Reflect.get(copy, first);
  const next = typeof rest[0] === 'number' ? [] : {};
  Reflect.set(copy, first, rest.length === 0 ? value : put(Object(inner ?? next), rest, value));
  return copy;
}

/** The largest value that a schema lets through, with texts of so many characters at most. */
function largest(schema: z.core.$ZodType, characters: number): unknown {
  const { bare } = bareSchema(schema);
  const [form] = formsOf(bare) ?? [];
  if (form) return largest(form, characters);
  if (bare instanceof z.ZodObject) {
    const entries = Object.entries(bare.shape).map(([name, field]) => [name, largest(field, characters)]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }
  if (bare instanceof z.ZodArray) {
    return Array.from({ length: Math.min(longestOf(bare), 500) }, () => largest(bare.element, characters));
  }
  const { maxLength, reference, format } = descriptionOf(schema) ?? {};
  if (reference || format || maxLength === undefined || maxLength < 20) return exampleOf(schema);
  return 'ž'.repeat(Math.min(maxLength / 2, characters));
}

const numbered = (count: number, entry: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => entry(index)).join(',');

/** The worst bodies of about 1 MiB for a schema, by names: what it lets through, and what it refuses. */
export function* worstBodies(schema: z.ZodObject, least: object, all: boolean): Generator<[string, string]> {
  const json = JSON.stringify(least);
  const open = json === '{}' ? '{' : `${json.slice(0, -1)},`;
  for (const characters of [32_768, 4096, 800, 100]) {
    const text = JSON.stringify({ ...Object(largest(schema, characters)), ...least });
    if (text.length > most / 2) continue;
    yield [`the largest, of texts of ${characters}`, text];
    break;
  }
  yield ['many unknown fields', `${open}${numbered(70_000, (index) => `"u${index}":1`)}}`];
  yield ['one unknown field many times', `${open}${numbered(140_000, () => '"u":1')}}`];
  yield ['deep arrays', `${open}"u":${'['.repeat(most / 2)}${']'.repeat(most / 2)}}`];
  yield ['deep objects', `${'{"a":'.repeat(most / 6)}1${'}'.repeat(most / 6)}`];
  yield ['an array of numbers', `[${numbered(500_000, () => '1')}]`];
  yield ['no JSON', '{'.repeat(most)];
  for (const [path, field] of leaves(schema)) {
    const at = path.join('.');
    const { bare } = bareSchema(field);
    const withRaw = (raw: string): string =>
      JSON.stringify(put(least, path, 'HERE')).replace('"HERE"', () => raw);
    if (bare instanceof z.ZodArray) {
      yield [`${at}: 340,000 empty objects`, withRaw(`[${numbered(340_000, () => '{}')}]`)];
      yield [`${at}: 200,000 texts`, withRaw(`[${numbered(200_000, () => '"aa"')}]`)];
      const many = numbered(
        Math.min(longestOf(bare), 500),
        () => `{${numbered(100, (index) => `"u${index}":1`)}}`,
      );
      yield [`${at}: as many as there may be, of many unknown fields`, withRaw(`[${many}]`)];
    } else if (bare instanceof z.ZodRecord) {
      yield [`${at}: 70,000 entries`, withRaw(`{${numbered(70_000, (index) => `"u${index}":"1"`)}}`)];
      yield [
        `${at}: as many entries as there may be`,
        withRaw(`{${numbered(limits.listItems, (index) => `"u${index}":"1"`)}}`),
      ];
    } else if (bare instanceof z.ZodNumber) yield [`${at}: a long number`, withRaw('9'.repeat(most))];
    else if (!(bare instanceof z.ZodObject) && !(bare instanceof z.ZodBoolean)) {
      const texts = Object.entries(hostile).filter((_, index) => all || index % 4 === at.length % 4);
      for (const [name, make] of texts) {
        yield [`${at}: ${name}`, withRaw(JSON.stringify(make(most)))];
        if (all)
          yield [
            `${at}: ${name}, as many as a text may have`,
            withRaw(JSON.stringify(make(limits.textBytes))),
          ];
      }
    }
  }
}

/** As many new records as a batch takes, each with all records that it can describe; none of those is there yet. */
export function fullBatch(item: z.ZodObject, least: object): string {
  const described = Object.entries(item.shape).filter(
    ([, field]) => bareSchema(field).bare instanceof z.ZodObject,
  );
  const items = Array.from({ length: limits.batchItems }, () => {
    const own = randomBytes(4).readUInt32BE();
    const inner = described.map(([name, field]) => {
      const entries = Object.entries(Object(exampleOf(field))).map(([key, value]) => [
        key,
        { name: `${value} ${own}`, email: `${own}@batch.example`, registration_id: String(own) }[key] ??
          value,
      ]);
      return [name, Object.fromEntries(entries)];
    });
    return { ...least, ...Object.fromEntries(inner) };
  });
  return JSON.stringify({ operation: 'create', items });
}

/** The worst messages of about 1 MiB to the endpoint of assistants, by names: the method with its parameters. */
export function* worstMessages(
  tools: readonly string[],
): Generator<[name: string, method: string, params: string]> {
  const entries = (count: number): string => `{${numbered(count, (index) => `"u${index}":1`)}}`;
  for (const tool of [...tools, 'no_tool']) {
    yield [
      `${tool}: many unknown arguments`,
      'tools/call',
      `"name":"${tool}","arguments":${entries(75_000)}`,
    ];
  }
  const [tool = ''] = tools;
  const values = {
    'many entries': entries(75_000),
    'as many entries as there may be': entries(limits.messageEntries - 20),
    'long names': `{${numbered(limits.messageEntries - 20, (index) => `"${'n'.repeat(80)}${index}":1`)}}`,
    numbers: `[${numbered(450_000, () => '1')}]`,
    'empty objects': `[${numbered(300_000, () => '{}')}]`,
    letters: `"${'a'.repeat(most - 1000)}"`,
    controls: `"${'\\u0001'.repeat(most / 6 - 200)}"`,
    lines: `"${'\\n'.repeat(most / 2 - 500)}"`,
  };
  for (const [name, value] of Object.entries(values)) {
    yield [`an argument: ${name}`, 'tools/call', `"name":"${tool}","arguments":{"a":${value}}`];
    yield [`the name of a tool: ${name}`, 'tools/call', `"name":${value}`];
    yield [`_meta: ${name}`, 'tools/list', `"_meta":${value}`];
    yield [`a field of _meta: ${name}`, 'tools/list', `"_meta":{"a":${value}}`];
    yield [`a cursor: ${name}`, 'tools/list', `"cursor":${value}`];
    yield [`an address: ${name}`, 'resources/read', `"uri":${value}`];
    yield [
      `arguments of a prompt: ${name}`,
      'prompts/get',
      `"name":"prepare_meeting","arguments":{"lead":${value}}`,
    ];
    yield [
      `a completion: ${name}`,
      'completion/complete',
      `"ref":{"type":"ref/resource","uri":"dealkeep://lead/{id}"},"argument":{"name":"id","value":${value}}`,
    ];
    yield [`what a client can do: ${name}`, 'initialize', `"capabilities":${value}`];
    yield [`an unknown method: ${name}`, 'unheard/of', `"a":${value}`];
  }
}

/** What the names of so many products begin with that each search for it finds as many as are offered. */
export const dearestProduct = 'dearestproduct';

/** The worst forms, by names; `names` are those of fields that forms have, `product` is the id of one. */
export function* worstForms(
  hidden: string,
  names: readonly string[],
  product: string,
): Generator<[string, string]> {
  const fields = limits.formFields - 10;
  const rows = (name: string, value: string): string =>
    Array.from(
      { length: fields },
      (_, index) => `${name}[${index % 200}].f${Math.floor(index / 200)}=${value}`,
    ).join('&');
  yield ['a=& many times', `${hidden}&${'a=&'.repeat(349_000)}`];
  yield ['a=& as often as there may be', `${hidden}&${'a=&'.repeat(fields)}`];
  yield [
    'many names',
    `${hidden}&${Array.from({ length: fields }, (_, index) => `n${index}=${'x'.repeat(190)}`).join('&')}`,
  ];
  for (const name of ['items', 'images', 'attachments']) {
    yield [`rows of ${name}`, `${hidden}&${rows(name, 'x'.repeat(150))}`];
    yield [`empty rows of ${name}`, `${hidden}&${rows(name, '')}`];
    yield [`rows of ${name} shown again`, `${hidden}&do=add:${name}&${rows(name, 'x')}`];
    const real = Array.from({ length: fields }, (_, index) => {
      const inner = ['name', 'sku', 'quantity', 'unit_price', 'product_uuid.find', 'url', 'title'][index % 7];
      return `${name}[${Math.floor(index / 7) % 200}].${inner}=9,9,9`;
    });
    yield [`filled rows of ${name}`, `${hidden}&${real.join('&')}`];
  }
  const chosen = Array.from(
    { length: limits.formRows },
    (_, row) => `items[${row}].name=x&items[${row}].product_uuid=${product}`,
  );
  yield ['rows of what is chosen', `${hidden}&${chosen.join('&')}`];
  // Each of these texts is another one, and all of them find the same.
  const searched = Array.from({ length: limits.formRows }, (_, row) => {
    const find = [...dearestProduct].map((letter, at) => ((row >> at) & 1 ? letter.toUpperCase() : letter));
    return `items[${row}].name=x&items[${row}].product_uuid.find=${find.join('')}`;
  });
  yield ['rows that are to be found', `${hidden}&${searched.join('&')}`];
  for (const [kind, make] of Object.entries(hostile)) {
    const value = encodeURIComponent(make(Math.floor(most / (kind === 'letters' ? 1 : 12) / names.length)));
    yield [
      `every field of ${kind}`,
      `${hidden}&${names.map((name) => `${name}=${value}`).join('&')}`.slice(0, most),
    ];
  }
  for (const name of names.slice(0, 3))
    yield [`one long ${name}`, `${hidden}&${name}=${'x'.repeat(most - 5000)}`];
  yield ['percent signs', `${hidden}&name=${'%'.repeat(most - 5000)}`];
  yield [
    'one value many times',
    `${hidden}&${Array.from({ length: fields }, () => `${names[0]}=x`).join('&')}`,
  ];
}
