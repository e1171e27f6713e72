import {
  commonListParameters,
  type OperationDeclaration,
  type OperationId,
  operations,
  type ResourceName,
  resources,
} from '@dealkeep/contract';
import type * as z from 'zod';
import { type FormField, formFields } from './forms/form-field.ts';

/** Any operation of the contract, seen as its declaration. */
export function operationOf(id: string): OperationDeclaration {
  if (!isOperationId(id)) throw new Error(`The contract has no operation "${id}".`);
  return operations[id];
}

const isOperationId = (id: string): id is OperationId => Object.hasOwn(operations, id);
const isResourceName = (name: string): name is ResourceName => Object.hasOwn(resources, name);

/** Each list's, made once: every trigger asks for them by each of its filters. */
const filtersOfLists = new WeakMap<OperationDeclaration, readonly FormField[]>();

/** The filters of a list, without the parameters that every list has. */
export function filterFields(list: OperationDeclaration): readonly FormField[] {
  const known = filtersOfLists.get(list);
  if (known) return known;
  const fields = list.query ? formFields(list.query) : [];
  const filters = fields.filter((field) => !commonListParameters.includes(field.key));
  filtersOfLists.set(list, filters);
  return filters;
}

/** The operation of a kind on a resource, where the API has one. */
export function operationOn(
  resource: string,
  kind: 'list' | 'get' | 'create',
): OperationDeclaration | undefined {
  const all: readonly OperationDeclaration[] = Object.values(operations);
  // Not what stands below a record, such as the free times of a service.
  return all.find(
    (operation) =>
      operation.resource === resource && operation.kind === kind && !operation.path.includes('}/'),
  );
}

/** The record that a resource's GET answers. */
export function answeredSchema(resource: string): z.ZodObject {
  if (!isResourceName(resource)) throw new Error(`The contract has no resource "${resource}".`);
  return resources[resource].schema;
}

/** True for lists that people keep to choose from, such as lead origins. */
export const isLookup = (resource: string): boolean =>
  isResourceName(resource) && resources[resource].kind === 'lookup';

/** The name of a resource, or of what stands inside one (stages), for people: `Company`. */
export function labelOfResource(resource: string): string {
  if (isResourceName(resource)) return resources[resource].label.en;
  return resource.replaceAll('-', ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

/** The same of several: `Companies`, `Project Stages`. */
export function pluralOfResource(resource: string): string {
  return isResourceName(resource) ? resources[resource].plural.en : `${labelOfResource(resource)}s`;
}
