import * as z from 'zod';
import { describe } from '../field.ts';
import { ownerOperation } from '../operation.ts';
import {
  type Permission,
  type PermissionReach,
  permissionEntities,
  permissionRights,
} from '../role-permissions.ts';
import * as field from '../scalars.ts';
import { body, exampleRef, idOf } from '../shapes.ts';
import { inLowerCase, type Text, text } from '../text.ts';

/** What the entities of permissions stand for, in plain words. */
export const entityLabels = {
  companies: text('Companies and contacts', 'Firmy a kontakty'),
  clients: text('Clients', 'Klienti'),
  leads: text('Leads', 'Príležitosti'),
  activities: text('Activities', 'Aktivity'),
  tasks: text('Tasks', 'Úlohy'),
  projects: text('Projects', 'Projekty'),
  budget: text('Invoices and quotes', 'Faktúry a cenové ponuky'),
  booking: text('Bookings', 'Rezervácie'),
  orders: text('Orders and products', 'Objednávky a produkty'),
  users: text('People', 'Ľudia'),
} as const satisfies Record<(typeof permissionEntities)[number], Text>;

/** What each right lets users do. */
export const rightLabels = {
  view: text('See', 'Vidieť'),
  create: text('Create', 'Vytvárať'),
  edit: text('Change', 'Meniť'),
} as const satisfies Record<(typeof permissionRights)[number], Text>;

/** Which records a right is about. */
export const reachLabels = {
  assigned: text('Assigned', 'Pridelené'),
  all: text('All', 'Všetky'),
} as const satisfies Record<PermissionReach, Text>;

const permissionFields = permissionEntities.flatMap((entity) =>
  permissionRights.map((right) => {
    const [of, to] = [entityLabels[entity], rightLabels[right]];
    const label = text(`${of.en}: ${inLowerCase(to.en)}`, `${of.sk}: ${inLowerCase(to.sk)}`);
    return [`${entity}.${right}`, field.choice({ label, choices: reachLabels }).optional()] as const;
  }),
);

const permissions = describe(
  z.strictObject(Object.fromEntries(permissionFields) as Record<Permission, (typeof permissionFields)[0][1]>),
  { label: text('Permissions', 'Oprávnenia') },
);

const shape = {
  name: field.name({ label: text('Name', 'Názov'), example: 'Sales', max: 255 }),
  permissions,
};

/** A role: what its members may see, create and change. An absent permission is none. */
export const CreateRole = body('RoleCreate', { label: text('Role', 'Rola') }, shape);

/** A change of a role; an absent field stays, permissions are replaced as a whole. */
export const UpdateRole = body(
  'RoleUpdate',
  { label: text('Role', 'Rola') },
  { name: shape.name.optional(), permissions: shape.permissions.optional() },
);

/** Also while the subscription has lapsed: who may do what is never locked. */
const byOwners = { resource: 'user', method: 'POST', withoutSubscription: true } as const;

export const roleOwnerOperations = {
  'roles.add': ownerOperation({
    ...byOwners,
    id: 'roles.add',
    kind: 'create',
    path: '/settings/roles',
    body: CreateRole,
    answer: z.object({ id: idOf(exampleRef.user) }),
    shape: 'bare',
    errors: [],
    title: text('Make a role', 'Vytvoriť rolu'),
    about: text(
      'It permits what it names; members get it by its name.',
      'Povoľuje to, čo je v nej uvedené; členovia ju dostanú podľa názvu.',
    ),
  }),
  'roles.edit': ownerOperation({
    ...byOwners,
    id: 'roles.edit',
    kind: 'update',
    path: '/settings/roles/{id}',
    body: UpdateRole,
    shape: 'nothing',
    errors: [],
    title: text('Change a role', 'Zmeniť rolu'),
    about: text(
      'Counts from the next request of whoever has it. Permissions are replaced as a whole.',
      'Platí od ďalšej požiadavky každého, kto ju má. Oprávnenia sa nahradia naraz.',
    ),
  }),
  'roles.remove': ownerOperation({
    ...byOwners,
    id: 'roles.remove',
    kind: 'delete',
    path: '/settings/roles/{id}/remove',
    shape: 'nothing',
    errors: ['CONFLICT'],
    destructive: true,
    title: text('Remove a role', 'Odstrániť rolu'),
    about: text(
      'Only while nobody has it or is invited to it.',
      'Len kým ju nikto nemá a nikto do nej nie je pozvaný.',
    ),
  }),
};
