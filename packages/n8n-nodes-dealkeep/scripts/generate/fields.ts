import {
  bareSchema,
  descriptionOf,
  type FieldDescription,
  knownReference,
  type OperationDeclaration,
  type OperationId,
  operations,
  type ReferenceName,
  references,
  resourceNames,
  resources,
} from '@dealkeep/contract';
import * as z from 'zod';
import type { Field, FieldKind } from '../../nodes/shared/tables.ts';
import { type ChoicesRegistry, choicesMethod, exampleId, locatorModes } from './choices.ts';
import { eventOptions, optionsOfCodes } from './constants.ts';
import { atOnce, labels, severalOf, whether } from './grouping.ts';
import { isReferenceReached, keyOnly } from './oauth-reach.ts';
import { Call, groupValues, type Identifier, type Option, type Property, sortedOptions } from './property.ts';
import { camelCase, description, dynamicMultiOptions, titleCase } from './wording.ts';

/** A field of a body, query or path: as the running node needs it, and as the editor shows it. */
export interface GeneratedField {
  readonly field: Field;
  readonly property: Property;
  readonly optional: boolean;
  /** An entry of a list of objects, under the names of the API. */
  readonly example?: unknown;
  /** The sibling field that narrows this one's choices. */
  readonly dependsOn?: string;
}

interface Source {
  readonly operation: OperationId;
  readonly registry: ChoicesRegistry;
}

/** Generates one field from its schema. */
export function generateField(name: string, schema: z.core.$ZodType, source: Source): GeneratedField {
  const { bare, optional, nullable } = bareSchema(schema);
  const described = descriptionOf(schema);
  if (!described)
    throw new Error(`${source.operation}: the field ${name} has no description in the contract`);
  const label = labels[source.operation]?.[name] ?? titleCase(described.label.en);
  const made = partsOf(name, bare, described, label, source);
  return {
    optional,
    ...(described.dependsOn === undefined ? {} : { dependsOn: described.dependsOn }),
    ...(made.example === undefined ? {} : { example: made.example }),
    field: {
      name,
      parameter: camelCase(name),
      label,
      kind: made.kind,
      ...(nullable ? { nullable: true } : {}),
      ...(optional && isEmptiable(bare, described, source) ? { emptiable: true as const } : {}),
      ...(made.fields ? { fields: made.fields } : {}),
      ...(made.mayBeEmpty && !optional ? { sentEmpty: true } : {}),
    },
    property: { displayName: label, name: camelCase(name), ...made.property },
  };
}

/**
 * Whether an update empties the list by an empty one: it holds other records, and says more than what comes or goes.
 */
function isEmptiable(bare: z.core.$ZodType, { notBeside }: FieldDescription, { operation }: Source): boolean {
  const item = bare instanceof z.ZodArray ? descriptionOf(bare.element) : undefined;
  const declaration: OperationDeclaration = operations[operation];
  return declaration.kind === 'update' && notBeside === undefined && Boolean(item?.reference ?? item?.nameOf);
}

type Parts = {
  kind: FieldKind;
  property: Omit<Property, 'displayName' | 'name'> & { displayName?: string };
  fields?: Field[];
  /** An object whose fields are all optional. */
  mayBeEmpty?: boolean;
  example?: unknown;
};

function partsOf(
  name: string,
  bare: z.core.$ZodType,
  described: FieldDescription,
  label: string,
  source: Source,
): Parts {
  const help = described.help?.en;
  const several = severalOf[source.operation]?.[name];
  if (several) return severalParts(several);
  const item = bare instanceof z.ZodArray ? descriptionOf(bare.element) : described;
  if (item?.eventType) return eventParts(bare, help);
  if (described.filtersEvents) {
    const collection = { type: 'collection', placeholder: 'Add Filter', default: {} };
    return hookParts('eventFilters', collection, filtersHelp, source);
  }
  if (item?.changedField) return hookParts('texts', { type: 'multiOptions', default: [] }, help, source);
  if (bare instanceof z.ZodRecord) return entriesParts(label, help, source);
  if (described.nameOf) {
    const method = choicesMethod(source.registry, { resource: described.nameOf, value: 'name' });
    return {
      kind: 'reference',
      property: locator(locatorModes(method, { by: 'name' }), description(help)),
    };
  }
  const reference = knownReference(described.reference);
  if (reference) {
    const method = choicesMethod(source.registry, { reference, dependsOn: described.dependsOn });
    return {
      kind: 'reference',
      property: {
        ...locator(locatorModes(method, { by: 'id', url: recordAddress(reference) }), description(help)),
        ...(isReferenceReached(reference) ? {} : { displayOptions: keyOnly }),
      },
    };
  }
  if (bare instanceof z.ZodArray) return arrayParts(name, bare, described, source);
  if (bare instanceof z.ZodObject) {
    const inner = Object.entries(bare.shape).map(([key, field]) => generateField(key, field, source));
    return {
      kind: 'object',
      fields: inner.map(({ field }) => field),
      mayBeEmpty: inner.every((each) => each.optional),
      property: {
        type: 'fixedCollection',
        default: {},
        placeholder: `Add ${label}`,
        ...described_(description(help)),
        options: [
          { displayName: label, name: 'values', values: groupValues(inner, atOnce[source.operation]) },
        ],
      },
    };
  }
  return scalarParts(name, bare, described, label);
}

function arrayParts(name: string, bare: z.ZodArray, described: FieldDescription, source: Source): Parts {
  const help = described.help?.en;
  const item = bare.element;
  const itemDescription = descriptionOf(item);
  const itemLabel = titleCase(itemDescription?.label.en ?? described.label.en);
  if (itemDescription?.reference ?? itemDescription?.nameOf) {
    const { nameOf = 'tag' } = itemDescription;
    const reference = knownReference(itemDescription.reference);
    const method = choicesMethod(
      source.registry,
      reference ? { reference, load: true } : { resource: nameOf, value: 'name', load: true },
    );
    const own = labels[source.operation]?.[name];
    return {
      kind: reference ? 'references' : 'names',
      property: {
        displayName: own ? `${own}: Names or IDs` : `${itemLabel} Names or IDs`,
        type: 'multiOptions',
        default: [],
        typeOptions: { loadOptionsMethod: method },
        ...described_(description(help, dynamicMultiOptions)),
      },
    };
  }
  if (item instanceof z.ZodObject) {
    const inner = Object.entries(item.shape).map(([key, field]) => generateField(key, field, source));
    return {
      kind: 'objects',
      example: shortExample(item),
      fields: inner.map(({ field }) => field),
      property: {
        type: 'fixedCollection',
        default: {},
        placeholder: `Add ${itemLabel}`,
        typeOptions: { multipleValues: true },
        ...described_(description(help)),
        options: [
          {
            displayName: itemLabel,
            name: 'values',
            values: groupValues(inner, atOnce[source.operation]),
          },
        ],
      },
    };
  }
  return {
    kind: 'texts',
    property: {
      type: 'string',
      default: [],
      typeOptions: { multipleValues: true },
      ...described_(description(help)),
    },
  };
}

/** Several values of a list that is known. */
const severalParts = (options: Identifier | readonly Option[]): Parts => ({
  kind: 'texts',
  property: {
    type: 'multiOptions',
    default: [],
    options: Array.isArray(options) ? sortedOptions(options) : options,
    description: 'All that the credential may read when none is chosen',
  },
});

/** A value for each of several custom fields. */
function entriesParts(label: string, help: string | undefined, source: Source): Parts {
  const method = choicesMethod(source.registry, { resource: 'custom-field', value: 'name' });
  return {
    kind: 'entries',
    property: {
      type: 'fixedCollection',
      default: {},
      placeholder: `Add ${label}`,
      typeOptions: { multipleValues: true },
      ...described_(description(help?.replace(/:[^.]*(?=\.)/, ''))),
      options: [
        {
          displayName: label,
          name: 'values',
          values: [
            {
              displayName: 'Field',
              name: 'name',
              ...locator(locatorModes(method, { by: 'name' }), undefined),
              required: true,
            },
            { displayName: 'Value', name: 'value', type: 'string', default: '', placeholder: 'e.g. Retail' },
          ],
        },
      ],
    },
  };
}

/** The first fields that are no id, with their examples. */
const shortExample = (item: z.ZodObject): unknown =>
  Object.fromEntries(
    Object.entries(item.shape)
      .map(([name, schema]) => [name, descriptionOf(schema)?.example] as const)
      .filter(([name, example]) => example !== undefined && !name.endsWith('_uuid'))
      .slice(0, 3),
  );

function eventParts(bare: z.core.$ZodType, help: string | undefined): Parts {
  const several = bare instanceof z.ZodArray;
  return {
    kind: several ? 'texts' : 'text',
    property: {
      type: several ? 'multiOptions' : 'options',
      default: several ? [] : 'lead.created',
      options: eventOptions,
      ...described_(description(help)),
    },
  };
}

/** The contract names the fields, which stand in the collection here. */
const filtersHelp =
  'Only events whose record has one of the values of each filter are delivered. Every chosen event must have what is filtered by.';

/** What a hook is limited to: chosen as in the triggers, whose dropdowns are taken when the node is loaded. */
function hookParts(
  kind: FieldKind,
  property: Pick<Property, 'type' | 'default'> & { placeholder?: string },
  help: string | undefined,
  { operation }: Source,
): Parts {
  const chosen = operations[operation].kind === 'update' ? '/updateFields.events' : '/events';
  const options = new Call(kind === 'eventFilters' ? 'filterOptions' : 'watchOptions', [chosen]);
  return { kind, property: { ...property, options, ...described_(description(help)) } };
}

function scalarParts(name: string, bare: z.core.$ZodType, described: FieldDescription, label: string): Parts {
  const help = description(described.help?.en);
  if (bare instanceof z.ZodBoolean) {
    const text = whether[name] ?? `Whether "${label}" holds`;
    return {
      kind: 'boolean',
      property: { type: 'boolean', default: false, ...described_(description(text, help)) },
    };
  }
  if (bare instanceof z.ZodNumber) {
    const whole = bare instanceof z.ZodNumberFormat;
    return {
      kind: 'number',
      property: {
        type: 'number',
        default: defaultNumber(bare, whole),
        typeOptions: {
          ...(bare.minValue === null ? {} : { minValue: bare.minValue }),
          // Prices of a kilowatt-hour and quantities have more than two decimals.
          ...(whole ? { numberPrecision: 0 } : {}),
        },
        ...described_(help),
      },
    };
  }
  const chosen = bare instanceof z.ZodPipe ? bare.out : bare;
  if (chosen instanceof z.ZodEnum) return enumParts(chosen, described, help);
  if (bare instanceof z.ZodISODate) {
    return {
      kind: 'date',
      property: { type: 'dateTime', default: '', typeOptions: { dateOnly: true }, ...described_(help) },
    };
  }
  if (bare instanceof z.ZodISODateTime) {
    return { kind: 'dateTime', property: { type: 'dateTime', default: '', ...described_(help) } };
  }
  return {
    kind: 'text',
    property: { type: 'string', default: '', ...textHints(described), ...described_(help) },
  };
}

/** 0 where that is allowed, else the least whole number, and 1 of what must be more than nothing. */
const defaultNumber = (bare: z.ZodNumber, whole: boolean): number => {
  if (z.safeParse(bare, 0).success) return 0;
  return whole && bare.minValue !== null && bare.minValue > 0 ? bare.minValue : 1;
};

function enumParts(bare: z.ZodEnum, described: FieldDescription, help: string | undefined): Parts {
  const first = typeof described.example === 'string' ? described.example : String(bare.options[0]);
  const named = described.codesOf && optionsOfCodes[described.codesOf];
  if (named) {
    return {
      kind: 'text',
      property: { type: 'options', default: first, options: named, ...described_(help) },
    };
  }
  const options: Option[] = Object.entries(described.choices ?? {}).map(([value, text]) => ({
    name: titleCase(text.en),
    value,
  }));
  return {
    kind: 'text',
    property: {
      type: 'options',
      default: first,
      options: options.length < 5 ? options : sortedOptions(options),
      ...described_(help),
    },
  };
}

function textHints(described: FieldDescription): Partial<Property> {
  return {
    ...(described.multiline ? { typeOptions: { rows: 4 } } : {}),
    ...(typeof described.example === 'string' ? { placeholder: `e.g. ${described.example}` } : {}),
  };
}

export const locator = (modes: Identifier, text: string | undefined): Parts['property'] => ({
  type: 'resourceLocator',
  default: { mode: 'list', value: '' },
  modes,
  ...described_(text),
});

const described_ = (text: string | undefined): { description?: string } =>
  text === undefined ? {} : { description: text };

/** Records have an address in the web application, under the path of their list; what is only looked up has none. */
export function recordAddress(reference: ReferenceName): string | undefined {
  const resource = resourceNames.find((each) => each === reference);
  if (!resource || !('app_url' in resources[resource].schema.shape)) return undefined;
  const list = Object.values(operations).find(({ id }) => id === references[reference].list);
  return list && `https://crm.example.com${list.path}/${exampleId}`;
}
