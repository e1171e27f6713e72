import {
  type Answer,
  type FormField,
  formOfRun,
  missesCustomFields,
  namesCustomFields,
  withCustomFields,
} from '@dealkeep/connectors';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import { customFieldsNow, rememberedCustomFields } from '../requests/known-custom-fields.ts';
import type { Run } from '../requests/run.ts';

/** What the API answers when a value cannot be, such as one of a custom field that is called otherwise by now. */
const refused = 422;

/**
 * Sends what a run fills in, with its custom fields under the names that they have. Names that were remembered can be old:
 * when the API refuses them, they are asked for anew and sent once more.
 */
export async function withFormOfRun(
  variant: AuthenticationVariant,
  run: Run,
  form: readonly FormField[],
  send: (fields: readonly FormField[], accept: readonly number[]) => Promise<Answer>,
): Promise<Answer> {
  const { inputData: input } = run.bundle;
  if (!namesCustomFields(form, input)) return send(form, []);
  const remembered = await rememberedCustomFields(variant, run);
  if (remembered && !missesCustomFields(form, remembered, input)) {
    const answer = await send(withCustomFields(form, remembered), [refused]);
    if (answer.status !== refused) return answer;
  }
  return send(formOfRun(form, await customFieldsNow(variant, run), input), []);
}
