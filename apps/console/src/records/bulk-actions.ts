import { type EveryOperationId, type FieldFacts, type Permission, type Text, text } from '@dealkeep/contract';
import { isPermitted } from '../auth/permitted.ts';
import type { ConsoleContext } from '../context.ts';
import { tagFields } from './label-fields.ts';
import type { RecordKind } from './record-kind.ts';

/** What can be done with many records of a list at once: the operation on one, asked for once. */
export interface BulkAction {
  /** Last part of its address. */
  readonly name: string;
  readonly label: Text;
  readonly about: Text;
  readonly operation: EveryOperationId;
  readonly permissions: readonly Permission[];
  /** A page asks before, because it needs to know more or cannot be taken back. */
  readonly asks: boolean;
  readonly danger: boolean;
  fields(c: ConsoleContext): Promise<readonly FieldFacts[]>;
}

/** An action of a kind, as its records have it one by one. */
type Declared =
  /** The step of this name on the record's page. */
  | { readonly step: string }
  /** A field of the record's form that is set to the same everywhere. */
  | { readonly sets: string; readonly name: string; readonly label: Text; readonly about: Text }
  | { readonly tags: 'add_tags' | 'remove_tags' };

const assign = (sets: string): Declared => ({
  sets,
  name: 'assign',
  label: text('Assign', 'Prideliť'),
  about: text('Whoever had them before has them no longer.', 'Kto ich mal doteraz, už ich mať nebude.'),
});
const tags: readonly Declared[] = [{ tags: 'add_tags' }, { tags: 'remove_tags' }];

const declaredActions: Readonly<Partial<Record<RecordKind['resource'], readonly Declared[]>>> = {
  company: [assign('owner_id'), ...tags],
  client: [assign('owner_id')],
  lead: [{ step: 'move' }, assign('owner_id'), ...tags, { step: 'archive' }],
  activity: [{ step: 'complete' }, assign('assignee_id')],
  task: [{ step: 'complete' }, assign('assignee_ids'), { step: 'archive' }],
};

const tagWords = {
  add_tags: {
    name: 'tag',
    label: text('Add tags', 'Pridať štítky'),
    about: text('Tags that they have already stay.', 'Štítky, ktoré už majú, zostanú.'),
  },
  remove_tags: {
    name: 'untag',
    label: text('Remove tags', 'Odobrať štítky'),
    about: text('Other tags stay.', 'Ostatné štítky zostanú.'),
  },
} as const;

/** What a user may do with many records of a kind. */
export const bulkActionsOf = (c: ConsoleContext, kind: RecordKind): BulkAction[] =>
  (declaredActions[kind.resource] ?? [])
    .flatMap((declared) => actionOf(kind, declared))
    .filter((action) => isPermitted(c, kind.resource, action));

function actionOf(kind: RecordKind, declared: Declared): BulkAction[] {
  if ('step' in declared) {
    const step = kind.steps.find(({ name }) => name === declared.step);
    if (!step) throw new Error(`${kind.resource} has no step ${declared.step}`);
    return [{ ...step, operation: step.id }];
  }
  const { update } = kind;
  if (!update) return [];
  const operation = `${kind.path.slice(1)}.update` as EveryOperationId;
  const common = { operation, permissions: update.permissions, asks: true, danger: false };
  if ('tags' in declared) {
    const fields = async (c: ConsoleContext) =>
      (await tagFields(c)).map((field) => ({ ...field, name: declared.tags }));
    return [{ ...common, ...tagWords[declared.tags], fields }];
  }
  const { sets, ...words } = declared;
  const fields = update.fields.filter(({ name }) => name === sets);
  return [
    {
      ...common,
      ...words,
      fields: async () => fields.map((field) => ({ ...field, required: true, nullable: false })),
    },
  ];
}
