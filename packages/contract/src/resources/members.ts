import * as field from '../scalars.ts';
import { body } from '../shapes.ts';
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

/** A change of a person; an absent field stays. */
export const UpdateMember = body(
  'MemberUpdate',
  { label },
  {
    name: name.optional(),
    role: role.optional(),
    language: language.nullish(),
  },
);

/** What people change of their own account; an absent field stays. */
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
