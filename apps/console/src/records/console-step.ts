import type { FieldProblem, Permission } from '@dealkeep/contract';
import { actAsUser, type Core, type Session } from '@dealkeep/core';
import { sessionOf } from '../context.ts';
import type { FormBody } from '../forms/body.ts';
import type { RecordKind, Step } from './record-kind.ts';

interface Change {
  readonly resource: RecordKind['resource'];
  readonly permission: Permission;
  readonly idField?: 'id' | 'uuid';
  /** What the work would refuse, as far as it can be known without it. */
  problemsOf?(
    core: Core,
    organization: Session['organization'],
    body: FormBody,
  ): Promise<readonly FieldProblem[]>;
  work(
    core: Core,
    organization: Session['organization'],
    id: string,
    form: { body: FormBody; once: { person: string; key: string; input: unknown }; version?: string },
  ): Promise<unknown>;
}

/** A step that no API operation makes. */
export const consoleStep = (
  step: Pick<Step, 'name' | 'label' | 'about' | 'asks'> & Partial<Pick<Step, 'danger' | 'fields' | 'begins'>>,
  { resource, permission, idField = 'id', problemsOf, work }: Change,
): Step => ({
  fields: [],
  ...step,
  permissions: [permission],
  ...(problemsOf
    ? { problemsOf: (c, _, body) => problemsOf(c.get('core'), sessionOf(c).organization, body) }
    : {}),
  run: (c, id, body, { once: key, ...version }) => {
    const session = sessionOf(c);
    const once = { person: session.user.id, key, input: [step.name, id, body] };
    const change = { resource, permissions: [permission], path: { [idField]: id } };
    return actAsUser(c.get('core'), session, change, (organization) =>
      work(c.get('core'), organization, id, { body, once, ...version }),
    );
  },
});
