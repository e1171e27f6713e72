import { assistantMessages } from './messages/assistants.ts';
import { credentialMessages } from './messages/credentials.ts';
import { fieldMessages } from './messages/fields.ts';
import { importMessages } from './messages/imports.ts';
import { recordMessages } from './messages/records.ts';
import { requestMessages } from './messages/requests.ts';
import { webhookMessages } from './messages/webhooks.ts';
import type { Language, Text } from './text.ts';

/**
 * Every message that the API can answer, in both languages, with its error code. Placeholders stand in braces, the
 * same in both; the tests refuse an answer in which one was left.
 */
export const messages = {
  ...requestMessages,
  ...credentialMessages,
  ...assistantMessages,
  ...fieldMessages,
  ...recordMessages,
  ...webhookMessages,
  ...importMessages,
};

export type MessageKey = keyof typeof messages;

export const isMessageKey = (key: string): key is MessageKey => Object.hasOwn(messages, key);

/** The finished sentence; placeholders that have no value stay visible rather than vanish. */
export function message(
  key: MessageKey,
  language: Language,
  values: Readonly<Record<string, string | number | Text>> = {},
): string {
  return messages[key][language].replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name] ?? whole;
    return typeof value === 'object' ? value[language] : String(value);
  });
}
