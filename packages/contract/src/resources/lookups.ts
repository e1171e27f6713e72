import * as z from 'zod';
import { describe, descriptionOf } from '../field.ts';
import { listQuery, search } from '../list-query.ts';
import { type OperationDeclaration, operation } from '../operation.ts';
import type { Permission } from '../role-permissions.ts';
import * as field from '../scalars.ts';
import type { Scope } from '../scopes.ts';
import { exampleRef, idOf, record, ref } from '../shapes.ts';
import { type Text, text } from '../text.ts';

const name = (example: string) => field.string({ label: text('Name', 'Názov'), example });
const color = field.string({ label: text('Color', 'Farba'), example: '#2f7a5b' });

/** A stage as it stands inside pipelines and leads. */
const stageShape = {
  id: describe(z.uuid(), {
    label: text('Stage ID', 'Fáza – ID'),
    example: exampleRef.stage.id,
  }),
  name: describe(z.string(), { label: text('Stage Name', 'Fáza – názov'), example: exampleRef.stage.name }),
};
const stageState = {
  kind: field.choice({
    label: text('Stage Kind', 'Druh fázy'),
    choices: { open: text('Open', 'Otvorená'), won: text('Won', 'Vyhratá'), lost: text('Lost', 'Prehratá') },
    example: 'open',
  }),
  probability: field.integer({
    label: text('Stage Probability', 'Pravdepodobnosť fázy'),
    help: text('Chance to win, in percent.', 'Šanca na výhru v percentách.'),
    max: 100,
    example: 60,
  }),
};
export const StageItem = record(
  'LeadStage',
  { label: text('Stage', 'Fáza') },
  { ...stageShape, ...stageState },
);
export const PipelineStage = record(
  'PipelineStage',
  { label: text('Stage', 'Fáza') },
  {
    ...stageShape,
    color: color.nullable(),
    ...stageState,
  },
);

export const UserItem = record(
  'UserItem',
  { label: text('User', 'Používateľ') },
  {
    id: idOf(exampleRef.user),
    name: name(exampleRef.user.name),
    email: describe(z.string(), { label: text('Email', 'E-mail'), example: 'jana@dealkeep.example' }),
  },
);
export const PipelineItem = record(
  'PipelineItem',
  { label: text('Pipeline', 'Pipeline') },
  {
    id: idOf(exampleRef.pipeline),
    name: name(exampleRef.pipeline.name),
    is_default: field.boolean({ label: text('Default', 'Predvolená'), example: true }),
    require_lost_reason: field.boolean({
      label: text('Lost Reason Required', 'Vyžaduje dôvod straty'),
      example: false,
    }),
    stages: field.list(PipelineStage, { label: text('Stages', 'Fázy') }),
  },
);
export const LeadOriginItem = record(
  'LeadOriginItem',
  { label: text('Lead Origin', 'Zdroj príležitosti') },
  {
    id: idOf(exampleRef.origin),
    name: name(exampleRef.origin.name),
  },
);
export const LostReasonItem = record(
  'LostReasonItem',
  { label: text('Lost Reason', 'Dôvod straty') },
  {
    id: idOf(exampleRef.lostReason),
    name: name(exampleRef.lostReason.name),
  },
);
export const TagItem = record(
  'TagItem',
  { label: text('Tag', 'Štítok') },
  {
    id: idOf(exampleRef.tag),
    name: name(exampleRef.tag.name),
    color: color.nullable(),
  },
);
const customFieldKind = field.choice({
  label: text('Kind', 'Druh'),
  help: text('What the value is.', 'Čo je hodnotou.'),
  choices: {
    text: text('Text', 'Text'),
    number: text('Number', 'Číslo'),
    date: text('Date', 'Dátum'),
    checkbox: text('Checkbox', 'Zaškrtávacie pole'),
    choice: text('Choice', 'Výber'),
  },
  example: 'choice',
});
const customFieldChoice = field.string({ label: text('Choice', 'Voľba'), example: 'Retail' });

export const CustomFieldItem = record(
  'CustomFieldItem',
  { label: text('Custom Field', 'Vlastné pole') },
  {
    id: idOf(exampleRef.customField),
    name: name(exampleRef.customField.name),
    description: field
      .string({ label: text('Description', 'Opis'), example: 'Market of the company' })
      .nullable(),
    required: field.boolean({ label: text('Required', 'Povinné'), example: false }),
    type: field.choice({
      label: text('Type', 'Typ'),
      help: text(
        'How the value is written; that of a choice is a text.',
        'Ako sa hodnota zapisuje; hodnota výberu je text.',
      ),
      choices: {
        text: text('Text', 'Text'),
        number: text('Number', 'Číslo'),
        date: text('Date', 'Dátum'),
        checkbox: text('Checkbox', 'Zaškrtávacie pole'),
      },
      example: 'text',
    }),
    kind: customFieldKind,
    choices: field.list(customFieldChoice, {
      label: text('Choices', 'Voľby'),
      help: text('Of a choice: the values that it takes.', 'Pri výbere: hodnoty, ktoré prijíma.'),
      example: ['Retail', 'Wholesale'],
    }),
    group: ref(text('Group', 'Skupina'), exampleRef.customFieldGroup).nullable(),
  },
);

const namedItem = (component: string, label: Text, example: { readonly id: string; readonly name: string }) =>
  record(component, { label }, { id: idOf(example), name: name(example.name) });

export const ActivityTypeItem = namedItem(
  'ActivityTypeItem',
  text('Activity Type', 'Typ aktivity'),
  exampleRef.activityType,
);
export const ProjectItem = record(
  'ProjectItem',
  { label: text('Project', 'Projekt') },
  {
    id: idOf(exampleRef.project),
    name: name(exampleRef.project.name),
    status: field.string({ label: text('Status', 'Stav'), example: 'active' }),
    stages: field.list(
      record(
        'ProjectStage',
        { label: text('Project Stage', 'Fáza projektu') },
        {
          id: describe(z.uuid(), {
            label: text('Stage ID', 'Fáza – ID'),
            example: exampleRef.projectStage.id,
          }),
          name: describe(z.string(), {
            label: text('Stage Name', 'Fáza – názov'),
            example: exampleRef.projectStage.name,
          }),
          category: describe(z.string(), {
            label: text('Stage Category', 'Kategória fázy'),
            example: 'in_progress',
          }),
        },
      ),
      { label: text('Stages', 'Fázy') },
    ),
  },
);
export const BookingServiceItem = record(
  'BookingServiceItem',
  { label: text('Booking Service', 'Rezervovateľná služba') },
  {
    id: idOf(exampleRef.service),
    name: name(exampleRef.service.name),
    duration_minutes: field.integer({
      label: text('Duration in Minutes', 'Trvanie v minútach'),
      example: 60,
    }),
    price: field.amount({ label: text('Price', 'Cena'), example: 45 }).nullable(),
    currency: field.keptCurrency({ label: text('Currency', 'Mena'), example: 'EUR' }),
  },
);
export const BookingStaffItem = record(
  'BookingStaffItem',
  { label: text('Staff Member', 'Pracovník') },
  {
    id: idOf(exampleRef.staff),
    name: name(exampleRef.staff.name),
    email: describe(z.string(), {
      label: text('Email', 'E-mail'),
      example: 'marek@dealkeep.example',
    }).nullable(),
  },
);

export const ProductCategoryItem = record(
  'ProductCategoryItem',
  { label: text('Product Category', 'Kategória produktov') },
  {
    id: describe(z.uuid(), {
      label: text('ID', 'ID'),
      help: text('The category_uuid of its products.', 'category_uuid jej produktov.'),
      example: exampleRef.productCategory.id,
    }),
    name: describe(z.string(), {
      label: text('Name', 'Názov'),
      help: text(
        'The first three of its products, and how many more there are: a category has no name of its own.',
        'Prvé tri z jej produktov a počet ďalších: kategória nemá vlastný názov.',
      ),
      example: 'City bike 28", Helmet, Lock +4',
    }),
    product_count: field.integer({ label: text('Product Count', 'Počet produktov'), example: 7 }),
  },
);

/** A read-only list with `q`, and sorting by name. */
function lookup<
  const Id extends string,
  const Path extends string,
  Item extends z.ZodObject<{ name: z.ZodString }>,
  Filters extends z.core.$ZodLooseShape,
>(
  declaration: {
    id: Id;
    resource: string;
    path: Path;
    scope: Scope;
    permissions?: readonly Permission[];
    item: Item;
    title: Text;
    about: Text;
    searches?: Text;
  },
  filters: Filters,
) {
  const searched = declaration.searches ?? text('Part of the name.', 'Časť názvu.');
  return operation({
    id: declaration.id,
    resource: declaration.resource,
    kind: 'list',
    method: 'GET',
    path: declaration.path,
    scope: declaration.scope,
    ...(declaration.permissions ? { permissions: declaration.permissions } : {}),
    query: listQuery(
      { q: search(searched, String(descriptionOf(declaration.item.shape.name)?.example)), ...filters },
      ['name'],
    ),
    answer: declaration.item,
    shape: 'list',
    statuses: [200],
    errors: [],
    title: declaration.title,
    about: declaration.about,
  } satisfies Omit<OperationDeclaration, 'audience'>);
}

const lists = {
  'users.list': lookup(
    {
      id: 'users.list',
      resource: 'user',
      path: '/users',
      scope: 'users:read',
      item: UserItem,
      title: text('List users', 'Zoznam používateľov'),
      about: text('Active people of the organization.', 'Aktívni ľudia organizácie.'),
      searches: text('Part of the name or e-mail.', 'Časť mena alebo e-mailu.'),
    },
    { email: field.email({ label: text('Email', 'E-mail'), example: 'jana@dealkeep.example' }).optional() },
  ),
  'pipelines.list': lookup(
    {
      id: 'pipelines.list',
      resource: 'pipeline',
      path: '/pipelines',
      scope: 'leads:read',
      item: PipelineItem,
      title: text('List pipelines', 'Zoznam pipeline'),
      about: text('Pipelines with their stages in order.', 'Pipeline s fázami v poradí.'),
    },
    {},
  ),
  'lead-origins.list': lookup(
    {
      id: 'lead-origins.list',
      resource: 'lead-origin',
      path: '/lead-origins',
      scope: 'leads:read',
      item: LeadOriginItem,
      title: text('List lead origins', 'Zoznam zdrojov príležitostí'),
      about: text('Where leads come from.', 'Odkiaľ príležitosti prichádzajú.'),
    },
    {},
  ),
  'lost-reasons.list': lookup(
    {
      id: 'lost-reasons.list',
      resource: 'lost-reason',
      path: '/lost-reasons',
      scope: 'leads:read',
      item: LostReasonItem,
      title: text('List lost reasons', 'Zoznam dôvodov straty'),
      about: text('Why leads are lost.', 'Prečo sa príležitosti strácajú.'),
    },
    {},
  ),
  'tags.list': lookup(
    {
      id: 'tags.list',
      resource: 'tag',
      path: '/tags',
      scope: 'companies:read',
      item: TagItem,
      title: text('List tags', 'Zoznam štítkov'),
      about: text('Tags of companies and leads.', 'Štítky firiem a príležitostí.'),
    },
    {},
  ),
  'custom-fields.list': lookup(
    {
      id: 'custom-fields.list',
      resource: 'custom-field',
      path: '/custom-fields',
      scope: 'companies:read',
      item: CustomFieldItem,
      title: text('List custom fields', 'Zoznam vlastných polí'),
      about: text('Custom fields of companies.', 'Vlastné polia firiem.'),
    },
    {},
  ),
  'activity-types.list': lookup(
    {
      id: 'activity-types.list',
      resource: 'activity-type',
      path: '/activity-types',
      scope: 'activities:read',
      item: ActivityTypeItem,
      title: text('List activity types', 'Zoznam typov aktivít'),
      about: text('Kinds of activities.', 'Druhy aktivít.'),
    },
    {},
  ),
  'projects.list': lookup(
    {
      id: 'projects.list',
      resource: 'project',
      path: '/projects',
      scope: 'tasks:read',
      permissions: ['projects.view'],
      item: ProjectItem,
      title: text('List projects', 'Zoznam projektov'),
      about: text('Projects with their stages in order.', 'Projekty s fázami v poradí.'),
    },
    {},
  ),
  'product-categories.list': lookup(
    {
      id: 'product-categories.list',
      resource: 'product-category',
      path: '/products/categories',
      scope: 'products:read',
      item: ProductCategoryItem,
      title: text('List product categories', 'Zoznam kategórií produktov'),
      about: text('Categories that products have.', 'Kategórie, ktoré produkty majú.'),
      searches: text('Part of the name of one of its products.', 'Časť názvu niektorého z jej produktov.'),
    },
    {},
  ),
  'booking-services.list': lookup(
    {
      id: 'booking-services.list',
      resource: 'booking-service',
      path: '/booking-services',
      scope: 'bookings:read',
      item: BookingServiceItem,
      title: text('List booking services', 'Zoznam rezervovateľných služieb'),
      about: text('What can be booked.', 'Čo sa dá rezervovať.'),
    },
    {},
  ),
  'booking-staff.list': lookup(
    {
      id: 'booking-staff.list',
      resource: 'booking-staff',
      path: '/booking-staff',
      scope: 'bookings:read',
      item: BookingStaffItem,
      title: text('List booking staff', 'Zoznam pracovníkov'),
      about: text('Who can be booked.', 'Koho možno rezervovať.'),
    },
    {},
  ),
};

/** What a GET of one entry declares beside what the list of them does. */
interface One<Id extends string> {
  readonly id: Id;
  readonly title: Text;
  readonly about: Text;
}

/** One entry of a list to choose from, by its id. */
function one<
  const Id extends string,
  const Path extends string,
  Item extends z.ZodObject,
  const Resource extends string,
>(
  list: {
    readonly resource: Resource;
    readonly path: Path;
    readonly scope: Scope;
    readonly permissions?: readonly Permission[];
    readonly answer: Item;
  },
  { id, title, about }: One<Id>,
) {
  const path: `${Path}/{id}` = `${list.path}/{id}`;
  return operation({
    id,
    resource: list.resource,
    kind: 'get',
    method: 'GET',
    path,
    scope: list.scope,
    ...(list.permissions ? { permissions: list.permissions } : {}),
    answer: list.answer,
    shape: 'record',
    statuses: [200],
    errors: [],
    title,
    about,
  } satisfies Omit<OperationDeclaration, 'audience'>);
}

/**
 * Of lists whose entries are archived: records keep them, so they can be read though nothing else can be given them.
 */
const kept = (en: string, sk: string) =>
  text(
    `${en}, also one that records keep but the list no longer has.`,
    `${sk}, aj keď už nie je v zozname a majú ju len staršie záznamy.`,
  );

const gets = {
  'users.get': one(lists['users.list'], {
    id: 'users.get',
    title: text('Get a user', 'Zobraziť používateľa'),
    about: text(
      'One person of the organization, also one who has left it.',
      'Jeden človek organizácie, aj keď ju už opustil.',
    ),
  }),
  'pipelines.get': one(lists['pipelines.list'], {
    id: 'pipelines.get',
    title: text('Get a pipeline', 'Zobraziť pipeline'),
    about: text('One pipeline with its stages in order.', 'Jedna pipeline s fázami v poradí.'),
  }),
  'lead-origins.get': one(lists['lead-origins.list'], {
    id: 'lead-origins.get',
    title: text('Get a lead origin', 'Zobraziť zdroj príležitostí'),
    about: kept('One lead origin', 'Jedna položka zdrojov príležitostí'),
  }),
  'lost-reasons.get': one(lists['lost-reasons.list'], {
    id: 'lost-reasons.get',
    title: text('Get a lost reason', 'Zobraziť dôvod straty'),
    about: kept('One lost reason', 'Jedna položka dôvodov straty'),
  }),
  'tags.get': one(lists['tags.list'], {
    id: 'tags.get',
    title: text('Get a tag', 'Zobraziť štítok'),
    about: text('One tag.', 'Jeden štítok.'),
  }),
  'custom-fields.get': one(lists['custom-fields.list'], {
    id: 'custom-fields.get',
    title: text('Get a custom field', 'Zobraziť vlastné pole'),
    about: text('One custom field of companies.', 'Jedno vlastné pole firiem.'),
  }),
  'activity-types.get': one(lists['activity-types.list'], {
    id: 'activity-types.get',
    title: text('Get an activity type', 'Zobraziť typ aktivity'),
    about: kept('One activity type', 'Jedna položka typov aktivít'),
  }),
  'projects.get': one(lists['projects.list'], {
    id: 'projects.get',
    title: text('Get a project', 'Zobraziť projekt'),
    about: kept('One project with its stages in order', 'Jedna položka projektov s fázami v poradí'),
  }),
  'product-categories.get': one(lists['product-categories.list'], {
    id: 'product-categories.get',
    title: text('Get a product category', 'Zobraziť kategóriu produktov'),
    about: text('One category that products have.', 'Jedna kategória, ktorú produkty majú.'),
  }),
  'booking-services.get': one(lists['booking-services.list'], {
    id: 'booking-services.get',
    title: text('Get a booking service', 'Zobraziť rezervovateľnú službu'),
    about: kept('One booking service', 'Jedna rezervovateľná služba'),
  }),
  'booking-staff.get': one(lists['booking-staff.list'], {
    id: 'booking-staff.get',
    title: text('Get a staff member', 'Zobraziť pracovníka'),
    about: kept('One staff member', 'Jedna položka pracovníkov'),
  }),
};

export const lookupOperations = { ...lists, ...gets };
