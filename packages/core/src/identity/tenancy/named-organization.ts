import type { Statements } from '../../foundations/database/connect.ts';
import { OperatorError } from '../../foundations/operator.ts';

/** An organization as the log and envelopes name it. */
export interface NamedOrganization {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
}

/** The organization with a slug, for a command. Raises OperatorError. */
export async function namedOrganization(sql: Statements, slug: string): Promise<NamedOrganization> {
  const [found] = await sql<
    NamedOrganization[]
  >`select id, slug, name from organizations where slug = ${slug}`;
  if (found) return found;
  throw unknownOrganization(slug);
}

export const unknownOrganization = (slug: string): OperatorError =>
  new OperatorError(`There is no organization "${slug}"`, { help: { shown: 'organizations' } });
