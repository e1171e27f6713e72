import { type ReadContext, writes } from '../../change/verb/verb.ts';
import { changeCompany, companyProblems, recordOf } from './write.ts';

type Values = Readonly<Record<string, string | undefined>> | undefined;

/**
 * What the form of tags and custom fields does: it shows all of them, so a field that it says nothing of has no
 * value. In all else it is the update of a company (rule companies 8).
 */
export const editCompanyLabels = writes(
  'companies.labels',
  async (context, { path, body }) => {
    const custom_fields = await everyValue(context, body.custom_fields);
    return recordOf(await changeCompany(context, path.id, { ...body, custom_fields }));
  },
  {
    further: async (context, { part }) => {
      const custom_fields = await everyValue(context, part.custom_fields);
      return companyProblems(context, await context.directory(), { tags: part.tags, custom_fields });
    },
  },
);

/** The values of all fields of the organization by their names; undefined where the form says nothing of them. */
async function everyValue(
  { directory }: Pick<ReadContext, 'directory'>,
  given: Values,
): Promise<Record<string, string | null> | undefined> {
  if (!given) return undefined;
  const { customFields } = await directory();
  const values = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries([
    ...[...customFields.values()].map(({ name }): [string, null] => [name, null]),
    ...values,
  ]);
}
