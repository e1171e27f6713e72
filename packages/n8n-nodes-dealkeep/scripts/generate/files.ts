import {
  basePath,
  oauthPaths,
  oauthScopes,
  type ResourceName,
  resources,
  userAgentOf,
} from '@dealkeep/contract';
import manifest from '../../package.json' with { type: 'json' };
import { choicesTable, locatorsPath } from './choices.ts';
import { constantsPath, countryOptions, currencyOptions, eventOptions } from './constants.ts';
import type { ChoicesRegistry } from './fields.ts';
import { isResourceReached, keyOnly } from './oauth-reach.ts';
import { outputSchema, schemaPath } from './output-schema.ts';
import { identifiersIn, print } from './print.ts';
import { Identifier, type Option, type Property, sortedOptions } from './property.ts';
import { type GeneratedOperation, generateOperations } from './resource-operations.ts';
import { resourceProperties } from './resource-properties.ts';
import { eventTable, filterTable, triggerProperties } from './trigger-properties.ts';
import { camelCase, titleCase } from './wording.ts';

const head =
  '// Generated from @dealkeep/contract by `npm run generate`. Change the contract or scripts/, not this file.\n';

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
    ['oauth.ts', oauthFile()],
    ['constants.ts', constantsFile()],
    ['locators.ts', locatorsFile([...descriptions.flatMap(({ properties }) => properties), ...trigger])],
    ...descriptions.map(({ name, properties }): [string, string] => [
      `${name}-description.ts`,
      propertiesFile(`${camelCase(name)}Description`, properties),
    ]),
    ['action-description.ts', actionFile(names)],
    ['trigger-description.ts', propertiesFile('triggerDescription', trigger)],
    ['operations.ts', operationsFile(operations, names)],
    ['instructions.ts', instructionsFile(operations, names)],
    ['choices.ts', choicesFile(registry)],
    ['events.ts', eventsFile()],
  ];
  return new Map([
    ...code.map(([name, content]): [string, string] => [`shared/generated/${name}`, content]),
    ...operations.map((operation): [string, string] => [
      schemaPath(operation),
      `${JSON.stringify(outputSchema(operation), null, 2)}\n`,
    ]),
  ]);
}

/** Resources that have an operation, in the contract's order. */
const resourceNames = (operations: readonly GeneratedOperation[]): ResourceName[] =>
  Object.keys(resources).filter((name): name is ResourceName =>
    operations.some(({ resource }) => resource === name),
  );

const propertiesImport = "import type { INodeProperties } from 'n8n-workflow';\n";

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
  const constant = (comment: string, { name, value }: Identifier) =>
    `/** ${comment} */\nexport const ${name}: INodePropertyOptions[] = ${print(value)};\n`;
  return [
    head,
    "import type { INodePropertyOptions } from 'n8n-workflow';\n",
    constant('ISO 3166-1 alpha-2.', countryOptions),
    constant('ISO 4217.', currencyOptions),
    constant('The event catalog.', eventOptions),
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

function propertiesFile(name: string, properties: readonly Property[]): string {
  const used = byName(identifiersIn(properties));
  const imports = [constantsPath, locatorsPath].flatMap((path) => {
    const names = used.filter(({ file }) => file === path).map((each) => each.name);
    return names.length === 0 ? [] : [`import { ${names.join(', ')} } from '${path}';\n`];
  });
  return [
    head,
    propertiesImport + imports.join(''),
    `export const ${name}: INodeProperties[] = ${print(properties)};\n`,
  ].join('\n');
}

function actionFile(names: readonly ResourceName[]): string {
  const options: Option[] = sortedOptions(
    names.map((name) => ({
      name: titleCase(resources[name].label.en),
      value: camelCase(name),
      ...(isResourceReached(name) ? {} : { displayOptions: keyOnly }),
    })),
  );
  const resource: Property = {
    displayName: 'Resource',
    name: 'resource',
    type: 'options',
    noDataExpression: true,
    options,
    default: names.find((name) => resources[name].kind === 'record'),
  };
  const descriptions = names.map((name) => `${camelCase(name)}Description`);
  return [
    head,
    propertiesImport +
      names
        .map((name) => `import { ${camelCase(name)}Description } from './${name}-description.ts';\n`)
        .join(''),
    `const resource: INodeProperties = ${print(resource)};\n`,
    `/** All parameters of the action node but the choice of its credential. */\nexport const actionDescription: INodeProperties[] = [\n  resource,\n${descriptions
      .map((each) => `  ...${each},\n`)
      .join('')}];\n`,
  ].join('\n');
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
  return [
    head,
    "import type { Operation } from '../tables.ts';\n",
    `/** What each operation of each resource does. */\nexport const operations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = ${print(table)};\n`,
  ].join('\n');
}

/** Sentences that several operations share are constants, called after the first one. */
function instructionsFile(operations: readonly GeneratedOperation[], names: readonly ResourceName[]): string {
  const sentences = new Map<string, Identifier>();
  for (const { value, whenToUse } of operations) {
    if (whenToUse !== undefined && !sentences.has(whenToUse))
      sentences.set(whenToUse, new Identifier(`${value}When`, './instructions.ts', whenToUse));
  }
  const table = names.map((name) => {
    const of = operations.filter(({ resource }) => resource === name);
    const told = of.map(({ value, whenToUse = '' }) => [value, sentences.get(whenToUse)]);
    return [camelCase(name), Object.fromEntries(told.filter(([, sentence]) => sentence !== undefined))];
  });
  return [
    head,
    ...[...sentences.values()].map(({ name, value }) => `const ${name} = ${print(value)};\n`),
    `/** When a language model takes an operation of a resource rather than another one. */\nexport const whenToUse: Readonly<Record<string, Readonly<Record<string, string>>>> = ${print(Object.fromEntries(table))};\n`,
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
    `/** Dropdowns that are searched page by page, by the method that fills them. */\nexport const searches: Readonly<Record<string, Choices>> = ${print(table('search'))};\n`,
    `/** Dropdowns of several choices, which are loaded whole. */\nexport const loads: Readonly<Record<string, Choices>> = ${print(table('load'))};\n`,
  ].join('\n');
}

function eventsFile(): string {
  return [
    head,
    "import type { EntityFilters, EventTable } from '../tables.ts';\n",
    `/** The event catalog. */\nexport const events: Readonly<Record<string, EventTable>> = ${print(eventTable())};\n`,
    `/** Which parameters of the trigger filter the records of a resource. */\nexport const entityFilters: Readonly<Record<string, EntityFilters>> = ${print(filterTable())};\n`,
  ].join('\n');
}
