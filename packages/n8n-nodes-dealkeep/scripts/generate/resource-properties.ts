import {
  descriptionOf,
  labelInSentence,
  type OperationDeclaration,
  operations,
  type ResourceName,
  resources,
} from '@dealkeep/contract';
import { clearable, clearParameter } from '../../nodes/shared/operations/clear-fields.ts';
import { batchOption } from './batches.ts';
import { customMappingOptions, mappingDefault, mappingOptions, unknownColumnsOptions } from './constants.ts';
import type { GeneratedField } from './fields.ts';
import { uponUpsert } from './grouping.ts';
import { isListOfObjects, linesProperties } from './lines-properties.ts';
import { asTool, outputProperties } from './output-properties.ts';
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

/** Where the columns of the input are mapped by their names, no field is asked for. */
const oneByOne = { '/mapping.mappingMode': ['defineBelow'] };

/** Everything that the editor shows for one resource: the operation, then its parameters from the top down. */
export function resourceProperties(resource: ResourceName, of: readonly GeneratedOperation[]): Property[] {
  const value = camelCase(resource);
  const show = (shown: Shown, more: Record<string, readonly unknown[]> = {}): DisplayOptions => ({
    show: { resource: [value], operation: of.filter(shown).map((each) => each.value), ...more },
  });
  const lists = of.filter(({ table }) => table.list !== undefined);
  // n8n looks at parameters from the top down: a list's own choice (fields or JSON) must find how the rest is given.
  const mappingFirst = of.some(({ required }) => required.some(({ field }) => field.kind === 'objects'));
  const mapping = mappingProperties(of, show);
  return [
    operationProperty(value, of),
    ...merged(of, (operation) => operation.inPath, value),
    ...of.flatMap((operation) => matchByProperty(operation, value)),
    ...of.flatMap((operation) => matchedProperties(operation, value)),
    ...(mappingFirst ? mapping : []),
    ...merged(of, (operation) => operation.narrowing, value),
    ...merged(of, (operation) => operation.required, value),
    ...merged(of, (operation) => (operation.upsert ? [] : operation.top), value),
    ...merged(of, (operation) => operation.asked, value),
    ...(mappingFirst ? [] : mapping),
    ...(lists.length > 0 ? limitProperties(show) : []),
    ...lists.flatMap((operation) => listProperties(operation, value)),
    ...of.flatMap((operation) => collectionProperty(operation, value)),
    ...of.flatMap((operation) => optionsProperty(operation, value)),
    ...outputProperties(of, value),
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
  interface Found {
    property: Property;
    example: unknown;
    operations: string[];
    mapped: boolean;
  }
  const found = new Map<string, Found>();
  for (const operation of of) {
    for (const generated of pick(operation)) {
      const property = withDependency(generated, '');
      const whole: Property = generated.optional ? property : { ...property, required: true };
      // What names the record stands there however its fields are given.
      const mapped = operation.table.mapped === true && !operation.inPath.includes(generated);
      const key = JSON.stringify([whole, mapped]);
      const known = found.get(key);
      if (known) known.operations.push(operation.value);
      else
        found.set(key, {
          property: whole,
          example: generated.example,
          operations: [operation.value],
          mapped,
        });
    }
  }
  return [...found.values()].flatMap(({ property, example, operations: shown, mapped }) => {
    const displayOptions: DisplayOptions = {
      show: { resource: [resource], operation: shown, ...(mapped ? oneByOne : {}) },
    };
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

function matchByProperty({ upsert, value }: GeneratedOperation, resource: string): Property[] {
  if (!upsert) return [];
  const { choice, matchBy } = upsert;
  return [
    {
      ...choice.property,
      default: matchBy[0]?.field.name,
      displayOptions: { show: { resource: [resource], operation: [value] } },
      options: sortedOptions(matchBy.map(({ field }) => ({ name: field.label, value: field.name }))),
      description:
        'The field by which an existing record is recognized. When several have its value, nothing is written.',
    },
  ];
}

function matchedProperties(operation: GeneratedOperation, resource: string): Property[] {
  if (!operation.upsert) return [];
  const { matchBy, toCreate } = operation.upsert;
  const shown = { resource: [resource], operation: [operation.value], ...oneByOne };
  return [
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

/** How fields are given, and what the organization has added to them. */
function mappingProperties(
  of: readonly GeneratedOperation[],
  show: (shown: Shown, more?: Record<string, readonly unknown[]>) => DisplayOptions,
): Property[] {
  const mapped: Shown = ({ table }) => table.mapped === true;
  if (!of.some(mapped)) return [];
  return [
    {
      displayName: 'Fields',
      name: 'mapping',
      type: 'resourceMapper',
      noDataExpression: true,
      default: mappingDefault,
      displayOptions: show(mapped),
      typeOptions: of.some(({ table }) => table.customFields) ? customMappingOptions : mappingOptions,
    },
    {
      displayName: 'Columns Not in Dealkeep',
      name: 'unknownColumns',
      type: 'options',
      default: 'error',
      displayOptions: show(mapped, { '/mapping.mappingMode': ['autoMapInputData'] }),
      options: unknownColumnsOptions,
      description: 'What to do with a field of the input that is none of the record',
    },
  ];
}

/** A field that a new record needs: required only where existing ones are looked for by it. */
function toCreateProperties(
  { field, property }: GeneratedField,
  { upsert, resource }: GeneratedOperation,
  shown: Readonly<Record<string, readonly unknown[]>>,
): Property[] {
  const matchBy = (upsert?.matchBy ?? []).map((way) => way.field.name).filter((name) => name !== field.name);
  const need = `Needed only when no ${labelInSentence(resources[resource].label.en)} matches and one is created`;
  return [
    {
      ...property,
      description: description(property.description, need, uponUpsert[resource]?.[field.name]) ?? need,
      displayOptions: { show: { ...shown, matchBy } },
    },
  ];
}

function collectionProperty(operation: GeneratedOperation, resource: string): Property[] {
  const { collection } = operation.table;
  if (!collection) return [];
  const matchable = new Set(operation.upsert?.matchBy.map(({ field }) => field.name));
  const options = operation.optional.map((generated): Property => {
    const isOnTop = operation.top.some(({ field }) => field.name === generated.dependsOn);
    const property = withDependency(generated, isOnTop ? '' : '&');
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
      displayOptions: {
        show: {
          resource: [resource],
          operation: [operation.value],
          ...(operation.table.mapped ? oneByOne : {}),
        },
      },
      options: sortedProperties([...options, ...clearProperty(operation)]),
    },
  ];
}

/**
 * Emptying a field as a choice of its own: for agents, whose empty values change nothing, and for whoever likes to
 * see it.
 */
function clearProperty({ id, table }: GeneratedOperation): Property[] {
  const declaration: OperationDeclaration = operations[id];
  const fields = declaration.kind === 'update' ? clearable(table.optional) : [];
  if (fields.length === 0) return [];
  return [
    {
      displayName: 'Fields to Clear',
      name: clearParameter,
      type: 'multiOptions',
      default: [],
      options: sortedOptions(fields.map(({ label, name }) => ({ name: label, value: name }))),
      description: 'The fields to empty. One that is filled in as well keeps that value.',
    },
  ];
}

function optionsProperty({ options, value, table }: GeneratedOperation, resource: string): Property[] {
  const properties = options.map(({ property }) => property);
  const shown: DisplayOptions = { show: { resource: [resource], operation: [value] } };
  if (properties.length === 0 && !table.batch) return [];
  return [
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add Option',
      default: {},
      // A tool is called for one record at a time.
      displayOptions: properties.length === 0 ? { ...shown, hide: asTool } : shown,
      options: sortedProperties([...properties, ...(table.batch ? [batchOption] : [])]),
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
