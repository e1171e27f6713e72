import {
  type EveryOperationId,
  everyOperation,
  everyOperationId,
  type FieldFacts,
  fieldsOf,
  type OperationDeclaration,
  type Reference,
  references,
  resources,
} from '@dealkeep/contract';
import { permissionsFor } from '@dealkeep/core/identity';
import { problemsForUser, runAsUser } from '@dealkeep/core/operations';
import { sessionOf } from '../context.ts';
import { withOneCustomer } from '../forms/customer-choice.ts';
import { type ShownPage, type ShownRecord, textIn } from '../values/shown-record.ts';
import { formSections, pageSections } from './arranged-fields.ts';
import type { Presentation } from './presentation.ts';
import type { Edit, RecordKind } from './record-kind.ts';
import { stepsOf } from './steps.ts';
import { wordedFields } from './worded-fields.ts';

/** Where a record's name stands, the best first. */
const namesOf = (resource: string): readonly string[] => {
  const declared: Readonly<Record<string, Reference>> = references;
  return declared[resource]?.names ?? ['name'];
};

/** The operation of this name, if the contract has it. */
function operationOf(name: string): (OperationDeclaration & { id: EveryOperationId }) | undefined {
  const id = everyOperationId.find((each) => each === name);
  return id && { ...everyOperation[id], id };
}

/** A field that says nothing below its control, where its help speaks to programs. */
function withoutHelp(field: FieldFacts, { unexplained = [] }: Presentation): FieldFacts {
  if (!field.description || !unexplained.includes(field.name)) return field;
  const { help, ...description } = field.description;
  return { ...field, description };
}

/** What every list has besides its filters. */
const noFilters: readonly string[] = ['limit', 'cursor', 'sort', 'include'];

/** A kind whose pages are the operations of the contract, shown as its presentation says. */
export function operationKind(presentation: Presentation): RecordKind {
  const { resource, path, idField = 'id', reads = [], labels, leftOut } = presentation;
  const { names = namesOf(resource) } = presentation;
  const plural = path.slice(1);
  const [list, get] = [operationOf(`${plural}.list`), operationOf(`${plural}.get`)];
  const count = operationOf(`${plural}.count`);
  if (!list?.query || !get || !count) {
    throw new Error(`${resource} has no operations to list, count and get it`);
  }
  const pathOf = (id: string | undefined) => (id === undefined ? {} : { path: { [idField]: id } });
  const edit = (name: string): Edit | undefined => {
    const declaration = operationOf(`${plural}.${name}`);
    if (!declaration?.body) return undefined;
    const { id, body } = declaration;
    const asked = fieldsOf(body).filter(
      (field) => !Object.hasOwn(leftOut.form ?? {}, field.name) && !field.description?.leftOutOf,
    );
    const worded = withOneCustomer(
      wordedFields(asked, labels).map((field) => withoutHelp(field, presentation)),
    );
    const sections = formSections(presentation.form, presentation.more ?? [], worded);
    return {
      problemsOf: (c, body, record) =>
        problemsForUser(c.get('core'), sessionOf(c), id, { body, ...pathOf(record) }),
      rules: presentation.rules ?? [],
      fields: sections.flatMap(({ fields }) => fields),
      sections,
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
  const steps = stepsOf(resource, labels);
  const { query } = list;
  const known = new Set(Object.keys(query.shape));
  const seen = fieldsOf(resources[resource].schema).filter(({ name }) => !Object.hasOwn(leftOut.page, name));
  const sections = pageSections(presentation.page, wordedFields(seen, labels));
  // Ids that nothing lists choices for are for programs.
  const filters = fieldsOf(query).filter(
    ({ name, format, reference, description }) =>
      !noFilters.includes(name) && !(format === 'uuid' && !reference) && !description?.leftOutOf,
  );
  return {
    ...presentation,
    idField,
    fields: sections.flatMap(({ fields }) => fields),
    sections,
    query,
    filters: wordedFields(filters, labels),
    steps,
    stepsOf: (record) => {
      const possible = presentation.possible?.(record) ?? steps.map(({ id }) => id);
      return possible.flatMap((wanted) => steps.filter(({ id }) => id === wanted));
    },
    permissions: permissionsFor(list),
    titleOf: (record) => names.map((name) => textIn(record, name)).find((name) => name !== '') ?? '',
    list: async (c, pairs, core = c.get('core')) => {
      const query = [...pairs.filter(([name]) => known.has(name)), ...reads];
      return (await runAsUser(core, sessionOf(c), list.id, { query })) as ShownPage;
    },
    count: async (c, pairs) => {
      const query = pairs.filter(([name]) => known.has(name));
      const counted: unknown = await runAsUser(c.get('core'), sessionOf(c), count.id, { query });
      return counted as { count: number; more: boolean };
    },
    get: async (c, id) => {
      const request = { path: { [idField]: id }, query: reads };
      return (await runAsUser(c.get('core'), sessionOf(c), get.id, request)) as ShownRecord;
    },
    ...(create ? { create } : {}),
    ...(update ? { update } : {}),
  };
}
