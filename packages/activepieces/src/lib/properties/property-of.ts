import type { InputProperty, InputPropertyMap } from '@activepieces/pieces-framework';
import { type FormField, inOrder } from '@dealkeep/connectors';
import { customFieldProperties } from './custom-fields.ts';
import { recordDropdown, tagDropdown } from './dropdown.ts';
import { lineItems } from './line-items.ts';
import { plainProperty } from './plain-property.ts';

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
