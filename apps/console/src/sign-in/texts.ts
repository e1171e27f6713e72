import { type Text, text } from '@dealkeep/contract';

export const signInTexts = {
  signInTitle: text('Sign in', 'Prihlásenie'),
  signInButton: text('Sign in', 'Prihlásiť sa'),
  email: text('E-mail', 'E-mail'),
  password: text('Password', 'Heslo'),
  forgotten: text(
    'Forgotten? Ask the operator of this installation to set a new password.',
    'Zabudnuté? Požiadajte správcu tejto inštalácie o nové heslo.',
  ),
} as const satisfies Record<string, Text>;
