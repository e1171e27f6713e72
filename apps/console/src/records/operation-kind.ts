import {
  fieldsOf,
  type OperationDeclaration,
  type OperationId,
  operations,
  type Reference,
  references,
} from '@dealkeep/contract';
import { permissionsFor, problemsForUser, runAsUser } from '@dealkeep/core';
import * as z from 'zod';
import { sessionOf } from '../context.ts';
import type { FormRule } from '../forms/judge.ts';
import { type QueryPairs, type ShownPage, type ShownRecord, textIn } from '../values/shown-record.ts';
import type { Edit, RecordKind, Step } from './record-kind.ts';

type Declared = Pick<RecordKind, 'resource' | 'path' | 'columns' | 'teaches' | 'automates'> &
  Partial<Pick<RecordKind, 'idField' | 'stepsOf' | 'create' | 'update' | 'ownFields'>> & {
    /** Added to each reading. */
    readonly reads?: QueryPairs;
    /** Fields of the body that a step changes instead of the form. */
    readonly leftOut?: readonly string[];
    /** What the console asks for although the API does not. */
    readonly rules?: readonly FormRule[];
  };

const labelPath = (resource: string): string => {
  const declared: Readonly<Record<string, Reference>> = references;
  return declared[resource]?.names?.[0] ?? 'name';
};

/** The operation of this name, if the contract has it. */
export function operationOf(id: string): (OperationDeclaration & { id: OperationId }) | undefined {
  return Object.values<OperationDeclaration>(operations).find(
    (each): each is OperationDeclaration & { id: OperationId } => each.id === id,
  );
}

/** A kind whose pages are the API's operations. */
export function operationKind(declared: Declared): RecordKind {
  const {
    resource,
    path,
    idField = 'id',
    reads = [],
    leftOut = [],
    stepsOf = () => [],
    rules = [],
  } = declared;
  const plural = path.slice(1);
  const [list, get] = [operationOf(`${plural}.list`), operationOf(`${plural}.get`)];
  if (!list?.query || !get) throw new Error(`${resource} has no operations to list and get it`);
  const pathOf = (id: string | undefined) => (id === undefined ? {} : { path: { [idField]: id } });
  const edit = (name: string): Edit | undefined => {
    const declaration = operationOf(`${plural}.${name}`);
    if (!declaration?.body) return undefined;
    const { id, body } = declaration;
    return {
      problemsOf: (c, body, record) =>
        problemsForUser(c.get('core'), sessionOf(c), id, { body, ...pathOf(record) }),
      rules,
      fields: fieldsOf(body).filter((field) => !leftOut.includes(field.name)),
      permissions: permissionsFor(declaration),
      run: async (c, values, { id: record, once, version }) =>
        (await runAsUser(
          c.get('core'),
          sessionOf(c),
          id,
          {
            body: values,
            ...pathOf(record),
            ...(version === undefined ? {} : { unchangedSince: version }),
          },
          once,
        )) as ShownRecord,
    };
  };
  const create = declared.create ?? edit('create');
  const update = declared.update ?? edit('update');
  const { query } = list;
  const known = new Set(Object.keys(query.shape));
  return {
    resource,
    path,
    idField,
    columns: declared.columns,
    query,
    stepsOf,
    teaches: declared.teaches,
    automates: declared.automates,
    permissions: permissionsFor(list),
    titleOf: (record) => textIn(record, labelPath(resource)),
    list: async (c, pairs) => {
      const query = [...pairs.filter(([name]) => known.has(name)), ...reads];
      return (await runAsUser(c.get('core'), sessionOf(c), list.id, { query })) as ShownPage;
    },
    get: async (c, id) => {
      const request = { path: { [idField]: id }, query: reads };
      return (await runAsUser(c.get('core'), sessionOf(c), get.id, request)) as ShownRecord;
    },
    ...(declared.ownFields ? { ownFields: declared.ownFields } : {}),
    ...(create ? { create } : {}),
    ...(update ? { update } : {}),
  };
}

/** A step that the API has an operation for; what it does, and whether it destroys, the operation says. */
export function operationStep(
  id: OperationId,
  step: Pick<Step, 'label' | 'asks'> &
    Partial<Pick<Step, 'name' | 'danger' | 'about'>> & {
      /** A body that is always the same, instead of a form. */
      body?: Readonly<Record<string, unknown>>;
      /** Fields of the body that the step asks for; all when absent. */
      only?: readonly string[];
    },
): Step {
  const declaration: OperationDeclaration = operations[id];
  const { body: fixed, only } = step;
  const fields = fixed ? [] : fieldsOf(declaration.body ?? z.object({}));
  return {
    name: step.name ?? id.slice(id.indexOf('.') + 1),
    about: declaration.about,
    danger: declaration.destructive ?? false,
    ...step,
    fields: fields.filter(({ name }) => !only || only.includes(name)),
    permissions: permissionsFor(declaration),
    problemsOf: (c, record, body) =>
      problemsForUser(c.get('core'), sessionOf(c), id, { path: { id: record }, body: fixed ?? body }),
    run: (c, record, body, { once }) =>
      runAsUser(c.get('core'), sessionOf(c), id, { path: { id: record }, body: fixed ?? body }, once),
  };
}
