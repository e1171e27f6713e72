import { requestExample } from '../openapi/examples.ts';
import type { OperationDeclaration } from '../operation.ts';
import { operations } from '../operations.ts';
import type { Reference } from '../reference.ts';
import { type ReferenceName, references } from '../references.ts';
import { exampleIdOf, exampleOf } from '../sample.ts';

/** A variable that the answer to a request fills, and how. */
export interface GivenVariable {
  readonly name: string;
  /** JavaScript of Postman's sandbox. */
  readonly script: string;
}

const all = Object.values<OperationDeclaration>(operations);
const referenceNames = Object.keys(references).filter((name): name is ReferenceName => name in references);

const idVariable = (record: string): string => `${record.replaceAll('-', '_')}_id`;

/** The variable that stands for the id of each record of the examples. */
export const variablesOfExamples: Readonly<Record<string, string>> = Object.fromEntries(
  referenceNames.map((name) => [exampleIdOf(name), idVariable(name)]),
);

/** `company_id` for the `id` of a company's address, `event_type` for what has another name there. */
function variableOf(parameter: string, { path, resource }: OperationDeclaration): string {
  if (parameter === 'id' || parameter === 'uuid') return idVariable(ownerOf(path, parameter) ?? resource);
  return parameter.endsWith('_id') ? parameter : `${resource.replaceAll('-', '_')}_${parameter}`;
}

/** Whose id it is: of the hook in the address of its deliveries. */
function ownerOf(path: string, parameter: string): string | undefined {
  const [before = ''] = path.split(`{${parameter}}`);
  return all.find((each) => each.path === `${before}{${parameter}}`)?.resource;
}

/** The variables of the address of an operation, in their order. */
const ofPath = (declaration: OperationDeclaration): string[] =>
  [...declaration.path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) =>
    variableOf(parameter, declaration),
  );

/** The variables that a request is sent with, those of its address first. */
export function needed(declaration: OperationDeclaration): string[] {
  const sent = JSON.stringify([requestExample(declaration), requiredQuery(declaration)]);
  const inBody = Object.entries(variablesOfExamples).filter(([id]) => sent.includes(id));
  return [...new Set([...ofPath(declaration), ...inBody.map(([, variable]) => variable)])];
}

/** Ids that a query must name stand in the examples of its fields, too. */
const requiredQuery = ({ query }: OperationDeclaration): unknown => (query ? exampleOf(query) : {});

/** The variables that the answer to an operation fills: what it made, or the first that it found. */
export function given(declaration: OperationDeclaration): GivenVariable[] {
  const { path, shape, kind } = declaration;
  const found = shape === 'list';
  if (!found && kind !== 'create') return [];
  const parts = path.split('/').length;
  const addressed = all
    .filter((each) => each.path.startsWith(`${path}/{`))
    .flatMap((each) => {
      const parameter = /\{(\w+)\}/.exec(each.path.split('/')[parts] ?? '')?.[1];
      return parameter === undefined ? [] : [{ parameter, name: variableOf(parameter, each) }];
    })
    .map(({ parameter, name }) => ({ name, script: keeping(name, fieldOf(parameter), found) }));
  const listed = found ? referenceNames.filter((name) => references[name].list === declaration.id) : [];
  const chosen = listed.map((name) => {
    const { items, value }: Reference = references[name];
    const variable = idVariable(name);
    return { name: variable, script: keeping(variable, value ?? 'id', true, items) };
  });
  return [...new Map([...chosen, ...addressed].map((each) => [each.name, each])).values()];
}

const fieldOf = (parameter: string): string => (parameter.endsWith('_id') ? 'id' : parameter);

/**
 * What was made is kept in any case. Of what was found, where there is none yet: the one that is taken by default,
 * else the first; of what stands in it, the second, so that something can be moved there.
 */
function keeping(variable: string, field: string, found: boolean, items?: string): string {
  if (!found) return `pm.collectionVariables.set('${variable}', pm.response.json().data?.${field});`;
  const chosen = '((list) => list.find((each) => each.is_default) ?? list[0])(pm.response.json().data ?? [])';
  const record = items === undefined ? chosen : `((list) => list[1] ?? list[0])(${chosen}?.${items} ?? [])`;
  return `if (!pm.collectionVariables.get('${variable}')) pm.collectionVariables.set('${variable}', ${record}?.${field});`;
}
