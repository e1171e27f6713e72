import { type ReadContext, writes } from '../../change/verb/verb.ts';
import { changeCompany, checkChangedCompany } from './write.ts';

type Values = Readonly<Record<string, string | undefined>> | undefined;

/**
 * What the form of tags and custom fields does: it shows all of them, so a field that it says nothing of has no
 * value. In all else it is the update of a company (rule companies 8).
 */
export const editCompanyLabels = writes('companies.labels', {
  async check(context, { path, body: { tags, custom_fields } }) {
    const values = await everyValue(context, custom_fields);
    const found = await checkChangedCompany(context, path.id, { tags, custom_fields: values });
    return { found, values };
  },
  async run(context, { body }, { found, values }) {
    return (await changeCompany(context, found, { ...body, custom_fields: values })).record;
  },
});

/** The values of all fields of the organization by their names; undefined where the form says nothing of them. */
async function everyValue(
  { referenceData }: Pick<ReadContext, 'referenceData'>,
  given: Values,
): Promise<Record<string, string | null> | undefined> {
  if (!given) return undefined;
  const { customFields } = await referenceData();
  const values = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries([
    ...[...customFields.values()].map(({ name }): [string, null] => [name, null]),
    ...values,
  ]);
}
