import {
  namesOf,
  operations,
  type Reference,
  type ReferenceName,
  type ResourceName,
  references,
  resources,
} from '@dealkeep/contract';
import type { Choices } from '../../nodes/shared/tables.ts';
import type { ChoicesRegistry } from './fields.ts';
import { Identifier } from './property.ts';
import { camelCase } from './wording.ts';

/** A dropdown: of a reference of the contract, or of a resource whose choices are named by another field. */
export type ChoicesRequest =
  | { reference: ReferenceName; dependsOn?: string | undefined; load?: boolean }
  | { resource: ResourceName; value: string };

/** The method that fills a dropdown, e.g. `searchStageByPipelineId`; registered for generation. */
export function choicesMethod(registry: ChoicesRegistry, request: ChoicesRequest): string {
  const name = 'reference' in request ? request.reference : request.resource;
  const by = 'reference' in request ? request.dependsOn : request.value;
  const verb = 'load' in request && request.load ? 'load' : 'search';
  const method = camelCase(`${verb}_${name}${by === undefined ? '' : `_by_${by}`}`);
  registry.set(method, request);
  return method;
}

export const exampleId = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';

/** The generated file of the ways to give a record. */
export const locatorsPath = './locators.ts';

/**
 * The ways to give a record, which all parameters share that the same method fills: from a list first, then by its ID,
 * or by its name where names are the values, then by the record's address, where it has one.
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
  };
}

function listTable(list: {
  path: string;
  query?: { shape: object };
}): Pick<Choices, 'list' | 'paged' | 'searchable'> {
  return {
    list: list.path,
    paged: list.query !== undefined,
    searchable: list.query !== undefined && 'q' in list.query.shape,
  };
}

/** The label of the record that a reference names. */
export const resourceLabel = (name: ResourceName): string => resources[name].label.en;
