import {
  basePath,
  oauthPaths,
  oauthScopes,
  type ResourceName,
  resources,
  userAgentOf,
} from '@dealkeep/contract';
import manifest from '../../package.json' with { type: 'json' };
import { choicesTable } from './choices.ts';
import { countries, currencies, eventChoices } from './constants.ts';
import type { ChoicesRegistry } from './fields.ts';
import { isResourceReached, keyOnly } from './oauth-reach.ts';
import { outputSchema, schemaPath } from './output-schema.ts';
import { identifiersIn, print } from './print.ts';
import { type Option, type Property, sortedOptions } from './property.ts';
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
    ...names.map((name): [string, string] => [
      `${name}-description.ts`,
      propertiesFile(
        `${camelCase(name)}Description`,
        resourceProperties(
          name,
          operations.filter(({ resource }) => resource === name),
        ),
      ),
    ]),
    ['action-description.ts', actionFile(names)],
    ['trigger-description.ts', propertiesFile('triggerDescription', trigger)],
    ['operations.ts', operationsFile(operations, names)],
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
  return [
    head,
    "import type { INodePropertyOptions } from 'n8n-workflow';\n",
    `/** ISO 3166-1 alpha-2. */\nexport const countryOptions: INodePropertyOptions[] = ${print(countries())};\n`,
    `/** ISO 4217. */\nexport const currencyOptions: INodePropertyOptions[] = ${print(currencies())};\n`,
    `/** The event catalog. */\nexport const eventOptions: INodePropertyOptions[] = ${print(eventChoices())};\n`,
  ].join('\n');
}

function propertiesFile(name: string, properties: readonly Property[]): string {
  const used = [...new Set(identifiersIn(properties).map((each) => each.name))].sort();
  const imports = used.length === 0 ? '' : `import { ${used.join(', ')} } from './constants.ts';\n`;
  return [
    head,
    propertiesImport + imports,
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
