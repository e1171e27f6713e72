import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  bareSchema,
  operations as contract,
  descriptionOf,
  events as eventCatalog,
  eventTypes,
  filtersOfEvent,
  type OperationDeclaration,
  oauthScopes,
  operationIds,
  watchableFields,
} from '@dealkeep/contract';
import { describe, expect, test } from 'vitest';
import { DealkeepApi } from '../credentials/DealkeepApi.credentials.ts';
import { DealkeepOAuth2Api } from '../credentials/DealkeepOAuth2Api.credentials.ts';
import { actionDescription } from '../nodes/shared/generated/action-description.ts';
import { loads, searches } from '../nodes/shared/generated/choices.ts';
import { eventOptions, triggerEventOptions } from '../nodes/shared/generated/constants.ts';
import { events, triggerFilters } from '../nodes/shared/generated/events.ts';
import { operations } from '../nodes/shared/generated/operations.ts';
import { triggerDescription } from '../nodes/shared/generated/trigger-description.ts';
import type { Field, Operation } from '../nodes/shared/tables.ts';
import { generatedFiles, generatedFolders } from '../scripts/generate/files.ts';
import { leftOut, leftOutFields } from '../scripts/generate/grouping.ts';
import { offeredIds, sayTheSame } from '../scripts/generate/resource-operations.ts';
import { camelCase, titleCase } from '../scripts/generate/wording.ts';
import { nodesFolder, writtenFiles } from '../scripts/generate/written-files.ts';

const rows: [string, Operation][] = Object.entries(operations).flatMap(([resource, of]) =>
  Object.entries(of).map(([name, row]): [string, Operation] => [`${resource}.${name}`, row]),
);
const fieldsOf = (row: Operation): readonly Field[] => [
  ...(row.always ?? []),
  ...row.required,
  ...(row.top ?? []),
  ...row.optional,
  ...(row.asked ?? []),
  ...(row.list?.filters ?? row.query ?? []),
  ...row.inPath,
];

/** Every parameter, those inside collections too. */
function parametersIn(value: unknown): {
  name: string;
  type: string;
  default?: unknown;
  placeholder?: unknown;
  typeOptions?: unknown;
  modes?: unknown;
  options?: unknown;
}[] {
  if (Array.isArray(value)) return value.flatMap(parametersIn);
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(parametersIn);
  return 'displayName' in value && 'type' in value && 'name' in value && 'default' in value
    ? [{ ...value, name: String(value.name), type: String(value.type) }, ...inner]
    : inner;
}

/** Names of the parameters of a fixed collection's only group. */
const valuesOf = (options: unknown): string[] =>
  Object.values(Object(options)).flatMap((group) =>
    Object(group).values.map(({ name }: { name: string }) => name),
  );

test('the fields to watch are those that an update can name, and of leads the stage where a move is told, too (rules connectors 6 and n8n 13)', () => {
  const options = parametersIn(triggerDescription)
    .filter(({ name }) => name.endsWith('FieldsToWatch'))
    .map((each) => Object.values(Object(each.options)).map(Object));
  const offered = options.map((each) => each.filter(({ displayOptions }) => displayOptions === undefined));
  const promised = eventTypes.map(watchableFields).filter((names) => names.length > 0);
  const sorted = (lists: readonly (readonly string[])[]) =>
    lists.map((names) => names.toSorted().join(' ')).toSorted();
  expect(sorted(offered.map((each) => each.map(({ value }) => value)))).toEqual(sorted(promised));
  expect(options.flat().filter(({ displayOptions }) => displayOptions !== undefined)).toEqual([
    {
      name: 'Stage',
      value: 'stage',
      displayOptions: { show: { '/events': ['lead.created,lead.updated,lead.stage_changed'] } },
    },
  ]);
});

describe('the generated code', () => {
  test('follows from the contract (rules versioning 11, connectors 1 and n8n 3)', async () => {
    const [written, files] = [await writtenFiles(), generatedFiles()];
    expect([...written.keys()].sort()).toEqual([...files.keys()].sort());
    for (const [path, content] of files) {
      expect(written.get(path), `${path}: run npm run generate`).toBe(content);
    }
  });

  test('is marked as generated', async () => {
    const attributes = await readFile(join(nodesFolder, '../../../.gitattributes'), 'utf8');
    for (const folder of generatedFolders)
      expect(attributes).toContain(`/packages/n8n-nodes-dealkeep/nodes/${folder}/** linguist-generated\n`);
  });

  test('says once in which ways a record is given', () => {
    const written = [...generatedFiles()].flatMap(([path, content]) =>
      [...content.matchAll(/searchListMethod: '(\w+)'/g)].map(([, method]) => ({ path, method })),
    );
    expect(written.map(({ method }) => method).toSorted()).toEqual(Object.keys(searches).toSorted());
    expect(new Set(written.map(({ path }) => path))).toEqual(new Set(['shared/generated/locators.ts']));
  });

  test('holds the shape of the output of every operation', () => {
    const files = generatedFiles();
    for (const [operation] of rows) {
      const [resource, name] = operation.split('.');
      expect([...files.keys()]).toContain(`Dealkeep/__schema__/v1.0.0/${resource}/${name}.json`);
    }
  });
});

describe('create or update (rule n8n 5)', () => {
  const shown = (resource: string, name: string, matchBy: string) =>
    actionDescription.filter((property) => {
      const show = property.displayOptions?.show ?? {};
      const has = (key: string, value: string) => show[key]?.includes(value);
      return (
        property.name === name &&
        has('resource', resource) &&
        has('operation', 'upsert') &&
        has('matchBy', matchBy)
      );
    });

  test.each([
    ['contact', 'email', { email: true, name: undefined, companyId: undefined }],
    ['contact', 'phone', { phone: true, name: undefined, companyId: undefined }],
    ['company', 'registration_id', { registrationId: true, name: undefined }],
    ['company', 'name', { name: true }],
    ['client', 'reference_code', { referenceCode: true, companyId: undefined }],
    ['client', 'company_id', { companyId: true }],
  ])('%s by %s asks once for what is needed, and for the rest only to create', (resource, by, fields) => {
    for (const [name, required] of Object.entries(fields)) {
      const asked = shown(resource, name, by);
      expect(
        asked.map((property) => property.required),
        name,
      ).toEqual([required]);
      if (!required)
        expect(asked[0]?.description).toMatch(/^Needed only when no .+ matches and one is created/);
    }
  });

  test.each(['company', 'contact', 'client'])('of a %s is the one of the API', (resource) => {
    const row = operations[resource]?.['upsert'];
    const declaration = Object.values<OperationDeclaration>(contract).find(
      (each) => each.kind === 'upsert' && each.resource === resource,
    );
    expect(row).toMatchObject({ method: 'POST', path: declaration?.path, mapped: true });
    const offered = actionDescription
      .filter(
        ({ name, displayOptions }) =>
          name === 'matchBy' && displayOptions?.show?.['resource']?.includes(resource),
      )
      .flatMap(({ options = [] }) => options.map((each) => Object(each).value));
    const schema = declaration?.body?.shape['match_by'];
    expect(offered.toSorted()).toEqual(
      Object.keys((schema && descriptionOf(schema)?.choices) ?? {}).toSorted(),
    );
  });
});

describe('the action node', () => {
  test('offers every operation of the contract, or says why it does not (rules connectors 3 and n8n 5)', () => {
    for (const id of operationIds) {
      const { method, path } = contract[id];
      const row = rows.find(([, each]) => each.method === method && each.path === path);
      if (leftOut[id] === undefined) expect(row, id).toBeDefined();
      else expect([row, leftOut[id]], id).toEqual([undefined, expect.stringMatching(/\w+ \w+/)]);
    }
  });

  test('calls parameters as the API calls fields, in camelCase (rule connectors 2)', () => {
    for (const [operation, row] of rows) {
      for (const { name, parameter } of fieldsOf(row)) {
        expect(parameter, `${operation} ${name}`).toMatch(/^[a-z][a-zA-Z0-9]*$/);
        if (!row.inPath.some((each) => each.name === name)) {
          expect(parameter, operation).toBe(camelCase(name.split('.').at(-1) ?? name));
        }
      }
    }
  });

  test('offers every field of every body and every filter of every list, or says why it does not', () => {
    for (const id of offeredIds) {
      const declaration: OperationDeclaration = contract[id];
      const row = rows.find(
        ([, each]) => each.method === declaration.method && each.path === declaration.path,
      )?.[1];
      const names = row ? fieldsOf(row).map(({ name }) => name) : [];
      const [, ...same] = sayTheSame(declaration);
      const asked = (object: OperationDeclaration['body']): string[] =>
        Object.entries(object?.shape ?? {})
          .filter(([, schema]) => descriptionOf(schema)?.leftOutOf !== 'forms')
          .map(([name]) => name);
      const body = asked(declaration.body).filter((name) => !same.includes(name));
      const others = ['limit', 'cursor', 'sort', ...Object.keys(leftOutFields[id] ?? {})];
      const filters = asked(declaration.query).filter((name) => !others.includes(name));
      expect([...names, ...(row?.customFields ? ['custom_fields'] : [])], id).toEqual(
        expect.arrayContaining([...body, ...filters]),
      );
    }
  });

  test('maps the columns of the input for everything that writes a record, and keeps its form apart', () => {
    const writes = offeredIds.filter((id) => {
      const { kind, resource } = contract[id];
      return ['create', 'update', 'upsert'].includes(kind) && resource !== 'webhook';
    });
    const mapped = rows.filter(([, row]) => row.mapped).map(([, { method, path }]) => `${method} ${path}`);
    expect(mapped.toSorted()).toEqual(
      writes.map((id) => `${contract[id].method} ${contract[id].path}`).toSorted(),
    );
    const mappers = actionDescription.filter(({ type }) => type === 'resourceMapper');
    for (const [operation] of rows.filter(([, row]) => row.mapped)) {
      const [resource = '', name = ''] = operation.split('.');
      const isShown = ({ displayOptions }: (typeof actionDescription)[number]) =>
        displayOptions?.show?.['resource']?.includes(resource) &&
        displayOptions.show['operation']?.includes(name);
      expect(mappers.filter(isShown), operation).toMatchObject([
        { name: 'mapping', typeOptions: { resourceMapper: { supportAutoMap: true } } },
      ]);
      // Whoever maps the columns is asked for nothing that a column says.
      const atOnce = actionDescription
        .filter(isShown)
        .filter(
          ({ displayOptions }) => !displayOptions?.show?.['/mapping.mappingMode']?.includes('defineBelow'),
        );
      const inPath = operations[resource]?.[name]?.inPath.map(({ parameter }) => parameter) ?? [];
      const always = operations[resource]?.[name]?.always?.map(({ parameter }) => parameter) ?? [];
      expect(atOnce.map((each) => each.name)).toEqual(
        expect.arrayContaining(['mapping', 'unknownColumns', ...inPath, ...always]),
      );
      const about = ['options', 'simplify', 'output', 'fields'];
      const others = ['mapping', 'unknownColumns', ...about, ...inPath, ...always];
      expect(atOnce.filter((each) => !others.includes(each.name))).toEqual([]);
    }
  });

  test.each(['invoice', 'order'])(
    'decides about the lines of an %s after its mapper, as n8n reads from the top',
    (resource) => {
      const of = actionDescription.filter(({ displayOptions }) =>
        displayOptions?.show?.['resource']?.includes(resource),
      );
      const places = ['mapping', 'specifyItems', 'items', 'itemsJson'].map((name) =>
        of.findIndex((each) => each.name === name),
      );
      expect(places).toEqual(places.toSorted((one, other) => one - other));
      expect(places).not.toContain(-1);
    },
  );

  test('opens Lead → Create with the name and the company (rule n8n 4)', () => {
    const onTop = actionDescription.filter(
      ({ type, displayOptions }) =>
        displayOptions?.show?.['resource']?.includes('lead') &&
        displayOptions.show['operation']?.includes('create') &&
        !['resourceMapper', 'collection'].includes(type),
    );
    expect(
      onTop
        .map(({ name }) => name)
        .filter((name) => name !== 'unknownColumns')
        .slice(0, 2),
    ).toEqual(['name', 'companyId']);
  });

  test.each([
    ['task', 'complete', { completed: 'false', archived: 'false' }],
    ['task', 'reopen', { completed: 'true', archived: 'false' }],
    ['activity', 'complete', { status: 'open' }],
    ['lead', 'move', { archived: 'false' }],
    ['lead', 'get', undefined],
  ])('%s %s lists the records that it can do something with (rule n8n 6)', (resource, operation, query) => {
    const record = actionDescription.find(
      ({ name, displayOptions }) =>
        name === `${resource}Id` &&
        displayOptions?.show?.['resource']?.includes(resource) &&
        displayOptions.show['operation']?.includes(operation),
    );
    const method = /(?<="searchListMethod":")\w+/.exec(JSON.stringify(record?.modes))?.[0] ?? '';
    expect(searches[method]?.query).toEqual(query);
  });

  test('gives out tags and custom fields, simplified too', () => {
    for (const name of ['create', 'get', 'getAll', 'update', 'upsert'])
      expect(operations['company']?.[name]?.simplified, name).toEqual(
        expect.arrayContaining(['tags', 'custom_fields']),
      );
  });

  test('gets one of everything that it lists', () => {
    for (const [resource, of] of Object.entries(operations)) {
      if ('getAll' in of) expect(Object.keys(of), resource).toContain('get');
    }
  });

  test('asks for no id in a text field: every reference is a dropdown (rules connectors 4 and n8n 6)', () => {
    const shown = parametersIn(actionDescription);
    for (const id of offeredIds) {
      const declaration: OperationDeclaration = contract[id];
      const shape = { ...declaration.body?.shape, ...declaration.query?.shape };
      for (const [name, schema] of Object.entries(shape)) {
        if (!descriptionOf(schema)?.reference) continue;
        const field = rows.flatMap(([, row]) => fieldsOf(row)).find((each) => each.name === name);
        expect(bareSchema(schema).bare, id).toBeDefined();
        expect(field?.kind, `${id} ${name}`).toBe('reference');
      }
    }
    for (const parameter of shown.filter(({ name }) => /(Id|Uuid)s?$/.test(name))) {
      // A record of any kind, and an event: no list has them all.
      const texts = ['registrationId', 'taxId', 'vatId', 'externalId', 'recordId', 'eventId'];
      if (!texts.includes(parameter.name)) {
        expect(parameter, parameter.name).toMatchObject({
          type: expect.stringMatching(/^(resourceLocator|multiOptions)$/),
        });
      }
    }
  });

  test('fills every dropdown by a method that exists', () => {
    const methods = parametersIn([...actionDescription, ...triggerDescription]).flatMap((parameter) => [
      ...(JSON.stringify(parameter.modes ?? []).match(/(?<="searchListMethod":")\w+/g) ?? []),
      ...(JSON.stringify(parameter.typeOptions ?? {}).match(/(?<="loadOptionsMethod":")\w+/g) ?? []),
    ]);
    expect(new Set(methods)).toEqual(new Set([...Object.keys(searches), ...Object.keys(loads)]));
  });

  test('shows the address of a record of its own kind where a record can be given by its address (rule n8n 6)', () => {
    const lead = actionDescription.find(({ name }) => name === 'leadId');
    const company = actionDescription.find(({ name }) => name === 'companyId');
    expect(JSON.stringify(lead?.modes)).toMatch(/example\.com\/leads\/[-0-9a-f]{36}"/);
    expect(JSON.stringify(company?.modes)).toMatch(/example\.com\/companies\/[-0-9a-f]{36}"/);
  });

  /** What an operation is about where that is not its resource, as its name then says. */
  const objects: Readonly<Record<string, string>> = {
    'webhook.getEventTypes': 'event',
    'webhook.getSample': 'event',
    'webhook.sendTest': 'event',
    'webhook.recover': 'deliveries',
    'bookingService.getAvailability': 'service',
    'search.search': 'companies, contacts',
  };
  const operationOptions = actionDescription
    .filter(({ name }) => name === 'operation')
    .flatMap(({ options = [], displayOptions }) =>
      options.map((option) => {
        const resource = String(displayOptions?.show?.['resource']?.[0]);
        const { name, value, action, description } = Object(option);
        const [, row] = rows.find(([place]) => place === `${resource}.${value}`) ?? [];
        const id = offeredIds.find(
          (each) => contract[each].path === row?.path && contract[each].method === row.method,
        );
        return { place: `${resource}.${value}`, resource, name, value, action, description, id };
      }),
    );
  const labelOf = (resource: string): string => {
    const options = actionDescription.find(({ name }) => name === 'resource')?.options ?? [];
    return String(options.find((each) => Object(each).value === resource)?.name).toLowerCase();
  };

  test.each(operationOptions)("names $place as n8n's UX guidelines do (rule n8n 32)", (option) => {
    const { place, resource, name, value, action, description, id } = option;
    const usual: Readonly<Record<string, string>> = {
      create: 'Create',
      upsert: 'Create or Update',
      delete: 'Delete',
      get: 'Get',
      getAll: 'Get Many',
      update: 'Update',
    };
    const object = objects[place];
    if (object === undefined && value in usual) expect(name).toBe(usual[value]);
    // What does the same to the record itself has no other name.
    const kind = id && contract[id].kind;
    if (object === undefined && kind && ['create', 'upsert', 'list', 'delete'].includes(kind)) {
      expect(value).toBe(kind === 'list' ? 'getAll' : kind);
    }
    expect(name, 'title case').toBe(titleCase(name));
    // Of a resource in two words the last one is enough where the object is another.
    const about = object ?? labelOf(resource).replace(/y$/, '');
    expect(description.toLowerCase()).toContain(about);
    if (object === undefined) expect(action.toLowerCase()).toContain(about);
    expect(action, 'sentence case').toMatch(/^[A-Z][a-z]+( ([a-z]+|REST))*$/);
    expect(action, 'articles').not.toMatch(/ (an?|the) /);
    expect(description, 'sentence case').toMatch(/^[A-Z][a-z]/);
    expect(description.endsWith('.'), 'a full stop after several sentences').toBe(description.includes('. '));
    expect(description).not.toMatch(/\b(null|sent|envelope|page)\b/);
    // Nothing is called deleted that is only put away.
    expect(/\bdelete/i.test(`${name} ${description}`)).toBe(kind === 'delete');
  });

  test('has an example in each box of text, which begins with e.g. (rule n8n 33)', () => {
    const credentials = [new DealkeepApi(), new DealkeepOAuth2Api()].flatMap(({ properties }) => properties);
    for (const each of parametersIn([actionDescription, triggerDescription, credentials])) {
      const { name, type, placeholder, typeOptions } = each;
      const isText = type === 'string' && each.default === '' && Object(typeOptions).password !== true;
      if (placeholder !== undefined || isText) expect(placeholder, name).toMatch(/^(Add [A-Z]|e\.g\. \S)/);
    }
  });

  test('never opens an empty form without a word: what is made has a field on top, or a notice', () => {
    const shownFor = (resource: string, operation: string) =>
      actionDescription.filter(
        ({ displayOptions }) =>
          displayOptions?.show?.['resource']?.includes(resource) &&
          displayOptions.show['operation']?.includes(operation),
      );
    for (const [operation] of rows.filter(([, { method }]) => method === 'POST')) {
      const [resource = '', name = ''] = operation.split('.');
      const atOnce = shownFor(resource, name).filter(
        ({ type, name: parameter }) =>
          type !== 'collection' && !['simplify', 'output', 'fields'].includes(parameter),
      );
      expect(atOnce, operation).not.toEqual([]);
    }
  });

  test('marks the events of a REST hook as required', () => {
    const events = actionDescription.find(({ name }) => name === 'events');
    expect(events).toMatchObject({ type: 'multiOptions', required: true });
  });

  test('begins every group of fields with what matters most, and ends it with the additional ones', () => {
    const parameters = parametersIn(actionDescription);
    const names = (group: string) =>
      new Set(
        parameters
          .filter(({ name, type }) => name === group && type === 'fixedCollection')
          .map(({ options }) => valuesOf(options).join(', ')),
      );
    expect(names('company')).toEqual(new Set(['name, email, phone, additionalFields']));
    expect(names('customer')).toEqual(
      new Set(['name, email, phone', 'name, email, phone, additionalFields']),
    );
    expect(names('items')).toEqual(
      new Set([
        'name, unitPrice, quantity, additionalFields',
        'quantity, productUuid, sku, additionalFields',
      ]),
    );
  });

  test('has a parameter for every field that the running node reads', () => {
    const names = new Set(parametersIn(actionDescription).map(({ name }) => name));
    for (const [operation, row] of rows) {
      for (const { parameter } of fieldsOf(row)) expect(names, operation).toContain(parameter);
    }
  });
});

describe('a REST hook that a workflow makes (rule n8n 31)', () => {
  const optionsOf = (
    collection: string,
    name: string,
  ): { name: string; value: string; displayOptions: unknown }[] => {
    const of = actionDescription.find(
      (each) => each.name === collection && each.displayOptions?.show?.['resource']?.includes('webhook'),
    );
    const parameter = parametersIn(of?.options).find((each) => each.name === name);
    return Object.values(Object(parameter?.options));
  };
  /** Whether n8n shows it when an event is chosen. */
  const isShown = ({ displayOptions }: { displayOptions: unknown }, path: string, type: string): boolean => {
    const { show, hide } = Object(displayOptions);
    return (show?.[path] ?? [type]).includes(type) && !(hide?.[path] ?? []).includes(type);
  };
  const forms = [
    ['additionalFields', '/events'],
    ['updateFields', '/updateFields.events'],
  ] as const;

  test.each(forms)('offers in %s the filters of each event, and others only of others', (form, path) => {
    for (const type of eventTypes) {
      const shown = optionsOf(form, 'filters').filter((each) => isShown(each, path, type));
      expect(shown.map(({ name }) => triggerFilters[name]?.filter).toSorted(), type).toEqual(
        Object.keys(filtersOfEvent(type)).toSorted(),
      );
    }
  });

  test.each(forms)('offers in %s the fields that an update tells of, as fields to watch', (form, path) => {
    for (const type of eventTypes.filter((each) => watchableFields(each).length > 0)) {
      const shown = optionsOf(form, 'changedFields').filter((each) => isShown(each, path, type));
      expect(shown.map(({ value }) => value).toSorted(), type).toEqual(watchableFields(type).toSorted());
    }
  });

  test('keeps the events that it has, where an update chooses none: then every filter is offered', () => {
    const filters = optionsOf('updateFields', 'filters');
    expect(filters.map(({ name }) => name).toSorted()).toEqual(Object.keys(triggerFilters).toSorted());
    expect(JSON.stringify(filters)).not.toContain('"show"');
  });
});

describe('the output (rule n8n 8)', () => {
  const properties = (name: string) => actionDescription.filter((each) => each.name === name);

  test('of a record with many fields can be simplified, to ten at most', () => {
    for (const [operation, row] of rows) {
      if (row.simplified === undefined) continue;
      expect(row.simplified.length, operation).toBeLessThanOrEqual(10);
      expect(row.simplified, operation).toContain(
        operation.startsWith('order') || operation.startsWith('product.') ? 'uuid' : 'id',
      );
    }
    const simplifiable = rows.filter(([, { simplified }]) => simplified).map(([operation]) => operation);
    const offered = properties('simplify').flatMap(({ displayOptions }) => {
      const { resource = [], operation = [] } = displayOptions?.show ?? {};
      return operation.map((each) => `${resource[0]}.${each}`);
    });
    expect(offered.toSorted()).toEqual(simplifiable.toSorted());
  });

  test("is simplified by n8n's own switch in workflows, and chosen by tools of agents", () => {
    for (const each of properties('simplify')) {
      expect(each).toMatchObject({
        displayName: 'Simplify',
        type: 'boolean',
        default: true,
        description: 'Whether to return a simplified version of the response instead of the raw data',
        displayOptions: { hide: { '@tool': [true] } },
      });
    }
    for (const each of properties('output')) {
      expect(each.options?.map((option) => option.name)).toEqual(['Simplified', 'Raw', 'Selected Fields']);
      expect(each.displayOptions?.show).toMatchObject({ '@tool': [true] });
    }
  });

  test('tells of an upsert or a deduplication what became of it', () => {
    expect(operations['lead']?.['create']?.simplified).toContain('deduplicated');
    expect(operations['company']?.['upsert']?.simplified).toContain('upserted');
    expect(operations['lead']?.['get']?.simplified).not.toContain('deduplicated');
  });
});

describe('batches (rule n8n 9)', () => {
  test('are offered for every operation that the contract does many of at once', () => {
    const batched = Object.values<OperationDeclaration>(contract).flatMap(({ path, batches = {} }) =>
      Object.entries(batches).map(([operation, id]) => ({ path, operation, id })),
    );
    expect(batched).toHaveLength(15);
    for (const { path, operation, id } of batched) {
      const single = Object.values<OperationDeclaration>(contract).find((each) => each.id === id);
      const row = rows.find(([, each]) => each.method === single?.method && each.path === single.path);
      expect(row?.[1].batch, id).toEqual({ path, operation });
    }
  });

  test('can be switched off where they are offered, and are no matter of tools', () => {
    const offered = actionDescription.filter(({ options }) =>
      options?.some(({ name }) => name === 'sendInBatches'),
    );
    const shown = offered.flatMap(({ displayOptions }) => {
      expect(displayOptions?.hide).toEqual({ '@tool': [true] });
      const { resource = [], operation = [] } = displayOptions?.show ?? {};
      return operation.map((each) => `${resource[0]}.${each}`);
    });
    const batched = rows.filter(([, { batch }]) => batch).map(([operation]) => operation);
    expect(shown.toSorted()).toEqual(batched.toSorted());
  });
});

describe('under OAuth (rule connectors 5)', () => {
  const isHidden = (option: unknown) =>
    JSON.stringify(Object(option).displayOptions) ===
    JSON.stringify({ hide: { '/authentication': ['oAuth2'] } });
  const reached = (scope: string | null) => scope === null || oauthScopes.some((each) => each === scope);

  test('only resources are offered that a connection can reach', () => {
    const offered = actionDescription.find(({ name }) => name === 'resource')?.options ?? [];
    for (const option of offered) {
      const ids = offeredIds.filter((id) => camelCase(contract[id].resource) === Object(option).value);
      const canBeReached = ids.some((id) => reached(contract[id].scope));
      expect(isHidden(option), option.name).toBe(!canBeReached);
    }
    expect(offered.filter(isHidden).map(({ name }) => name)).toEqual(['Product', 'Product Category']);
  });

  test('only events are offered whose records a connection can read', () => {
    for (const option of eventOptions) {
      const type = eventTypes.find((each) => each === option.value);
      expect(isHidden(option), option.name).toBe(type !== undefined && !reached(eventCatalog[type].scope));
    }
  });

  test('items of an order take a SKU instead of a product', () => {
    const items = parametersIn(actionDescription.filter(({ name }) => name === 'items'));
    expect(isHidden(items.find(({ name }) => name === 'productUuid'))).toBe(true);
    expect(isHidden(items.find(({ name }) => name === 'sku'))).toBe(false);
  });
});

describe('the triggers', () => {
  const optionsOf = (name: string): { value: string; displayOptions?: unknown }[] =>
    Object.values(Object(triggerDescription.find((each) => each.name === name)?.options));
  const filters = parametersIn(triggerDescription.find(({ name }) => name === 'filters')?.options);

  test('offer every event of the catalog, in groups of their records, and all of them first (rules connectors 3 and n8n 13)', () => {
    const [all, ...others] = triggerEventOptions.map(({ value }) => String(value));
    expect(all).toBe('*');
    expect(others.flatMap((value) => (value.includes(',') ? [] : [value])).sort()).toEqual(
      [...eventTypes].sort(),
    );
    expect(Object.keys(events).sort()).toEqual([...eventTypes].sort());
    const entities = others.map((value) => eventTypes.find((type) => value.startsWith(type)));
    const records = entities.map((type) => type && eventCatalog[type].entity);
    const groups = records.filter((record, index) => record !== records[index - 1]);
    expect(groups).toEqual([...new Set(groups)]);
  });

  test('offer what is created or updated as one, for every record that has both; a lead that is moved is updated, too (rule n8n 13)', () => {
    const groups = triggerEventOptions.filter(({ value }) => String(value).includes(','));
    const offered = Object.fromEntries(groups.map(({ name, value }) => [name, value]));
    expect(offered).toMatchObject({
      'Client Created or Updated': 'client.created,client.updated',
      'Company Created or Updated': 'company.created,company.updated',
      'Contact Created or Updated': 'contact.created,contact.updated',
      'Lead Created or Updated': 'lead.created,lead.updated,lead.stage_changed',
      'Product Created or Updated': 'product.created,product.updated',
    });
    const updated = eventTypes.filter((type) => type.endsWith('.updated'));
    expect(Object.keys(offered)).toHaveLength(updated.length);
  });

  test('filter each event by everything that the contract names, from a dropdown of several choices (rule n8n 13)', () => {
    for (const type of eventTypes) {
      const shown = filters.filter((each) =>
        Object(each).displayOptions.show['/events'].some((value: string) => value.split(',').includes(type)),
      );
      expect(shown.map(({ name }) => triggerFilters[name]?.filter).toSorted(), type).toEqual(
        Object.keys(filtersOfEvent(type)).toSorted(),
      );
      for (const each of shown) {
        expect(each.type, each.name).toBe('multiOptions');
        const method = Object(each.typeOptions).loadOptionsMethod ?? 'fixed';
        expect(
          method === 'fixed' ? Object.values(Object(each.options)).length : method in loads,
          each.name,
        ).toBeTruthy();
      }
      expect(Object.keys(events[type]?.filters ?? {}).toSorted()).toEqual(
        Object.keys(filtersOfEvent(type)).toSorted(),
      );
    }
    expect(optionsOf('filters').length).toBe(Object.keys(triggerFilters).length);
  });

  test('narrow the stages by the chosen pipelines, and by the chosen projects', () => {
    const narrowed = filters.map(({ name, typeOptions }) => [name, Object(typeOptions).loadOptionsDependsOn]);
    expect(Object.fromEntries(narrowed)).toMatchObject({
      stageId: ['&pipelineId'],
      projectStageId: ['&projectId'],
    });
  });
});
