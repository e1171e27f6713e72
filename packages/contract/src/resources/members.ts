import * as z from 'zod';
import { ownerOperation } from '../operation.ts';
import * as field from '../scalars.ts';
import { body, exampleRef, idOf } from '../shapes.ts';
import { text } from '../text.ts';

const label = text('Person', 'Osoba');
const name = field.name({ label: text('Name', 'Meno'), example: 'Jana Horváthová', max: 255 });
const email = field.email({
  label: text('E-mail', 'E-mail'),
  help: text('They sign in with it.', 'Bude sa ním prihlasovať.'),
  example: 'jana@tatra.example',
});
const role = field.string({
  label: text('Role', 'Rola'),
  help: text(
    'Owners see and change everything, and these settings; everybody else what the role permits.',
    'Vlastníci vidia a menia všetko aj tieto nastavenia; ostatní to, čo povoľuje rola.',
  ),
  example: 'owner',
  max: 255,
});
const language = field.choice({
  label: text('Language', 'Jazyk'),
  help: text('Of the mails to them, and of the console.', 'Mailov, ktoré dostáva, a konzoly.'),
  choices: { en: text('English', 'Angličtina'), sk: text('Slovak', 'Slovenčina') },
});
const password = field.password({
  label: text('Password', 'Heslo'),
  help: text('At least 10 characters.', 'Aspoň 10 znakov.'),
});

/** Somebody who is asked to an organization. `role` is `owner` or the name of a role. */
export const InviteMember = body('MemberInvite', { label }, { email, role, language: language.nullish() });

/** Whoever accepts an invitation and does not sign in here yet. */
export const AcceptInvitation = body('InvitationAccept', { label }, { name, password });

/** A password that an operator gives to a user. */
export const SetPassword = body('PasswordSet', { label }, { password });

/** A change of a member; an absent field stays. */
export const UpdateMember = body(
  'MemberUpdate',
  { label },
  {
    name: name.optional(),
    role: role.optional(),
    language: language.nullish(),
  },
);

/** What users change of their own account; an absent field stays. */
export const UpdateAccount = body(
  'AccountUpdate',
  { label },
  { name: name.optional(), language: language.nullish() },
);

/** One's own new password. */
export const ChangePassword = body(
  'PasswordChange',
  { label },
  {
    current_password: field.currentPassword({ label: text('Current password', 'Súčasné heslo') }),
    password: field.password({
      label: text('New password', 'Nové heslo'),
      help: text('At least 10 characters.', 'Aspoň 10 znakov.'),
    }),
  },
);

/** Also while the subscription has lapsed: access can always be taken. */
const byOwners = { resource: 'user', method: 'POST', withoutSubscription: true } as const;

/** Where an invitation goes by mail, its link stands in the mail alone. */
const sent = z.object({
  id: idOf(exampleRef.user),
  link: field
    .string({
      label: text('Link', 'Odkaz'),
      help: text('Shown only in this answer.', 'Zobrazí sa iba v tejto odpovedi.'),
      secret: true,
    })
    .nullable(),
});

export const memberOwnerOperations = {
  'members.edit': ownerOperation({
    ...byOwners,
    id: 'members.edit',
    kind: 'update',
    path: '/settings/users/{id}',
    body: UpdateMember,
    shape: 'nothing',
    errors: ['CONFLICT'],
    title: text('Change a member', 'Zmeniť člena'),
    about: text(
      'A new role counts from their next request on. An active owner always stays.',
      'Nová rola platí od ďalšej požiadavky. Aktívny vlastník vždy zostáva.',
    ),
  }),
  'members.deactivate': ownerOperation({
    ...byOwners,
    id: 'members.deactivate',
    kind: 'action',
    path: '/settings/users/{id}/deactivate',
    shape: 'nothing',
    errors: ['CONFLICT'],
    destructive: true,
    title: text('Take the access of a member', 'Odobrať prístup členovi'),
    about: text(
      'Their sessions and connections here end, their keys are refused; records stay.',
      'Relácie a pripojenia tu zaniknú, kľúče sa odmietajú; záznamy zostávajú.',
    ),
  }),
  'members.activate': ownerOperation({
    ...byOwners,
    id: 'members.activate',
    kind: 'action',
    path: '/settings/users/{id}/activate',
    shape: 'nothing',
    errors: [],
    title: text('Give a member access again', 'Vrátiť prístup členovi'),
    about: text(
      'They can sign in and their keys work; what they connected stays ended.',
      'Môže sa prihlásiť a kľúče fungujú; čo bolo pripojené, zostáva ukončené.',
    ),
  }),
  'invitations.send': ownerOperation({
    ...byOwners,
    id: 'invitations.send',
    kind: 'create',
    path: '/settings/users/invitations',
    body: InviteMember,
    answer: sent,
    shape: 'bare',
    errors: [],
    noStore: true,
    title: text('Invite somebody', 'Pozvať niekoho'),
    about: text(
      'A mail brings the link, or the owner hands it over where none is sent.',
      'Odkaz príde e-mailom, alebo ho odovzdá vlastník, ak sa žiadny neposiela.',
    ),
  }),
  'invitations.send-again': ownerOperation({
    ...byOwners,
    id: 'invitations.send-again',
    kind: 'action',
    path: '/settings/users/invitations/{id}/again',
    answer: sent,
    shape: 'bare',
    errors: [],
    noStore: true,
    title: text('Send an invitation again', 'Poslať pozvánku znova'),
    about: text('The links of before end.', 'Predchádzajúce odkazy zaniknú.'),
  }),
  'invitations.withdraw': ownerOperation({
    ...byOwners,
    id: 'invitations.withdraw',
    kind: 'delete',
    path: '/settings/users/invitations/{id}/withdraw',
    shape: 'nothing',
    errors: [],
    destructive: true,
    title: text('Take an invitation back', 'Stiahnuť pozvánku'),
    about: text(
      'Its links end, and a mail that waits is not sent.',
      'Jej odkazy zaniknú a čakajúci e-mail sa nepošle.',
    ),
  }),
};
