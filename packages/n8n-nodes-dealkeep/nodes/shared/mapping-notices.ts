import type { INodeProperties } from 'n8n-workflow';
import { operations } from './generated/operations.ts';
import { fieldsOf } from './operations/read-parameters.ts';

/**
 * The parameters with a notice after each mapper: which columns of the input it takes when it maps them
 * automatically. n8n itself says no more than that their names must be those of the fields.
 */
export const withMappingNotices = (properties: readonly INodeProperties[]): INodeProperties[] =>
  properties.flatMap((property) =>
    property.type === 'resourceMapper' ? [property, ...noticesOf(property)] : [property],
  );

const noticesOf = ({ displayOptions }: INodeProperties): INodeProperties[] => {
  const shown = displayOptions?.show ?? {};
  return (shown['operation'] ?? []).flatMap((name) => {
    const operation = operations[String(shown['resource']?.[0])]?.[String(name)];
    if (!operation) return [];
    const columns = fieldsOf(operation).map((field) => `<code>${field.name}</code>`);
    const own = operation.customFields ? ', and custom fields by their names' : '';
    return {
      displayName: `These columns are taken, by these names or as the form calls them: ${columns.join(', ')}${own}.`,
      name: `${String(name)}Columns`,
      type: 'notice',
      default: '',
      displayOptions: {
        show: { ...shown, operation: [name], '/mapping.mappingMode': ['autoMapInputData'] },
      },
    } satisfies INodeProperties;
  });
};
