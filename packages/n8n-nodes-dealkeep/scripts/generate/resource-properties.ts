import {
  descriptionOf,
  labelInSentence,
  type OperationDeclaration,
  operations,
  type ResourceName,
  resources,
} from '@dealkeep/contract';
import type { GeneratedField } from './fields.ts';
import { notices, uponUpdate } from './grouping.ts';
import { isListOfObjects, linesProperties } from './lines-properties.ts';
import {
  type DisplayOptions,
  type Option,
  type Property,
  sortedOptions,
  sortedProperties,
} from './property.ts';
import { fieldOptions } from './record-fields.ts';
import type { GeneratedOperation } from './resource-operations.ts';
import { camelCase, description, titleCase } from './wording.ts';

type Shown = (operation: GeneratedOperation) => boolean;

/** Everything that the editor shows for one resource: the operation, then its parameters from the top down. */
export function resourceProperties(resource: ResourceName, of: readonly GeneratedOperation[]): Property[] {
  const value = camelCase(resource);
  const show = (shown: Shown, more: Record<string, readonly unknown[]> = {}): DisplayOptions => ({
    show: { resource: [value], operation: of.filter(shown).map((each) => each.value), ...more },
  });
  const lists = of.filter(({ table }) => table.list !== undefined);
  return [
    operationProperty(value, of),
    ...of.flatMap((operation) => matchByProperties(operation, value)),
    ...merged(of, (operation) => operation.inPath, value),
    ...merged(of, (operation) => operation.narrowing, value),
    ...merged(of, (operation) => operation.required, value),
    ...(lists.length > 0 ? limitProperties(show) : []),
    ...lists.flatMap((operation) => listProperties(operation, value)),
    ...of.flatMap((operation) => noticeProperty(operation, value)),
    ...of.flatMap((operation) => collectionProperty(operation, value)),
    ...of.flatMap((operation) => optionsProperty(operation, value)),
    ...outputProperties(of, show),
  ];
}

function operationProperty(resource: string, of: readonly GeneratedOperation[]): Property {
  const options: Option[] = sortedOptions(
    of.map(({ name, value, action, description }) => ({
      name,
      value,
      action,
      ...(description === undefined ? {} : { description }),
    })),
  );
  const preferred = ['getAll', 'get'].find((value) => options.some((each) => each.value === value));
  return {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: [resource] } },
    options,
    default: options.some(({ value }) => value === 'create') ? 'create' : (preferred ?? options[0]?.value),
  };
}

/** The same parameter of several operations stands once, shown for all of them. */
function merged(
  of: readonly GeneratedOperation[],
  pick: (operation: GeneratedOperation) => readonly GeneratedField[],
  resource: string,
): Property[] {
  const found = new Map<string, { property: Property; example: unknown; operations: string[] }>();
  for (const operation of of) {
    for (const generated of pick(operation)) {
      const property = withDependency(generated, '');
      const whole: Property = generated.optional ? property : { ...property, required: true };
      const key = JSON.stringify(whole);
      const known = found.get(key);
      if (known) known.operations.push(operation.value);
      else found.set(key, { property: whole, example: generated.example, operations: [operation.value] });
    }
  }
  return [...found.values()].flatMap(({ property, example, operations: shown }) => {
    const displayOptions: DisplayOptions = { show: { resource: [resource], operation: shown } };
    return isListOfObjects(property)
      ? linesProperties(property, example, displayOptions)
      : [{ ...property, displayOptions }];
  });
}

function limitProperties(
  show: (shown: Shown, more?: Record<string, readonly unknown[]>) => DisplayOptions,
): Property[] {
  const isList: Shown = ({ table }) => table.list !== undefined;
  return [
    {
      displayName: 'Return All',
      name: 'returnAll',
      type: 'boolean',
      default: false,
      displayOptions: show(isList),
      description: 'Whether to return all results or only up to a given limit',
    },
    {
      displayName: 'Limit',
      name: 'limit',
      type: 'number',
      typeOptions: { minValue: 1 },
      default: 50,
      displayOptions: show(isList, { returnAll: [false] }),
      description: 'Max number of results to return',
    },
  ];
}

function listProperties(operation: GeneratedOperation, resource: string): Property[] {
  const displayOptions = { show: { resource: [resource], operation: [operation.value] } };
  const filters: Property[] =
    operation.filters.length === 0
      ? []
      : [
          {
            displayName: 'Filters',
            name: 'filters',
            type: 'collection',
            placeholder: 'Add Filter',
            default: {},
            displayOptions,
            options: sortedProperties(operation.filters.map((field) => withDependency(field, '&'))),
          },
        ];
  return [...filters, ...(operation.sorts.length === 0 ? [] : [sortProperty(operation, displayOptions)])];
}

function sortProperty(operation: GeneratedOperation, displayOptions: DisplayOptions): Property {
  const declaration: OperationDeclaration = operations[operation.id];
  const labels = new Map(
    fieldOptions(resources[operation.resource].schema).map(({ name, value }) => [value, name]),
  );
  const answered = declaration.answer;
  const names = answered && descriptionOf(answered) ? labels : new Map<string, string>();
  const fields = operation.sorts.map((value) => ({
    name: names.get(value) ?? titleCase(value.replaceAll('_', ' ')),
    value,
  }));
  return {
    displayName: 'Sort',
    name: 'sort',
    type: 'fixedCollection',
    placeholder: 'Add Sort',
    default: {},
    displayOptions,
    options: [
      {
        displayName: 'Sort',
        name: 'values',
        values: [
          {
            displayName: 'Field',
            name: 'field',
            type: 'options',
            options: sortedOptions(fields),
            default: 'created_at',
            description: 'The field to sort by',
          },
          {
            displayName: 'Direction',
            name: 'direction',
            type: 'options',
            options: [
              { name: 'Ascending', value: 'ascending' },
              { name: 'Descending', value: 'descending' },
            ],
            default: 'descending',
          },
        ],
      },
    ],
  };
}

function matchByProperties(operation: GeneratedOperation, resource: string): Property[] {
  if (!operation.upsert) return [];
  const { matchBy, toCreate } = operation.upsert;
  const shown = { resource: [resource], operation: [operation.value] };
  return [
    {
      displayName: 'Match By',
      name: 'matchBy',
      type: 'options',
      default: matchBy[0]?.field.name,
      displayOptions: { show: shown },
      options: sortedOptions(matchBy.map(({ field }) => ({ name: field.label, value: field.name }))),
      description: 'The field by which an existing record is recognized. Of several the oldest is updated.',
    },
    ...matchBy.map(
      ({ field, property }): Property => ({
        ...property,
        required: true,
        displayOptions: { show: { ...shown, matchBy: [field.name] } },
      }),
    ),
    ...toCreate.flatMap((field) => toCreateProperties(field, operation, shown)),
  ];
}

/** A field that a new record needs: required only where existing ones are looked for by it or within it. */
function toCreateProperties(
  { field, property }: GeneratedField,
  { table, resource }: GeneratedOperation,
  shown: Readonly<Record<string, readonly unknown[]>>,
): Property[] {
  const ways = (table.upsert?.matchBy ?? []).filter((way) => way.field !== field.name);
  const needFor = ({ within }: (typeof ways)[number]) =>
    within?.field !== field.name ? 'none' : within.needed ? 'needed' : 'narrows';
  const label = labelInSentence(resources[resource].label.en);
  const need = `Needed only when no ${label} matches and one is created`;
  const said = {
    none: description(property.description, need, uponUpdate[field.name]) ?? need,
    narrows: description(property.description, need, 'When it is filled in, only there is looked') ?? need,
  };
  const shownFor = (kind: ReturnType<typeof needFor>, told: Partial<Property>): Property[] => {
    const matchBy = ways.filter((way) => needFor(way) === kind).map((way) => way.field);
    return matchBy.length === 0
      ? []
      : [{ ...property, ...told, displayOptions: { show: { ...shown, matchBy } } }];
  };
  return [
    ...shownFor('none', { description: said.none }),
    ...shownFor('narrows', { description: said.narrows }),
    ...shownFor('needed', { required: true }),
  ];
}

function noticeProperty({ id, value, upsert }: GeneratedOperation, resource: string): Property[] {
  const notice = upsert ? undefined : notices[id];
  if (notice === undefined) return [];
  return [
    {
      displayName: notice,
      name: `${value}Notice`,
      type: 'notice',
      default: '',
      displayOptions: { show: { resource: [resource], operation: [value] } },
    },
  ];
}

function collectionProperty(operation: GeneratedOperation, resource: string): Property[] {
  const { collection } = operation.table;
  if (!collection) return [];
  const matchable = new Set(operation.upsert?.matchBy.map(({ field }) => field.name));
  const options = operation.optional.map((generated): Property => {
    const property = withDependency(generated, '&');
    const { name } = generated.field;
    // On "create or update" the field that is matched by stands on top.
    return matchable.has(name) ? { ...property, displayOptions: { hide: { '/matchBy': [name] } } } : property;
  });
  return [
    {
      displayName: collection === 'updateFields' ? 'Update Fields' : 'Additional Fields',
      name: collection,
      type: 'collection',
      placeholder: 'Add Field',
      default: {},
      displayOptions: { show: { resource: [resource], operation: [operation.value] } },
      options: sortedProperties(options),
    },
  ];
}

function optionsProperty({ options, value }: GeneratedOperation, resource: string): Property[] {
  if (options.length === 0) return [];
  return [
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add Option',
      default: {},
      displayOptions: { show: { resource: [resource], operation: [value] } },
      options: sortedProperties(options.map(({ property }) => property)),
    },
  ];
}

/**
 * A dropdown that follows another is emptied and loaded again when that one changes. In n8n's paths `&` means
 * "beside this one", which is needed inside collections.
 */
function withDependency({ property, dependsOn }: GeneratedField, beside: '&' | ''): Property {
  if (dependsOn === undefined) return property;
  const loadOptionsDependsOn = [`${beside}${camelCase(dependsOn)}.value`];
  return { ...property, typeOptions: { ...property.typeOptions, loadOptionsDependsOn } };
}

function outputProperties(
  of: readonly GeneratedOperation[],
  show: (shown: Shown, more?: Record<string, readonly unknown[]>) => DisplayOptions,
): Property[] {
  const large: Shown = ({ table }) => table.simplified !== undefined;
  const [first] = of.filter(large);
  if (!first) return [];
  return [
    {
      displayName: 'Output',
      name: 'output',
      type: 'options',
      default: 'simplified',
      displayOptions: show(large),
      options: [
        { name: 'Simplified', value: 'simplified', description: 'The fields that matter most' },
        { name: 'Raw', value: 'raw', description: 'All fields, as the API gives them' },
        { name: 'Selected Fields', value: 'selectedFields', description: 'Only the fields that you choose' },
      ],
      description: 'How much of each record to return',
    },
    {
      displayName: 'Fields',
      name: 'fields',
      type: 'multiOptions',
      default: first.table.simplified?.slice(0, 2) ?? [],
      displayOptions: show(large, { output: ['selectedFields'] }),
      options: fieldOptions(resources[first.resource].schema),
      description: 'The fields to return',
    },
  ];
}
