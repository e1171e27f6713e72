import * as z from 'zod';
import { ownerOperation } from '../operation.ts';
import * as field from '../scalars.ts';
import { body } from '../shapes.ts';
import { text } from '../text.ts';

const assistantText = text('Assistant', 'Asistent');
const addressText = text('Address of its description', 'Adresa jeho opisu');

/** An AI assistant that people of the organization may connect to their account. */
export const RegisterAssistant = body(
  'AssistantRegister',
  { label: assistantText },
  {
    metadata_url: field.string({
      label: addressText,
      help: text(
        'Its Client ID Metadata Document: the makers of the assistant tell the address. Name and redirect addresses are read from there.',
        'Jeho Client ID Metadata Document: adresu uvádzajú autori asistenta. Názov a adresy na návrat sa načítajú odtiaľ.',
      ),
      example: 'https://claude.ai/oauth/claude-code-client-metadata',
      max: 500,
    }),
  },
);

/** One that has no such description. */
export const AddAssistant = body(
  'AssistantAdd',
  { label: assistantText },
  {
    name: field.name({
      label: text('Name', 'Názov'),
      help: text('What people are asked about.', 'Na čo sa ľudí pýtame.'),
      example: 'Our assistant',
      max: 255,
    }),
    redirect_uris: field.list(
      field.string({ label: text('Redirect address', 'Adresa na návrat'), max: 2000 }),
      {
        label: text('Redirect addresses', 'Adresy na návrat'),
        help: text(
          'Each on a line of its own. Where it takes people back to: https, or http on 127.0.0.1, [::1] or localhost, where any port is taken.',
          'Každá na vlastnom riadku. Kam ľudí vráti: https alebo http na 127.0.0.1, [::1] či localhost, kde platí každý port.',
        ),
        example: ['http://127.0.0.1/callback'],
        min: 1,
        max: 10,
      },
    ),
  },
);

const clientId = field.string({ label: text('Client ID', 'ID klienta'), max: 500 });

/** One that is no longer to be connected. */
export const RemoveAssistant = body('AssistantRemove', { label: assistantText }, { client_id: clientId });

const byOwners = { resource: 'organization', kind: 'action', method: 'POST' } as const;

export const assistantOwnerOperations = {
  'assistants.register': ownerOperation({
    ...byOwners,
    id: 'assistants.register',
    path: '/integrations/apps/register',
    body: RegisterAssistant,
    answer: z.object({ client_id: clientId, name: field.string({ label: text('Name', 'Názov') }) }),
    shape: 'bare',
    errors: [],
    title: text('Register an assistant', 'Zaregistrovať asistenta'),
    about: text(
      'People of the organization can then connect it to their account; nobody has to be given a secret.',
      'Ľudia z organizácie si ho potom môžu pripojiť k svojmu účtu; nikto nepotrebuje tajomstvo.',
    ),
  }),
  'assistants.add': ownerOperation({
    ...byOwners,
    id: 'assistants.add',
    path: '/integrations/apps/add',
    body: AddAssistant,
    answer: z.object({ client_id: clientId }),
    shape: 'bare',
    errors: [],
    title: text('Add an assistant by its addresses', 'Pridať asistenta podľa adries'),
    about: text(
      'For one that describes itself nowhere. It is given a client ID and no secret.',
      'Pre takého, ktorý sa nikde neopisuje. Dostane ID klienta a žiadne tajomstvo.',
    ),
  }),
  'assistants.remove': ownerOperation({
    ...byOwners,
    id: 'assistants.remove',
    path: '/integrations/apps/remove',
    body: RemoveAssistant,
    shape: 'nothing',
    errors: ['NOT_FOUND'],
    withoutSubscription: true,
    title: text('Remove an assistant', 'Odstrániť asistenta'),
    about: text(
      'Nobody of the organization can connect it any more, and its connections end, unless the operator registered it for everybody.',
      'Nikto z organizácie ho už nepripojí a jeho pripojenia sa skončia, ak ho správca nezaregistroval pre všetkých.',
    ),
    destructive: true,
  }),
};
