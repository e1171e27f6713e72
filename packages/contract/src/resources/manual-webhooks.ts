import * as z from 'zod';
import { describe } from '../field.ts';
import { limits } from '../limits.ts';
import { ownerOperation } from '../operation.ts';
import { eventTypeCount } from '../records.ts';
import * as field from '../scalars.ts';
import { body } from '../shapes.ts';
import { text } from '../text.ts';
import { changedFields, event, filters, ownName, targetUrl } from './webhooks.ts';

const notifiedUserIds = field.list(field.reference('user', { label: text('Person', 'Osoba') }), {
  label: text('People to notify', 'Koho upozorniť'),
  help: text(
    'Told by e-mail when the webhook fails. The owners of the organization when nobody is chosen.',
    'Dostanú e-mail, keď webhook zlyháva. Ak nie je vybraný nikto, vlastníci organizácie.',
  ),
  max: 50,
});

const headers = field.list(
  describe(
    z.strictObject({
      name: field.headerName({ label: text('Name', 'Názov'), example: 'Authorization', max: 100 }),
      value: field
        .headerValue({
          label: text('Value', 'Hodnota'),
          help: text(
            'Left empty, the value of before stays.',
            'Ak zostane prázdna, platí doterajšia hodnota.',
          ),
          example: 'Bearer 3f9c0b7a',
          max: limits.webhookHeaderLength,
          secret: true,
        })
        .optional(),
    }),
    { label: text('Header', 'Hlavička') },
  ),
  {
    label: text('Headers', 'Hlavičky'),
    help: text(
      'Every delivery carries them, such as an Authorization that the receiver asks for. Values are kept encrypted and not shown again.',
      'Posielajú sa s každým doručením, napríklad Authorization, ktorú príjemca vyžaduje. Hodnoty sa ukladajú zašifrované a znova sa nezobrazia.',
    ),
    max: limits.webhookHeaders,
  },
);
const maxPerMinute = field.integer({
  label: text('At most per minute', 'Najviac za minútu'),
  help: text(
    'Attempts that begin in a minute, at most; what comes faster waits. Without it, as many as the receiver takes.',
    'Najviac toľko pokusov sa začne za minútu; čo prichádza rýchlejšie, čaká. Bez čísla toľko, koľko príjemca zvládne.',
  ),
  example: 60,
  min: 1,
  max: limits.webhookAttemptsPerMinute,
});
const asymmetricSignature = field.boolean({
  label: text('Sign with a key pair, too', 'Podpisovať aj dvojicou kľúčov'),
  help: text(
    'Adds an Ed25519 signature (v1a of Standard Webhooks), which a receiver checks with a public key, without any secret.',
    'Pridá podpis Ed25519 (v1a zo Standard Webhooks), ktorý príjemca overí verejným kľúčom, bez tajomstva.',
  ),
  example: true,
});

/** What owners ask of a webhook besides its events. */
const ofOwners = {
  filters: filters.nullish(),
  changed_fields: changedFields.nullish(),
  headers: headers.nullish(),
  max_per_minute: maxPerMinute.nullish(),
  asymmetric_signature: asymmetricSignature.nullish(),
};

/** A webhook made by hand, as the console makes it. */
export const CreateWebhook = body(
  'WebhookCreate',
  { label: text('Webhook', 'Webhook') },
  {
    name: ownName,
    target_url: targetUrl,
    events: field.list(event, {
      label: text('Events', 'Udalosti'),
      example: ['lead.created', 'lead.won'],
      min: 1,
      max: eventTypeCount,
    }),
    notify_user_ids: notifiedUserIds.optional(),
    ...ofOwners,
  },
);

/** A change of it; an absent field stays. */
export const UpdateWebhook = body(
  'WebhookUpdate',
  { label: text('Webhook', 'Webhook') },
  {
    name: ownName.optional(),
    target_url: targetUrl.optional(),
    events: CreateWebhook.shape.events.optional(),
    notify_user_ids: notifiedUserIds.optional(),
    ...ofOwners,
  },
);

/** What owners do with webhooks in the console. */
const byOwners = { resource: 'webhook', method: 'POST', kind: 'action' } as const;
const targetErrors = [
  'UNKNOWN_EVENT',
  'WEBHOOK_URL_INVALID',
  'WEBHOOK_URL_BLOCKED',
  'SERVICE_UNAVAILABLE',
] as const;
const secret = field.string({
  label: text('Signing Secret', 'Podpisový kľúč'),
  help: text('Shown only in this answer.', 'Zobrazí sa iba v tejto odpovedi.'),
  secret: true,
});
const id = field.uuid({ label: text('ID', 'ID') });

export const webhookOwnerOperations = {
  'manual-webhooks.create': ownerOperation({
    ...byOwners,
    id: 'manual-webhooks.create',
    kind: 'create',
    path: '/integrations/webhooks/new',
    body: CreateWebhook,
    answer: z.object({ id, secret }),
    shape: 'bare',
    errors: [...targetErrors, 'LIMIT_EXCEEDED'],
    noStore: true,
    title: text('Make a webhook by hand', 'Vytvoriť webhook ručne'),
    about: text(
      'It belongs to no key: the API does not show it, but it counts against the maximum.',
      'Nepatrí žiadnemu kľúču: API ho nezobrazuje, ale započítava sa do maxima.',
    ),
  }),
  'manual-webhooks.update': ownerOperation({
    ...byOwners,
    id: 'manual-webhooks.update',
    kind: 'update',
    path: '/integrations/webhooks/{id}/edit',
    body: UpdateWebhook,
    shape: 'nothing',
    errors: targetErrors,
    title: text('Change a webhook made by hand', 'Zmeniť ručne vytvorený webhook'),
    about: text(
      'What waits already goes to the new address, and a new address is not blamed for the failures of the old one.',
      'Aj to, čo už čaká, ide na novú adresu a zlyhania starej adresy sa jej nepripočítajú.',
    ),
  }),
  'manual-webhooks.enable': ownerOperation({
    ...byOwners,
    id: 'manual-webhooks.enable',
    path: '/integrations/webhooks/{id}/enable',
    shape: 'nothing',
    errors: [],
    title: text('Enable a webhook made by hand again', 'Znova zapnúť ručne vytvorený webhook'),
    about: text(
      'What was held for it is delivered, oldest first. Nothing changes when it is enabled.',
      'Pozdržané udalosti sa doručia od najstaršej. Ak je zapnutý, nič sa nezmení.',
    ),
  }),
  'manual-webhooks.disable': ownerOperation({
    ...byOwners,
    id: 'manual-webhooks.disable',
    path: '/integrations/webhooks/{id}/disable',
    withoutSubscription: true,
    shape: 'nothing',
    errors: [],
    title: text('Disable a webhook by hand', 'Ručne vypnúť webhook'),
    about: text(
      'From now on nothing is sent or held, and what waits is dropped.',
      'Odteraz sa nič neposiela ani nezdrží a čo čaká, sa zahodí.',
    ),
    destructive: true,
  }),
  'manual-webhooks.rotate-secret': ownerOperation({
    ...byOwners,
    id: 'manual-webhooks.rotate-secret',
    path: '/integrations/webhooks/{id}/rotate',
    answer: z.object({
      secret,
      previous_secret_until: field
        .dateTime({ label: text('The Former One Signs Until', 'Predchádzajúci podpisuje do') })
        .nullable(),
    }),
    shape: 'bare',
    errors: [],
    noStore: true,
    title: text(
      'Give a webhook of either kind a new secret',
      'Dať webhooku ktoréhokoľvek druhu nový podpisový kľúč',
    ),
    about: text(
      `The former one signs, too, for ${limits.previousSecretHours} hours, so that the receiver can change over.`,
      `Predchádzajúci podpisuje ešte ${limits.previousSecretHours} hodín, aby príjemca stihol prejsť na nový.`,
    ),
  }),
  'webhooks.remove': ownerOperation({
    ...byOwners,
    id: 'webhooks.remove',
    kind: 'delete',
    path: '/integrations/webhooks/{id}/remove',
    withoutSubscription: true,
    shape: 'nothing',
    errors: [],
    title: text('Remove a webhook of either kind', 'Odstrániť webhook ktoréhokoľvek druhu'),
    about: text('With what waits for it.', 'Spolu s tým, čo naň čaká.'),
    destructive: true,
  }),
};
