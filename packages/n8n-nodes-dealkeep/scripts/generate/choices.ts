import {
  namesOf,
  type OperationDeclaration,
  operations,
  type Reference,
  type ReferenceName,
  type ResourceName,
  references,
  resources,
} from '@dealkeep/contract';
import type { Choices } from '../../nodes/shared/tables.ts';
import { Identifier } from './property.ts';
import { camelCase } from './wording.ts';

/** Which of the records of a list can be chosen, and what such records are called. */
export interface Selection {
  readonly called: string;
  readonly query: Readonly<Record<string, string>>;
}

/**
 * A dropdown: of a reference of the contract, of a resource whose choices are named by another field, or of what
 * stands below a record that another parameter names.
 */
export type ChoicesRequest =
  | {
      reference: ReferenceName;
      dependsOn?: string | undefined;
      load?: boolean;
      only?: Selection | undefined;
    }
  | { resource: ResourceName; value: string; load?: boolean }
  | { below: OperationDeclaration; parameter: string; names: readonly string[]; apart: readonly string[] };

/** Every dropdown that the fields ask for, to be generated after them. */
export type ChoicesRegistry = Map<string, ChoicesRequest>;

/** The method that fills a dropdown, e.g. `searchStageByPipelineId`; registered for generation. */
export function choicesMethod(registry: ChoicesRegistry, request: ChoicesRequest): string {
  const verb = 'load' in request && request.load ? 'load' : 'search';
  const method = camelCase(`${verb}_${nameOfRequest(request)}`);
  registry.set(method, request);
  return method;
}

function nameOfRequest(request: ChoicesRequest): string {
  if ('below' in request) return request.below.resource;
  if ('resource' in request) return `${request.resource}_by_${request.value}`;
  const { reference, dependsOn, only } = request;
  return `${only ? `${only.called}_` : ''}${reference}${dependsOn === undefined ? '' : `_by_${dependsOn}`}`;
}

export const exampleId = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';

/** The generated file of the ways to give a record. */
export const locatorsPath = './locators.ts';

/**
 * The ways to give a record, which all parameters share that the same method fills: from a list first, then by its
 * ID, or by its name where names are the values, then by the record's address, where it has one.
 */
export function locatorModes(
  method: string,
  options: { by: 'id' | 'name'; url?: string | undefined },
): Identifier {
  const record = method.replace(/^search/, '');
  const name = `${record.charAt(0).toLowerCase()}${record.slice(1)}Locator`;
  const modes = [
    {
      displayName: 'From List',
      name: 'list',
      type: 'list',
      typeOptions: { searchListMethod: method, searchable: true },
    },
    options.by === 'id'
      ? { displayName: 'By ID', name: 'id', type: 'string', placeholder: `e.g. ${exampleId}` }
      : { displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. VIP' },
    ...(options.url
      ? [
          {
            displayName: 'By URL',
            name: 'url',
            type: 'string',
            placeholder: `e.g. ${options.url}`,
            extractValue: {
              type: 'regex',
              regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*',
            },
          },
        ]
      : []),
  ];
  // n8n's linter knows modes as such only below this key; anywhere else it takes them for parameters.
  return new Identifier(name, locatorsPath, { modes }, 'modes');
}

/** What the running node needs to fill a dropdown. */
export function choicesTable(request: ChoicesRequest): Choices {
  if ('below' in request) {
    const { below, parameter, names, apart } = request;
    return {
      ...listTable(below),
      value: 'id',
      names,
      apart,
      parent: { parameter, filter: 'id', inPath: true },
    };
  }
  if ('resource' in request) {
    const list = Object.values(operations).find(
      (operation) => operation.resource === request.resource && operation.kind === 'list',
    );
    if (!list) throw new Error(`The resource ${request.resource} cannot be listed`);
    return { ...listTable(list), value: request.value, names: [request.value] };
  }
  const reference: Reference = references[request.reference];
  const list = Object.values(operations).find((operation) => operation.id === reference.list);
  if (!list) throw new Error(`The list ${reference.list} is not in the contract`);
  const shape = 'answer' in list && 'shape' in list.answer ? Object.keys(Object(list.answer.shape)) : [];
  return {
    ...listTable(list),
    value: reference.items === undefined && !shape.includes('id') ? 'uuid' : 'id',
    names: namesOf(reference),
    ...(reference.apart ? { apart: reference.apart } : {}),
    ...(reference.items === undefined ? {} : { items: reference.items }),
    ...(request.dependsOn === undefined
      ? {}
      : {
          parent: { parameter: camelCase(request.dependsOn), filter: reference.parent ?? request.dependsOn },
        }),
    ...(request.only ? { query: request.only.query } : {}),
  };
}

function listTable(
  list: Pick<OperationDeclaration, 'path' | 'query'>,
): Pick<Choices, 'list' | 'paged' | 'searchable'> {
  return {
    list: list.path,
    paged: list.query !== undefined,
    searchable: list.query !== undefined && 'q' in list.query.shape,
  };
}

/** The label of the record that a reference names. */
export const resourceLabel = (name: ResourceName): string => resources[name].label.en;
