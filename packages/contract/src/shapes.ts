import * as z from 'zod';
import { describe, type FieldDescription } from './field.ts';
import * as field from './scalars.ts';
import { type Text, text } from './text.ts';

/** The fields that every record has. Their texts stand here once. */
export const id = field.uuid({
  label: text('ID', 'ID'),
  help: text('Stable identifier of the record.', 'Trvalý identifikátor záznamu.'),
  example: '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63',
});
/** The same for orders and products, which call it uuid. */
export const uuid = field.uuid({
  label: text('UUID', 'UUID'),
  help: text('Stable identifier of the record.', 'Trvalý identifikátor záznamu.'),
  example: '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63',
});
export const createdAt = field.dateTime({
  label: text('Created At', 'Vytvorené'),
  example: '2026-09-14T08:21:45.120Z',
});
export const updatedAt = field.dateTime({
  label: text('Updated At', 'Zmenené'),
  example: '2026-10-01T13:05:09.480Z',
});
export const appUrl = field.url({
  label: text('App URL', 'Odkaz'),
  help: text('Link to the record in the web application.', 'Odkaz na záznam vo webovej aplikácii.'),
  example: 'https://app.dealkeep.example/records/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63',
});

/** The records that examples refer to, the same everywhere. */
export const exampleRef = {
  company: { id: '01985f6e-2c41-7f21-a6d4-93b07c5e8812', name: 'Tatra Bikes s.r.o.' },
  client: { id: '01985f6e-2c41-7e08-b1a7-5c9f20d6e344', name: 'Tatra Bikes s.r.o.' },
  lead: { id: '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63', name: 'Fleet of 20 city bikes' },
  person: { id: '01985f6e-2c41-7a10-8c3e-1b5a9d40c2f7', name: 'Jana Horváthová' },
  contact: { id: '01985f6e-2c41-7b66-8f09-d2c1a4e37590', name: 'Peter Novák' },
} as const;

/** `{id, name}` of a related record. The id is required, so a reference never has a name alone. */
export const ref = (label: Text, example: { id: string; name: string }) =>
  describe(
    z.object({
      id: describe(z.uuid(), { label: text(`${label.en} ID`, `${label.sk} – ID`), example: example.id }),
      name: describe(z.string(), {
        label: text(`${label.en} Name`, `${label.sk} – názov`),
        example: example.name,
      }),
    }),
    { label },
  );

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
      example: '01985f6e-2c41-7f21-a6d4-93b07c5e8812',
    }),
    name: describe(z.string(), {
      label: text('Company Name', 'Firma – názov'),
      example: 'Tatra Bikes s.r.o.',
    }),
    registration_id: describe(z.string(), {
      label: text('Company Registration ID', 'Firma – IČO'),
      example: '36123456',
    }).nullable(),
  }),
  { label: text('Company', 'Firma'), id: 'CompanySummary' },
);

/** How much something matters. */
export const importance = (label: Text) =>
  field.choice({
    label,
    choices: { low: text('Low', 'Nízka'), normal: text('Normal', 'Normálna'), high: text('High', 'Vysoká') },
    example: 'normal',
  });

export const tagNames = field.list(field.string({ label: text('Tag', 'Štítok'), example: 'VIP' }), {
  label: text('Tags', 'Štítky'),
  example: ['VIP', 'Newsletter'],
});

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
