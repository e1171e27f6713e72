import {
  type EveryOperationId,
  everyOperation,
  everyOperationId,
  type FieldFacts,
  fieldsOf,
  type OperationDeclaration,
} from '@dealkeep/contract';
import { permissionsFor } from '@dealkeep/core/identity';
import { problemsForUser, runAsUser } from '@dealkeep/core/operations';
import * as z from 'zod';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { companyLabelFields, tagFields } from './label-fields.ts';
import type { Presentation } from './presentation.ts';
import type { Step } from './record-kind.ts';
import { wordedFields } from './worded-fields.ts';

/**
 * Every step of the records of a resource, whatever their state: the operations that the contract declares as steps.
 */
export const stepsOf = (resource: string, labels?: Presentation['labels']): readonly Step[] =>
  everyOperationId
    .filter((id) => everyOperation[id].resource === resource)
    .flatMap((id) => stepOf(id, labels));

/** Fields that the organization decides on instead of the contract. */
const ownFields: Readonly<Record<string, (c: ConsoleContext) => Promise<readonly FieldFacts[]>>> = {
  'companies.labels': companyLabelFields,
  'leads.tags': tagFields,
};

function stepOf(id: EveryOperationId, labels: Presentation['labels']): Step[] {
  const declaration: OperationDeclaration = everyOperation[id];
  const { step } = declaration;
  if (!step) return [];
  const pathOf = (record: string) => ({ [declaration.path.includes('{uuid}') ? 'uuid' : 'id']: record });
  const declared = wordedFields(fieldsOf(declaration.body ?? z.object({})), labels);
  return [
    {
      ...step,
      id,
      name: id.slice(id.indexOf('.') + 1),
      about: declaration.about,
      danger: declaration.destructive ?? false,
      fields: async (c) => ownFields[id]?.(c) ?? declared,
      permissions: permissionsFor(declaration),
      ownersOnly: declaration.ownersOnly,
      problemsOf: (c, record, body) =>
        problemsForUser(c.get('core'), sessionOf(c), id, { path: pathOf(record), body }),
      run: (c, record, body, { once, version }) => {
        const unchanged = version === undefined ? {} : { unchangedSince: version };
        const request = { path: pathOf(record), body, ...unchanged };
        return runAsUser(c.get('core'), sessionOf(c), id, request, once);
      },
    },
  ];
}
