import {
  type EveryOperationId,
  everyOperation,
  everyOperationId,
  fieldsOf,
  type OperationDeclaration,
  type Reference,
  references,
} from '@dealkeep/contract';
import { permissionsFor, problemsForUser, runAsUser } from '@dealkeep/core';
import { sessionOf } from '../context.ts';
import type { FormRule } from '../forms/judge.ts';
import { type QueryPairs, type ShownPage, type ShownRecord, textIn } from '../values/shown-record.ts';
import type { Edit, RecordKind } from './record-kind.ts';
import { stepsOf } from './steps.ts';

type Declared = Pick<RecordKind, 'resource' | 'path' | 'columns' | 'teaches' | 'automates'> &
  Partial<Pick<RecordKind, 'idField' | 'ownFields'>> & {
    /** The field that it is called by. */
    readonly titled?: string;
    /** The steps that are possible in a record's state; all when absent. */
    possible?(record: ShownRecord): readonly EveryOperationId[];
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
function operationOf(name: string): (OperationDeclaration & { id: EveryOperationId }) | undefined {
  const id = everyOperationId.find((each) => each === name);
  return id && { ...everyOperation[id], id };
}

/** A kind whose pages are the operations of the contract. */
export function operationKind(declared: Declared): RecordKind {
  const {
    resource,
    path,
    idField = 'id',
    reads = [],
    leftOut = [],
    titled = labelPath(resource),
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
      fields: fieldsOf(body).filter(
        ({ name, description }) => !leftOut.includes(name) && !description?.leftOutOf,
      ),
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
  const [create, update] = [edit('create'), edit('update')];
  const steps = stepsOf(resource);
  const { query } = list;
  const known = new Set(Object.keys(query.shape));
  return {
    resource,
    path,
    idField,
    columns: declared.columns,
    query,
    steps,
    stepsOf: (record) => {
      const possible = declared.possible?.(record) ?? steps.map(({ id }) => id);
      return possible.flatMap((wanted) => steps.filter(({ id }) => id === wanted));
    },
    teaches: declared.teaches,
    automates: declared.automates,
    permissions: permissionsFor(list),
    titleOf: (record) => textIn(record, titled),
    list: async (c, pairs, core = c.get('core')) => {
      const query = [...pairs.filter(([name]) => known.has(name)), ...reads];
      return (await runAsUser(core, sessionOf(c), list.id, { query })) as ShownPage;
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
