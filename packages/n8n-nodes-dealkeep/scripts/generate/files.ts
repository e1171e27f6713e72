import {
  attemptDelaysSeconds,
  basePath,
  limits,
  oauthPaths,
  oauthScopes,
  type ResourceName,
  resources,
  userAgentOf,
} from '@dealkeep/contract';
import manifest from '../../package.json' with { type: 'json' };
import { type ChoicesRegistry, choicesTable, locatorsPath } from './choices.ts';
import {
  constantsPath,
  countryOptions,
  currencyOptions,
  customMappingOptions,
  eventGroupOptions,
  eventOptions,
  mappingDefault,
  mappingOptions,
  unknownColumnsOptions,
} from './constants.ts';
import { filterTable } from './event-filters.ts';
import { isResourceReached, keyOnly } from './oauth-reach.ts';
import { outputSchema, schemaPath } from './output-schema.ts';
import { callsIn, identifiersIn, print, printLines } from './print.ts';
import { Call, Identifier, type Option, type Property, sortedOptions } from './property.ts';
import { type GeneratedOperation, generateOperations } from './resource-operations.ts';
import { resourceProperties } from './resource-properties.ts';
import { nameOfFields, nameOfParameters, shareValues } from './shared-values.ts';
import { eventTable, triggerProperties } from './trigger-properties.ts';
import { camelCase, titleCase } from './wording.ts';

const head =
  '// Generated from @dealkeep/contract by `npm run generate`. Change the contract or scripts/, not this file.\n';

/** The functions that generated parameters call, by their files. */
const functionsOf = {
  '../choices/events-of.ts': ['eventsOf'],
  '../choices/hook-options.ts': ['filterOptions', 'watchOptions'],
};

/** Folders below `nodes/` that hold nothing but generated files. */
export const generatedFolders = ['shared/generated', 'Dealkeep/__schema__'];

/** Every generated file, by its path below `nodes/`. */
export function generatedFiles(): Map<string, string> {
  const registry: ChoicesRegistry = new Map();
  const operations = generateOperations(registry);
  const names = resourceNames(operations);
  const descriptions = names.map((name) => ({
    name,
    properties: resourceProperties(
      name,
      operations.filter(({ resource }) => resource === name),
    ),
  }));
  const trigger = triggerProperties(registry);
  const code: [string, string][] = [
    [
      'base-path.ts',
      `${head}\n/** The path of the API root below the origin. */\nexport const basePath = ${print(basePath)};\n`,
    ],
    [
      'user-agent.ts',
      `${head}\n/** How the nodes introduce themselves; with the version of package.json. */\nexport const userAgent = ${print(userAgentOf('n8n', manifest.version))};\n`,
    ],
    ['limits.ts', limitsFile()],
    ['oauth.ts', oauthFile()],
    ['constants.ts', constantsFile()],
    ['locators.ts', locatorsFile([...descriptions.flatMap(({ properties }) => properties), ...trigger])],
    [
      'action-description.ts',
      propertiesFile(
        'All parameters of the action node but the choice of its credential.',
        'actionDescription',
        [resourceProperty(names), ...descriptions.flatMap(({ properties }) => properties)],
      ),
    ],
    [
      'trigger-description.ts',
      propertiesFile('The parameters of the trigger.', 'triggerDescription', trigger),
    ],
    ['operations.ts', operationsFile(operations, names)],
    ['instructions.ts', instructionsFile(operations, names)],
    ['choices.ts', choicesFile(registry)],
    ['events.ts', eventsFile()],
  ];
  return new Map([
    ...code.map(([name, content]): [string, string] => [`shared/generated/${name}`, content]),
    ...operations.map((operation): [string, string] => [
      schemaPath(operation),
      `${JSON.stringify(outputSchema(operation))}\n`,
    ]),
  ]);
}

/** Resources that have an operation, in the contract's order. */
const resourceNames = (operations: readonly GeneratedOperation[]): ResourceName[] =>
  Object.keys(resources).filter((name): name is ResourceName =>
    operations.some(({ resource }) => resource === name),
  );

function limitsFile(): string {
  return [
    head,
    '/** Items of one batch. */',
    `export const batchItems = ${limits.batchItems};\n`,
    '/** Items of a batch that count as one request. */',
    `export const itemsPerRequest = ${limits.itemsPerRequest};\n`,
    '/** Bytes of the body of a request. */',
    `export const bodyBytes = ${limits.bodyBytes};\n`,
    '/** Milliseconds after which a delivery that failed is first repeated. */',
    `export const firstRepetition = ${attemptDelaysSeconds[1] * 1000};\n`,
    '/** Events that are held for a subscription that comes back. */',
    `export const heldEvents = ${limits.heldEventsPerWebhook};\n`,
  ].join('\n');
}

function oauthFile(): string {
  return [
    head,
    '/** OAuth endpoints, below the origin. */',
    `export const consentPath = ${print(oauthPaths.authorize)};`,
    `export const tokenPath = ${print(oauthPaths.token)};\n`,
    '/** Scopes that a connection can have. */',
    `export const oauthScopes: readonly string[] = ${print(oauthScopes)};\n`,
  ].join('\n');
}

function constantsFile(): string {
  const constant = (comment: string, { name, value }: Identifier, type = 'INodePropertyOptions[]') =>
    `/** ${comment} */\nexport const ${name}: ${type} = ${print(value)};\n`;
  const codes = (comment: string, { name, value }: Identifier, type: string) =>
    `/** ${comment} */\nexport const ${name} = namedCodes('${type}', ${print(value)});\n`;
  return [
    head,
    "import type { INodeProperties, INodePropertyOptions, INodePropertyTypeOptions } from 'n8n-workflow';",
    "import { namedCodes } from '../choices/named-codes.ts';\n",
    codes('ISO 3166-1 alpha-2.', countryOptions, 'region'),
    codes('ISO 4217.', currencyOptions, 'currency'),
    constant('The event catalog.', eventOptions),
    constant('What triggers offer besides: several events by one choice.', eventGroupOptions),
    `/** The event catalog with its groups, by their names; all events first. */\nexport const triggerEventOptions: INodePropertyOptions[] = [...eventOptions, ...eventGroupOptions].sort(\n  (first, second) =>\n    Number(second.value === '*') - Number(first.value === '*') || first.name.localeCompare(second.name),\n);\n`,
    constant('How fields are given unless somebody chooses.', mappingDefault, "INodeProperties['default']"),
    constant('A mapper without custom fields.', mappingOptions, 'INodePropertyTypeOptions'),
    constant('A mapper with custom fields.', customMappingOptions, 'INodePropertyTypeOptions'),
    constant('What becomes of other columns.', unknownColumnsOptions),
  ].join('\n');
}

/** The ways to give a record, once for all parameters that name them. */
function locatorsFile(properties: readonly Property[]): string {
  const locators = byName(identifiersIn(properties).filter(({ file }) => file === locatorsPath));
  return [
    head,
    "import type { INodePropertyMode } from 'n8n-workflow';\n",
    'type Locator = { modes: INodePropertyMode[] };\n',
    ...locators.map(({ name, value }) => `export const ${name}: Locator = ${print(value)};\n`),
  ].join('\n');
}

/** Each constant once, in the order of their names. */
function byName(constants: readonly Identifier[]): Identifier[] {
  const found = new Map(constants.map((each) => [each.name, each]));
  for (const each of constants) {
    if (print(found.get(each.name)?.value) !== print(each.value))
      throw new Error(`Two constants of ${each.file} would be called ${each.name}`);
  }
  return [...found.values()].sort((first, second) => first.name.localeCompare(second.name));
}

function propertiesFile(comment: string, name: string, properties: readonly Property[]): string {
  const used = byName(identifiersIn(properties));
  const imports = [constantsPath, locatorsPath].flatMap((path) => {
    const names = used.filter(({ file }) => file === path).map((each) => each.name);
    return names.length === 0 ? [] : [`import { ${names.join(', ')} } from '${path}';\n`];
  });
  const calls = callsIn(properties);
  for (const [path, functions] of Object.entries(functionsOf)) {
    const called = functions.filter((each) => calls.includes(each));
    if (called.length > 0) imports.push(`import { ${called.join(', ')} } from '${path}';\n`);
  }
  const { constants, value } = shareValues(properties, nameOfParameters);
  const types = ['IDisplayOptions', 'INodeProperties', 'INodePropertyOptions'].filter(
    (type) => type === 'INodeProperties' || constants.some((each) => each.includes(`: ${type}`)),
  );
  return [
    head,
    `import type { ${types.join(', ')} } from 'n8n-workflow';\n${imports.join('')}`,
    ...constants,
    `/** ${comment} */\nexport const ${name}: INodeProperties[] = ${printLines(value)};\n`,
  ].join('\n');
}

function resourceProperty(names: readonly ResourceName[]): Property {
  const options: Option[] = sortedOptions(
    names.map((name) => ({
      name: titleCase(resources[name].label.en),
      value: camelCase(name),
      ...(isResourceReached(name) ? {} : { displayOptions: keyOnly }),
    })),
  );
  return {
    displayName: 'Resource',
    name: 'resource',
    type: 'options',
    noDataExpression: true,
    options,
    default: names.find((name) => resources[name].kind === 'record'),
  };
}

function operationsFile(operations: readonly GeneratedOperation[], names: readonly ResourceName[]): string {
  const table = Object.fromEntries(
    names.map((name) => [
      camelCase(name),
      Object.fromEntries(
        operations.filter(({ resource }) => resource === name).map(({ value, table: row }) => [value, row]),
      ),
    ]),
  );
  const { constants, value } = shareValues(withFields(table), nameOfFields);
  return [
    head,
    "import { field } from '../field.ts';\nimport type { Field, Operation } from '../tables.ts';\n",
    ...constants,
    `/** What each operation of each resource does. */\nexport const operations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = ${printLines(value, 2)};\n`,
  ].join('\n');
}

/** Fields are made by a function, which says what most of them have in common. */
function withFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withFields);
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withFields(each)]));
  if (!('kind' in inner && 'parameter' in inner) || 'placeholder' in inner) return inner;
  const { name, parameter, label, kind, ...more } = inner;
  const own = { ...(parameter === camelCase(String(name)) ? {} : { parameter }), ...more };
  return new Call('field', [name, label, kind, ...(Object.keys(own).length === 0 ? [] : [own])]);
}

/** Sentences that several operations share are constants, called after the first one. */
function instructionsFile(operations: readonly GeneratedOperation[], names: readonly ResourceName[]): string {
  const told = Map.groupBy(operations, ({ whenToUse }) => whenToUse);
  const shared = new Map<string, Identifier>();
  for (const [sentence, [first, ...others]] of told) {
    if (sentence === undefined || !first || others.length === 0) continue;
    shared.set(sentence, new Identifier(`${first.value}When`, './instructions.ts', sentence));
  }
  const table = names.map((name) => {
    const of = operations.filter(({ resource }) => resource === name);
    const sentences = of.flatMap(({ value, whenToUse }) =>
      whenToUse === undefined ? [] : [[value, shared.get(whenToUse) ?? whenToUse]],
    );
    return [camelCase(name), Object.fromEntries(sentences)];
  });
  return [
    head,
    ...[...shared.values()].map(({ name, value }) => `const ${name} = ${print(value)};\n`),
    `/** When a language model takes an operation of a resource rather than another one. */\nexport const whenToUse: Readonly<Record<string, Readonly<Record<string, string>>>> = ${printLines(Object.fromEntries(table))};\n`,
  ].join('\n');
}

function choicesFile(registry: ChoicesRegistry): string {
  const rows = [...registry].sort(([first], [second]) => first.localeCompare(second));
  const table = (verb: string) =>
    Object.fromEntries(
      rows.filter(([name]) => name.startsWith(verb)).map(([name, request]) => [name, choicesTable(request)]),
    );
  return [
    head,
    "import type { Choices } from '../tables.ts';\n",
    `/** Dropdowns that are searched page by page, by the method that fills them. */\nexport const searches: Readonly<Record<string, Choices>> = ${printLines(table('search'))};\n`,
    `/** Dropdowns of several choices, which are loaded whole. */\nexport const loads: Readonly<Record<string, Choices>> = ${printLines(table('load'))};\n`,
  ].join('\n');
}

function eventsFile(): string {
  return [
    head,
    "import type { EventTable, TriggerFilter } from '../tables.ts';\n",
    `/** How many days Dealkeep keeps what happened. */\nexport const eventDays = ${print(limits.eventDays)};\n`,
    `/** The event catalog. */\nexport const events: Readonly<Record<string, EventTable>> = ${printLines(eventTable())};\n`,
    `/** The filters of the triggers, by their parameters in the collection. */\nexport const triggerFilters: Readonly<Record<string, TriggerFilter>> = ${printLines(filterTable())};\n`,
  ].join('\n');
}
