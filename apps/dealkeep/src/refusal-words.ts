import { OperatorError, type OperatorHelp, type Problem } from '@dealkeep/core/foundations';
import type { KeyWay, WrongInstallation } from '@dealkeep/core/installation';

/** What core refused, in one line of a command: fields are its options, and what helps are other commands. */
export function refusalWords(refusal: OperatorError | Problem): string {
  if (refusal instanceof OperatorError) {
    const { field, sentence, help } = refusal;
    const said = field === undefined ? sentence : `${optionOf(field)} ${sentence}`;
    return help ? said + helpWords(help) : said;
  }
  const { message, detail } = refusal.body('en').error;
  const [first]: { path: string; message: string }[] = refusal.fields ? Object(detail).fields : [];
  return first ? `${optionOf(first.path)}: ${first.message}` : message;
}

/** What a start was refused for, after the name of the variable. */
export const installationWords = ({ sentence, ways }: WrongInstallation): string =>
  [sentence, ...(ways.length > 0 ? [ways.map((way) => wayWords[way]).join(', ')] : [])].join('; ');

const wayWords: Readonly<Record<KeyWay, string>> = {
  rotate: '`dealkeep secrets rotate` is how a key can go',
  forget: '`dealkeep secrets forget` is for one that is lost',
};

/** `--time-zone` of `time_zone` */
const optionOf = (field: string): string => `--${field.replaceAll('_', '-')}`;

const allowedWords = {
  change_environment: ', or say --change-environment to make it one of this environment',
  without_key: '; --without-key is for one that is lost',
  unchecked: '; --unchecked goes on without looking there',
} as const;

function helpWords(help: OperatorHelp): string {
  if ('shown' in help) {
    const what = help.shown === 'webhooks' ? 'those of an organization' : 'all';
    return `; \`dealkeep ${help.shown} list\` shows ${what}`;
  }
  if ('made' in help) return '; create one with `dealkeep users create … --role owner`';
  if ('given' in help) return `; say which by ${optionOf(help.given)}`;
  if ('again' in help) return ', then run `dealkeep migrate` again';
  if ('before' in help) return ': run `dealkeep migrate` first, or make a backup with pg_dump';
  if ('first' in help) return ': run `dealkeep migrate` first';
  if ('allowed' in help) return allowedWords[help.allowed];
  if ('taken_back' in help) {
    return `; \`dealkeep organizations take-back ${help.taken_back}\` has it go on here`;
  }
  const { email, organization } = help.verified;
  return (
    '. When it is the same person, say so: ' +
    `\`dealkeep users update ${email} --organization ${organization} --verified true\`, and run this again`
  );
}
