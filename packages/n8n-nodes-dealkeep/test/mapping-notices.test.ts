import { expect, test } from 'vitest';
import { actionDescription } from '../nodes/shared/generated/action-description.ts';
import { operations } from '../nodes/shared/generated/operations.ts';
import { withMappingNotices } from '../nodes/shared/mapping-notices.ts';
import { fieldsOf } from '../nodes/shared/operations/read-parameters.ts';

test('each operation that maps columns says which ones it takes, right after its mapper', () => {
  const properties = withMappingNotices(actionDescription);
  const notices = properties.filter(({ type }) => type === 'notice');
  for (const [resource, of] of Object.entries(operations)) {
    for (const [name, operation] of Object.entries(of)) {
      const shown = notices.filter(
        ({ displayOptions }) =>
          displayOptions?.show?.['resource']?.includes(resource) &&
          displayOptions.show['operation']?.includes(name),
      );
      expect(shown, `${resource}.${name}`).toHaveLength(operation.mapped ? 1 : 0);
      const told = shown[0]?.displayName ?? '';
      if (operation.mapped)
        expect([...told.matchAll(/<code>(\w+)<\/code>/g)].map(([, column]) => column)).toEqual(
          fieldsOf(operation).map((field) => field.name),
        );
      expect(told.includes('custom fields')).toBe(operation.customFields === true);
    }
  }
  const first = properties.findIndex(({ type }) => type === 'resourceMapper');
  expect(properties[first + 1]?.type).toBe('notice');
});
