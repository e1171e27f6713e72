import type {
  FieldType,
  ILoadOptionsFunctions,
  ResourceMapperField,
  ResourceMapperFields,
} from 'n8n-workflow';
import { operations } from '../generated/operations.ts';
import { nodeError } from '../node-error.ts';
import { type CustomField, Organization } from '../parameters/organization.ts';
import { editorPatience } from '../transport/patience.ts';
import { DealkeepApi } from '../transport/request.ts';

/**
 * What the mapper asks for itself: the organization's custom fields where the chosen operation takes them. All other
 * fields stand in the form beside it, with their dropdowns.
 */
async function getFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
  const resource = String(this.getCurrentNodeParameter('resource'));
  const operation = operations[resource]?.[String(this.getCurrentNodeParameter('operation'))];
  if (!operation?.customFields) return { fields: [] };
  try {
    const organization = Organization.of(new DealkeepApi(this, editorPatience));
    const fields = (await organization.customFields()).map(mapperField);
    return { fields: fields.length > 0 ? fields : [noFields] };
  } catch (error) {
    throw nodeError(this.getNode(), error);
  }
}

/** Stands for none at all, which the editor would take for a failure. */
const noFields: ResourceMapperField = {
  id: 'none',
  displayName: 'No custom fields',
  required: false,
  removed: true,
  defaultMatch: false,
  display: false,
};

/** Methods that fill the mapper. */
export const mappingMethods = { getFields };

const types: Readonly<Partial<Record<CustomField['kind'], FieldType>>> = {
  number: 'number',
  date: 'dateTime',
  boolean: 'boolean',
};

function mapperField({ name, kind, choices }: CustomField): ResourceMapperField {
  const options = choices.map((choice) => ({ name: choice, value: choice }));
  return {
    id: name,
    displayName: name,
    type: options.length > 0 ? 'options' : (types[kind] ?? 'string'),
    ...(options.length > 0 ? { options } : {}),
    // The API asks for none, so a person adds those that are to be filled in.
    required: false,
    removed: true,
    defaultMatch: false,
    canBeUsedToMatch: false,
    display: true,
  };
}
