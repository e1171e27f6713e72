import type { EventDeclaration } from '../event.ts';
import { sampleMoment } from '../event.ts';
import { listQuery, search } from '../list-query.ts';
import { operation } from '../operation.ts';
import type { RecordDeclaration } from '../resource.ts';
import * as field from '../scalars.ts';
import { appUrlOf, body, createdAt, exampleRef, idOf, record, ref, updatedAt } from '../shapes.ts';
import { text } from '../text.ts';

const example = { id: '01985f6e-2c41-7b1d-8f52-a6c9e0d37b14' };

const texts = { company: text('Company', 'Firma'), owner: text('Owner', 'Vlastník') };
const name = field.name({ label: text('Name', 'Názov'), example: 'Delivery van', max: 255 });
const plate = field.name({ label: text('Plate', 'EČV'), example: 'KE123AB', max: 20 });
const fuel = field.choice({
  label: text('Fuel', 'Palivo'),
  choices: {
    petrol: text('Petrol', 'Benzín'),
    diesel: text('Diesel', 'Nafta'),
    electric: text('Electric', 'Elektrina'),
  },
  example: 'diesel',
});
const inspectedOn = field.date({ label: text('Inspected On', 'Dátum kontroly'), example: '2026-09-01' });
const mileage = field.integer({ label: text('Mileage', 'Najazdené'), example: 84000 });
const companyId = field.reference('company', { label: texts.company });
const ownerId = field.reference('user', { label: texts.owner });
const status = field.choice({
  label: text('Status', 'Stav'),
  choices: { active: text('Active', 'V prevádzke'), retired: text('Retired', 'Vyradené') },
  example: 'active',
});

const label = text('Vehicle', 'Vozidlo');

const Vehicle = record(
  'Vehicle',
  { label },
  {
    id: idOf(example),
    name,
    plate: plate.nullable(),
    status,
    fuel: fuel.nullable(),
    inspected_on: inspectedOn.nullable(),
    mileage: mileage.nullable(),
    company: ref(texts.company, exampleRef.company).nullable(),
    owner: ref(texts.owner, exampleRef.user).nullable(),
    retired_at: field
      .dateTime({ label: text('Retired At', 'Vyradené dňa'), example: '2026-10-01T13:05:09.480Z' })
      .nullable(),
    created_at: createdAt,
    updated_at: updatedAt,
    app_url: appUrlOf('vehicles', example),
  },
);

const written = {
  plate: plate.nullish(),
  fuel: fuel.nullish(),
  inspected_on: inspectedOn.nullish(),
  mileage: mileage.nullish(),
  company_id: companyId.nullish(),
  owner_id: ownerId.nullish(),
};

const common = { resource: 'vehicle', answer: Vehicle } as const;
const read = { ...common, method: 'GET', scope: 'companies:read', statuses: [200], errors: [] } as const;
const write = { ...common, scope: 'companies:write', shape: 'record' } as const;

const operations = {
  'vehicles.list': operation({
    ...read,
    id: 'vehicles.list',
    kind: 'list',
    path: '/vehicles',
    query: listQuery({
      q: search(text('Part of the name or of the plate.', 'Časť názvu alebo EČV.'), 'van'),
      status: status.optional(),
      company_id: companyId.optional(),
      owner_id: ownerId.optional(),
    }),
    shape: 'list',
    title: text('List vehicles', 'Zoznam vozidiel'),
    about: text('Vehicles of the organization, page by page.', 'Vozidlá organizácie po stránkach.'),
  }),
  'vehicles.create': operation({
    ...write,
    id: 'vehicles.create',
    kind: 'create',
    method: 'POST',
    path: '/vehicles',
    body: body('VehicleCreate', { label }, { name, ...written }),
    statuses: [201],
    errors: [],
    emits: ['vehicle.created'],
    title: text('Create a vehicle', 'Vytvoriť vozidlo'),
    about: text('Adds a vehicle, which is in use.', 'Pridá vozidlo, ktoré je v prevádzke.'),
    instruction: 'Add a vehicle, which is in use.',
  }),
  'vehicles.get': operation({
    ...read,
    id: 'vehicles.get',
    kind: 'get',
    path: '/vehicles/{id}',
    shape: 'record',
    title: text('Get a vehicle', 'Zobraziť vozidlo'),
    about: text('One vehicle.', 'Jedno vozidlo.'),
  }),
  'vehicles.update': operation({
    ...write,
    id: 'vehicles.update',
    kind: 'update',
    method: 'PATCH',
    path: '/vehicles/{id}',
    body: body('VehicleUpdate', { label }, { name: name.optional(), ...written }),
    statuses: [200],
    errors: [],
    emits: ['vehicle.updated'],
    title: text('Update a vehicle', 'Upraviť vozidlo'),
    about: text(
      'Changes the fields that are sent; null clears a field.',
      'Zmení poslané polia; null pole vyprázdni.',
    ),
  }),
  'vehicles.retire': operation({
    ...write,
    id: 'vehicles.retire',
    kind: 'action',
    method: 'POST',
    path: '/vehicles/{id}/retire',
    statuses: [200],
    errors: [],
    emits: ['vehicle.retired'],
    title: text('Retire a vehicle', 'Vyradiť vozidlo'),
    about: text(
      'Takes a vehicle out of use; a retired one stays as it is.',
      'Vyradí vozidlo z prevádzky; vyradené ostane.',
    ),
    instruction: 'Take a vehicle out of use. A retired one stays as it is.',
    step: { label: text('Retire', 'Vyradiť'), asks: false },
  }),
};

const told = {
  entity: 'vehicle',
  scope: 'companies:read',
  filters: { owner_id: 'owner.id', status: 'status' },
} as const;

const events = {
  'vehicle.created': {
    ...told,
    category: 'created',
    label: text('Vehicle created', 'Vozidlo vytvorené'),
    description: text('A vehicle was created.', 'Bolo vytvorené vozidlo.'),
  },
  'vehicle.updated': {
    ...told,
    category: 'updated',
    namedBeside: ['status', 'retired_at'],
    label: text('Vehicle updated', 'Vozidlo zmenené'),
    description: text('Fields of a vehicle were changed.', 'Zmenili sa polia vozidla.'),
  },
  'vehicle.retired': {
    ...told,
    category: 'status',
    leaves: { status: 'retired' },
    label: text('Vehicle retired', 'Vozidlo vyradené'),
    description: text('A vehicle was retired.', 'Vozidlo bolo vyradené.'),
    sample: { status: 'retired', retired_at: sampleMoment },
  },
} as const satisfies Record<string, EventDeclaration>;

export const vehicle = {
  label,
  plural: text('Vehicles', 'Vozidlá'),
  schema: Vehicle,
  kind: 'record',
  brief: ['id', 'name', 'plate', 'status', 'company', 'owner', 'app_url'],
  collection: 'vehicles',
  example,
  reference: { list: 'vehicles.list', get: 'vehicles.get', apart: ['plate'] },
  scope: 'companies:read',
  permission: 'companies.view',
  toolSet: 'sales',
  operations,
  events,
  calm: { retired_at: null },
} as const satisfies RecordDeclaration;
