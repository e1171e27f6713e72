import * as z from 'zod';
import { describe, type FieldDescription } from './field.ts';
import { limits } from './limits.ts';
import * as field from './scalars.ts';
import { type Text, text } from './text.ts';

/** The records that examples show and refer to: one id is one record, everywhere, and a name is its own. */
export const exampleRef = {
  organization: { id: '01985f6e-2c41-7001-8a2b-3c4d5e6f7081', name: 'Tatra Studio s.r.o.' },
  key: { id: '01985f6e-2c41-7a6d-92c8-0e5b71f4d3a9', name: 'Zapier' },
  user: { id: '01985f6e-2c41-7a10-8c3e-1b5a9d40c2f7', name: 'Jana Horváthová' },
  company: { id: '01985f6e-2c41-7f21-a6d4-93b07c5e8812', name: 'Tatra Bikes s.r.o.' },
  contact: { id: '01985f6e-2c41-7b66-8f09-d2c1a4e37590', name: 'Peter Novák' },
  client: { id: '01985f6e-2c41-7e08-b1a7-5c9f20d6e344', name: 'Tatra Bikes s.r.o.' },
  lead: { id: '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63', name: 'Fleet of 20 city bikes' },
  activity: { id: '01985f6e-2c41-7834-b6e1-f29c05d7a4b8' },
  task: { id: '01985f6e-2c41-7b0f-9a47-83d1e6c52f70' },
  invoice: { id: '01985f6e-2c41-7124-9d83-b6f0e57c2a49' },
  quote: { id: '01985f6e-2c41-7467-8e2d-5fa0b9c31e86' },
  booking: { id: '01985f6e-2c41-7cd2-a015-e74b3896fd2c' },
  order: { id: '01985f6e-2c41-75ab-b93e-16d8f0a47c25' },
  orderItem: { id: '01985f6e-2c41-76f8-8c50-da29b7e4136f' },
  product: { id: '01985f6e-2c41-7f95-82c7-d41b6e0a3f58' },
  productCategory: { id: '01985f6e-2c41-7ed6-a05b-72f8c4193be0' },
  pipeline: { id: '01985f6e-2c41-7990-a4fe-60d8b21c7e35', name: 'Sales' },
  stage: { id: '01985f6e-2c41-7c1d-b0e9-8437fd2a6051', name: 'Proposal sent' },
  wonStage: { id: '01985f6e-2c41-7c2e-96d4-a15b08e3f7c9', name: 'Won' },
  lostStage: { id: '01985f6e-2c41-7c3f-8b71-0d6ae942c5f8', name: 'Lost' },
  origin: { id: '01985f6e-2c41-74c5-9d12-ae7036b8f150', name: 'Web form' },
  lostReason: { id: '01985f6e-2c41-7d7b-87c0-f3a91e5b0642', name: 'Price' },
  activityType: { id: '01985f6e-2c41-7e4b-93d6-70c1a2f8b5e9', name: 'Meeting' },
  tag: { id: '01985f6e-2c41-7a83-b4f0-2c97e61d580b', name: 'VIP' },
  customField: { id: '01985f6e-2c41-7b9e-8d16-f0a4c7325e8d', name: 'Segment' },
  customFieldGroup: { id: '01985f6e-2c41-7088-9c34-e5d1f7a20b96', name: 'Marketing' },
  project: { id: '01985f6e-2c41-75d0-a8c4-19e6f3b27d80', name: 'Spring campaign' },
  projectStage: { id: '01985f6e-2c41-7399-8b2f-c70d54e1a6f3', name: 'In progress' },
  service: { id: '01985f6e-2c41-7ab3-8d15-e2f46c0b97a1', name: 'Bike fitting' },
  staff: { id: '01985f6e-2c41-7c57-9e60-5b18d3a7f4c2', name: 'Marek Urban' },
  view: { id: '01985f6e-2c41-7f4d-a1b6-60e8c39d7b25' },
  hook: { id: '01985f6e-2c41-70e7-ab3c-94f81d26c05a' },
} as const;

/** The id of a record. Its texts stand here once. */
export const idOf = ({ id }: { readonly id: string }) =>
  field.uuid({
    label: text('ID', 'ID'),
    help: text('Stable identifier of the record.', 'Trvalý identifikátor záznamu.'),
    example: id,
  });
/** The same for orders and products, which call it uuid. */
export const uuidOf = ({ id }: { readonly id: string }) =>
  field.uuid({
    label: text('UUID', 'UUID'),
    help: text('Stable identifier of the record.', 'Trvalý identifikátor záznamu.'),
    example: id,
  });
export const createdAt = field.dateTime({
  label: text('Created At', 'Vytvorené'),
  example: '2026-09-14T08:21:45.120Z',
});
export const updatedAt = field.dateTime({
  label: text('Updated At', 'Zmenené'),
  example: '2026-10-01T13:05:09.480Z',
});
/** @param path where the web application shows such records: `companies` */
export const appUrlOf = (path: string, { id }: { readonly id: string }) =>
  field.url({
    label: text('App URL', 'Odkaz'),
    help: text('Link to the record in the web application.', 'Odkaz na záznam vo webovej aplikácii.'),
    example: `https://app.dealkeep.example/${path}/${id}`,
  });

/** The records of the examples that others show by name. */
const namedRecords = ['company', 'contact', 'client', 'lead'] as const;

/** `{id, name}` of a related record. The id is required, so a reference never has a name alone. */
export const ref = (label: Text, example: { id: string; name: string }) => {
  const refersTo = namedRecords.find((name) => exampleRef[name] === example);
  return describe(
    z.object({
      id: describe(z.uuid(), { label: text(`${label.en} ID`, `${label.sk} – ID`), example: example.id }),
      name: describe(z.string(), {
        label: text(`${label.en} Name`, `${label.sk} – názov`),
        example: example.name,
      }),
    }),
    { label, ...(refersTo ? { refersTo } : {}) },
  );
};

export const address = describe(
  z.object({
    street: field.string({ label: text('Street', 'Ulica'), example: 'Štúrova 12' }).nullable(),
    city: field.string({ label: text('City', 'Mesto'), example: 'Košice' }).nullable(),
    postal_code: field.string({ label: text('Postal Code', 'PSČ'), example: '040 01', max: 20 }).nullable(),
  }),
  { label: text('Address', 'Adresa'), id: 'Address' },
);

/** A company as leads and clients name it. */
export const companySummary = describe(
  z.object({
    id: describe(z.uuid(), {
      label: text('Company ID', 'Firma – ID'),
      example: exampleRef.company.id,
    }),
    name: describe(z.string(), {
      label: text('Company Name', 'Firma – názov'),
      example: exampleRef.company.name,
    }),
    registration_id: describe(z.string(), {
      label: text('Company Registration ID', 'Firma – IČO'),
      example: '36123456',
    }).nullable(),
  }),
  { label: text('Company', 'Firma'), id: 'CompanySummary', refersTo: 'company' },
);

/** How much something matters. */
export const importance = (label: Text) =>
  field.choice({
    label,
    choices: { low: text('Low', 'Nízka'), normal: text('Normal', 'Normálna'), high: text('High', 'Vysoká') },
    example: 'normal',
  });

export const tagNames = field.list(
  field.string({ label: text('Tag', 'Štítok'), example: 'VIP', nameOf: 'tag' }),
  {
    label: text('Tags', 'Štítky'),
    example: ['VIP', 'Newsletter'],
  },
);

/** Tags as programs write them, by their names. */
const writtenTag = field.name({ label: text('Tag', 'Štítok'), example: 'VIP', nameOf: 'tag', max: 255 });

const ifNew = text(
  'One that there is not yet is made, unless the organization forbids it.',
  'Ktorý ešte nie je, sa vytvorí, ak to organizácia nezakazuje.',
);

const writtenTags = (
  label: Text,
  help: Text,
  { example, notBeside }: Pick<FieldDescription, 'example' | 'notBeside'>,
) =>
  field.list(writtenTag, {
    label,
    help,
    max: limits.tagsOfRecord,
    example,
    leftOutOf: 'console',
    ...(notBeside === undefined ? {} : { notBeside }),
  });

/** All tags of a record. */
export const tagsToSet = writtenTags(
  text('Tags', 'Štítky'),
  text(`All tags that the record has then. ${ifNew.en}`, `Všetky štítky, ktoré bude záznam mať. ${ifNew.sk}`),
  { example: ['VIP', 'Newsletter'] },
);

/** What an update does to the tags of a record instead of saying all of them. */
export const tagChanges = {
  add_tags: writtenTags(
    text('Tags to Add', 'Pridať štítky'),
    text(
      `They come to those that the record has; not beside tags. ${ifNew.en}`,
      `Pribudnú k tým, ktoré záznam má; nie popri tags. ${ifNew.sk}`,
    ),
    { example: ['VIP'], notBeside: 'tags' },
  ).optional(),
  remove_tags: writtenTags(
    text('Tags to Remove', 'Odobrať štítky'),
    text(
      'The others stay; not beside tags. A tag that the record does not have changes nothing.',
      'Ostatné zostanú; nie popri tags. Štítok, ktorý záznam nemá, nič nezmení.',
    ),
    { example: ['Newsletter'], notBeside: 'tags' },
  ).optional(),
};

/** What a form of tags says besides. */
export const tellsWebhooks = text(
  'Webhooks are told of the change like of any other.',
  'Webhooky sa o zmene dozvedia ako o každej inej.',
);

/** What "create or update" did. */
export const upserted = field.choice({
  label: text('Upserted', 'Čo sa stalo'),
  help: text(
    'Whether the record was made, changed, or was as sent already.',
    'Či sa záznam vytvoril, zmenil, alebo už bol taký, ako bol poslaný.',
  ),
  choices: {
    created: text('Created', 'Vytvorený'),
    updated: text('Updated', 'Zmenený'),
    unchanged: text('Unchanged', 'Nezmenený'),
  },
  example: 'created',
});

/** By which field "create or update" looks for the record. */
export const matchBy = <const Name extends string>(choices: Record<Name, Text>, example: NoInfer<Name>) =>
  field.choice({
    label: text('Match By', 'Hľadať podľa'),
    help: text(
      'The field by which an existing record is found; it must have a value.',
      'Pole, podľa ktorého sa nájde existujúci záznam; musí mať hodnotu.',
    ),
    choices,
    example,
  });

/** What every "create or update" has in common. */
export const upserting = {
  kind: 'upsert',
  method: 'POST',
  shape: 'record',
  statuses: [201, 200],
  existingFlag: 'upserted',
  existingAs: 'updated',
  errors: ['CONFLICT'],
  about: text(
    'Looks for a record by match_by, updates the one that it finds, and creates one when there is none. Fields that are absent stay; those that a creation demands are demanded only then. When several match, nothing is written. Two at the same moment make one record.',
    'Nájde záznam podľa match_by a upraví ho; ak žiadny nie je, vytvorí ho. Neuvedené polia zostávajú; polia povinné pri vytvorení sa vyžadujú iba vtedy. Ak ich zodpovedá viac, nič sa nezapíše. Dve požiadavky naraz vytvoria jeden záznam.',
  ),
} as const;

/** A record of the API: an object with a name among the OpenAPI components. */
export function record<Shape extends z.core.$ZodLooseShape>(
  name: string,
  description: Omit<FieldDescription, 'id'>,
  shape: Shape,
) {
  return describe(z.object(shape), { ...description, id: name });
}

/** A request body: unknown fields are refused. */
export function body<Shape extends z.core.$ZodLooseShape>(
  name: string,
  description: Omit<FieldDescription, 'id'>,
  shape: Shape,
) {
  return describe(z.strictObject(shape), { ...description, id: name });
}
