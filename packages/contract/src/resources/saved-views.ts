import * as z from 'zod';
import { limits } from '../limits.ts';
import { memberOperation } from '../operation.ts';
import { type RecordName, recordKindNames, records } from '../records.ts';
import * as field from '../scalars.ts';
import { body, exampleRef, idOf, record } from '../shapes.ts';
import { type Text, text } from '../text.ts';

export const savedViewLabel = text('View', 'Pohľad');

const kind = field.choice({
  label: text('List', 'Zoznam'),
  choices: Object.fromEntries(recordKindNames.map((name) => [name, records[name].label])) as Record<
    RecordName,
    Text
  >,
  example: 'lead',
});
const name = field.name({
  label: text('Name', 'Názov'),
  example: 'Large ones, open',
  max: limits.viewNameLength,
});
const query = field.string({
  label: text('Filters', 'Filtre'),
  help: text(
    'The filters and the sort as the address of the list holds them.',
    'Filtre a zoradenie tak, ako sú v adrese zoznamu.',
  ),
  example: 'status=open&owner_id=me&sort=-value',
  max: limits.viewQueryLength,
});
const shared = field.boolean({
  label: text('Share with everybody', 'Zdieľať so všetkými'),
  help: text(
    'Everybody who may see this list finds the view above it. Only you and owners can change it.',
    'Nad zoznamom ho nájde každý, kto zoznam môže vidieť. Meniť ho môžete iba vy a vlastníci.',
  ),
  example: false,
});

/** The filters and the sort of a list under a name. */
export const SavedView = record(
  'SavedView',
  { label: savedViewLabel },
  {
    id: idOf(exampleRef.view),
    kind,
    name,
    query,
    shared,
    own: field.boolean({ label: text('Own', 'Vlastný'), example: true }),
    made_by: field.string({ label: text('Made by', 'Vytvoril'), example: exampleRef.user.name }),
  },
);

export const SaveView = body(
  'SavedViewCreate',
  { label: savedViewLabel },
  { kind, name, query, shared: shared.default(false) },
);

/** An absent field stays. */
export const UpdateView = body(
  'SavedViewUpdate',
  { label: savedViewLabel },
  { name: name.optional(), query: query.optional(), shared: shared.optional() },
);

const common = { resource: 'view', errors: [] } as const;

export const savedViewOperations = {
  'views.list': memberOperation({
    ...common,
    id: 'views.list',
    kind: 'list',
    method: 'GET',
    path: '/views',
    query: z.strictObject({ kind }),
    answer: z.array(SavedView),
    shape: 'bare',
    title: text('List the views of a list', 'Zobraziť pohľady zoznamu'),
    about: text('One’s own, and those that are shared.', 'Vlastné a zdieľané.'),
  }),
  'views.save': memberOperation({
    ...common,
    id: 'views.save',
    kind: 'create',
    method: 'POST',
    path: '/views/new',
    body: SaveView,
    answer: z.object({ id: idOf(exampleRef.view) }),
    shape: 'bare',
    errors: ['CONFLICT'],
    title: text('Save a view', 'Uložiť pohľad'),
    about: text(
      'Keeps the filters and the sort of a list under a name.',
      'Zapamätá si filtre a zoradenie zoznamu pod názvom.',
    ),
  }),
  'views.edit': memberOperation({
    ...common,
    id: 'views.edit',
    kind: 'update',
    method: 'POST',
    path: '/views/{id}/edit',
    body: UpdateView,
    shape: 'nothing',
    errors: ['CONFLICT'],
    title: text('Change a view', 'Zmeniť pohľad'),
    about: text(
      'Whoever made a view changes it; owners change what is shared, too.',
      'Pohľad mení ten, kto ho vytvoril; zdieľané aj vlastníci.',
    ),
  }),
  'views.remove': memberOperation({
    ...common,
    id: 'views.remove',
    kind: 'delete',
    method: 'POST',
    path: '/views/{id}/remove',
    shape: 'nothing',
    title: text('Remove a view', 'Odstrániť pohľad'),
    about: text('The records that it showed stay as they are.', 'Záznamy, ktoré zobrazoval, zostanú.'),
    destructive: true,
  }),
};
