import {
  type ArraySubProps,
  type InputProperty,
  type InputPropertyMap,
  Property,
} from '@activepieces/pieces-framework';
import { type FormField, inOrder } from '@dealkeep/connectors';
import { dealkeepAuth } from '../auth.ts';
import { apiOf } from '../requests/api.ts';
import { withChoices } from './choices.ts';
import { customFieldProperties } from './custom-fields.ts';
import { recordDropdown, tagDropdown } from './dropdown.ts';
import { isOpened } from './input.ts';
import { describedBy, plainProperty } from './plain-property.ts';

/** The lines of an invoice or an order, each with fields of its own. */
function lineItems(field: FormField, children: readonly FormField[]): InputProperty {
  return isOpened(field)
    ? linesWithChoices(field, children)
    : Property.Array({ ...describedBy(field), properties: linesOf(children) });
}

/** A line cannot ask what can be chosen in it, so the lines as a whole do. */
const linesWithChoices = (field: FormField, children: readonly FormField[]) =>
  Property.DynamicProperties({
    auth: dealkeepAuth,
    displayName: field.label,
    required: field.required,
    refreshers: [],
    props: async ({ auth }) => {
      if (!auth) return {};
      const api = apiOf(auth.props);
      const chosen = await Promise.all(children.map((child) => withChoices(api, child)));
      return { [field.key]: Property.Array({ ...describedBy(field), properties: linesOf(chosen) }) };
    },
  });

const linesOf = (children: readonly FormField[]): ArraySubProps<boolean> =>
  Object.fromEntries(children.map((child) => [child.key, columnOf(child)]));

function columnOf(child: FormField): ArraySubProps<boolean>[string] {
  const property = plainProperty(child);
  if ('properties' in property || property.type === 'ARRAY')
    throw new Error(`${child.key} is a list of its own.`);
  return property;
}

/** The fields of a form as the platform's properties, by their keys. */
export const propertiesOf = (fields: readonly FormField[]): InputPropertyMap =>
  Object.fromEntries(inOrder(fields).map((field) => [field.key, propertyOf(field)]));

function propertyOf(field: FormField): InputProperty {
  if (field.keysOf) return customFieldProperties(field);
  if (field.children) return lineItems(field, field.children);
  if (field.reference) return recordDropdown(field, field.reference);
  if (field.nameOf) return tagDropdown(field, field.nameOf);
  return plainProperty(field);
}
