import * as z from 'zod';
import { describe, descriptionOf, takesForms } from './field.ts';
import { limits } from './limits.ts';
import { type OperationDeclaration, programOperation } from './operation.ts';
import { activityOperations } from './resources/activities.ts';
import { clientOperations, clientUpsertOperations } from './resources/clients.ts';
import { companyOperations, companyUpsertOperations } from './resources/companies.ts';
import { contactOperations, contactUpsertOperations } from './resources/contacts.ts';
import { leadOperations } from './resources/leads.ts';
import { taskOperations } from './resources/tasks.ts';
import { type ResourceName, resources } from './resources.ts';
import { exampleOf } from './sample.ts';
import * as field from './scalars.ts';
import { body, record } from './shapes.ts';
import { labelInSentence, type Text, text } from './text.ts';

/** An operation on one record that a batch does with many. */
interface Single extends OperationDeclaration {
  readonly resource: ResourceName;
  readonly body: z.ZodObject;
  readonly answer: z.ZodObject;
}

/** What a batch can do with its items. */
export type BatchedOperation = 'create' | 'update' | 'upsert';

interface Singles<Create extends Single, Update extends Single, Upsert extends Single> {
  readonly create: Create;
  readonly update: Update;
  readonly upsert?: Upsert;
}

const createOrUpdate = { create: text('Create', 'Vytvoriť'), update: text('Update', 'Upraviť') };
const orUpsert = { ...createOrUpdate, upsert: text('Create or update', 'Vytvoriť alebo upraviť') };

const resultIndex = field.integer({
  label: text('Index', 'Poradie'),
  help: text('The place of the item among those that were sent, from 0.', 'Miesto položky v poradí, od 0.'),
  example: 0,
});
const resultStatus = field.integer({
  label: text('Status', 'Stav'),
  help: text(
    'What the operation on this record alone would have been answered with.',
    'Čím by bola zodpovedaná operácia s týmto jediným záznamom.',
  ),
  example: 201,
});

/** What was wrong with one item, in the form of every error. */
const ItemError = record(
  'BatchItemError',
  { label: text('Error', 'Chyba') },
  {
    code: field.string({
      label: text('Code', 'Kód'),
      help: text('Stable; branch on it.', 'Nemení sa; rozhodujte sa podľa neho.'),
      example: 'VALIDATION_ERROR',
    }),
    message: field.string({
      label: text('Message', 'Správa'),
      help: text(
        'For people, in the language of Accept-Language.',
        'Pre ľudí, v jazyku podľa Accept-Language.',
      ),
      example: 'Some fields are not valid.',
    }),
    detail: describe(z.record(z.string(), z.unknown()), {
      label: text('Detail', 'Podrobnosti'),
      help: text(
        'More about the error: {fields: [{path, code, message}]} of the item, as of the body of a request.',
        'Viac o chybe: {fields: [{path, code, message}]} položky, ako pri tele požiadavky.',
      ),
      example: {},
    }).optional(),
    request_id: field.string({
      label: text('Request ID', 'ID požiadavky'),
      help: text('The X-Request-Id of the whole batch.', 'X-Request-Id celej dávky.'),
      example: '7f1c0b52-9d0e-4b53-8e07-5a0c7f2f6a11',
    }),
    doc_url: field.url({
      label: text('Documentation', 'Dokumentácia'),
      help: text('What the code means, for people.', 'Čo kód znamená, pre ľudí.'),
      example: 'https://dealkeep.example/docs#VALIDATION_ERROR',
    }),
  },
);

/** Not twice, where operations answer the same record; what shows more comes first. */
const answerOf = <Answer extends z.ZodObject>(answers: readonly Answer[]) => z.union([...new Set(answers)]);

/** The same fields in one object, as the client prints them. */
type OneType<Fields> = { [Name in keyof Fields]: Fields[Name] };

type ItemOf<Create extends Single, Update extends Single, Upsert extends Single> =
  | z.output<Create['body']>
  | OneType<{ id: string } & z.output<Update['body']>>
  | z.output<Upsert['body']>;

/**
 * The operation that does many of one kind at once, made of the operations on one record: each item is what their
 * body is, of an update with the id of the record, and each is answered as they would. Items are not checked with
 * the body but one by one, so that a wrong one spoils no other.
 */
function batchOf<
  const Id extends string,
  Does extends BatchedOperation,
  Create extends Single,
  Update extends Single,
  Upsert extends Single = never,
>(id: Id, choices: Record<Does, Text>, { create, update, upsert }: Singles<Create, Update, Upsert>) {
  const { label, plural } = resources[create.resource];
  const described = descriptionOf(create.answer);
  const name = described?.id ?? '';
  const several = text(labelInSentence(plural.en), labelInSentence(plural.sk));
  const withId = describe(z.strictObject({ ...idOf(create.answer), ...update.body.shape }), {
    label,
    ...descriptionOf(update.body),
    id: `${name}BatchUpdate`,
  });
  const answers: (Create | Update | Upsert)['answer'][] = [
    ...(upsert ? [upsert.answer] : []),
    create.answer,
    update.answer,
  ];
  const wholes = [upsert, create, update].filter((each) => each !== undefined);
  const item = describe(z.custom<ItemOf<Create, Update, Upsert>>(), {
    label,
    help: text(
      `The body of ${create.method} ${create.path}; to update, that of ${update.method} ${update.path} with the id${upsert ? `; to upsert, that of ${upsert.method} ${upsert.path}` : ''}.`,
      `Telo ${create.method} ${create.path}; pri úprave telo ${update.method} ${update.path} spolu s id${upsert ? `; pri upsert telo ${upsert.method} ${upsert.path}` : ''}.`,
    ),
  });
  const forms = [create.body, withId, ...(upsert ? [upsert.body] : [])];
  const operationChoice = field.choice({
    label: text('Operation', 'Operácia'),
    help: text('What is done with every item.', 'Čo sa urobí s každou položkou.'),
    choices,
    example: 'create',
  });
  return programOperation({
    id,
    resource: create.resource,
    kind: 'batch',
    method: 'POST',
    path: `${create.path}/batch`,
    scope: create.scope,
    ...(create.refusesLegacyKeys ? { refusesLegacyKeys: true } : {}),
    batches: { create: create.id, update: update.id, ...(upsert ? { upsert: upsert.id } : {}) },
    body: body(
      `${name}Batch`,
      { label: plural },
      {
        operation: operationChoice,
        items: field.list(takesForms(item, forms), {
          label: text('Items', 'Položky'),
          min: 1,
          max: limits.batchItems,
        }),
      },
    ),
    answer: z.object({
      data: field.list(
        record(
          `${name}BatchResult`,
          { label, example: { index: 0, status: 201, data: exampleOf(create.answer) } },
          {
            index: resultIndex,
            status: resultStatus,
            data: describe(answerOf(answers), { label }).optional(),
            error: ItemError.optional(),
          },
        ),
        { label: text('Results', 'Výsledky') },
      ),
    }),
    shape: 'bare',
    statuses: [200],
    errors: [],
    emits: [...new Set(wholes.flatMap(({ emits = [] }) => emits))],
    title: text(`Write ${several.en} in a batch`, `Zapísať v dávke: ${several.sk}`),
    about: text(
      `Creates${upsert ? ', updates or upserts' : ' or updates'} up to ${limits.batchItems} ${several.en} in one request. Each item is a change of its own, with its own events: one that is refused undoes only itself, and its error is answered in its place. One Idempotency-Key covers all. A batch counts as one request for each ${limits.itemsPerRequest} items begun; its body is at most ${limits.bodyBytes / 1024 / 1024} MiB, like every body.`,
      `Vytvorí${upsert ? ', upraví alebo upsertne' : ' alebo upraví'} najviac ${limits.batchItems} záznamov (${several.sk}) jednou požiadavkou. Každá položka je samostatná zmena s vlastnými udalosťami: odmietnutá vráti späť iba seba a jej chyba je na jej mieste. Jeden Idempotency-Key platí pre všetky. Dávka sa počíta ako jedna požiadavka za každých začatých ${limits.itemsPerRequest} položiek; jej telo má najviac ${limits.bodyBytes / 1024 / 1024} MiB ako každé.`,
    ),
    instruction: `Create or change many ${several.en} at once.`,
  });
}

/** The field by which a record is named, as its answer shows it. */
const idOf = ({ shape }: z.ZodObject) => {
  const { id } = shape;
  if (!(id instanceof z.ZodType)) throw new Error('A record of a batch has an id');
  return { id };
};

export const batchOperations = {
  'companies.batch': batchOf('companies.batch', orUpsert, {
    create: companyOperations['companies.create'],
    update: companyOperations['companies.update'],
    upsert: companyUpsertOperations['companies.upsert'],
  }),
  'contacts.batch': batchOf('contacts.batch', orUpsert, {
    create: contactOperations['contacts.create'],
    update: contactOperations['contacts.update'],
    upsert: contactUpsertOperations['contacts.upsert'],
  }),
  'clients.batch': batchOf('clients.batch', orUpsert, {
    create: clientOperations['clients.create'],
    update: clientOperations['clients.update'],
    upsert: clientUpsertOperations['clients.upsert'],
  }),
  'leads.batch': batchOf('leads.batch', createOrUpdate, {
    create: leadOperations['leads.create'],
    update: leadOperations['leads.update'],
  }),
  'activities.batch': batchOf('activities.batch', createOrUpdate, {
    create: activityOperations['activities.create'],
    update: activityOperations['activities.update'],
  }),
  'tasks.batch': batchOf('tasks.batch', createOrUpdate, {
    create: taskOperations['tasks.create'],
    update: taskOperations['tasks.update'],
  }),
} as const;
