import { type Text, text } from './text.ts';

/** What an organization, or a key, lets AI assistants do: each more than the one before. */
export const assistantAccess = ['off', 'read', 'all'] as const;

export type AssistantAccess = (typeof assistantAccess)[number];

/** Groups of tools for AI assistants, which an owner allows one by one; {@link toolSets} says what each holds. */
export const toolSetLabels = {
  sales: text('Sales', 'Predaj'),
  work: text('Work', 'Práca'),
  billing: text('Billing', 'Fakturácia'),
  shop: text('Shop', 'Obchod'),
  webhooks: text('Webhooks', 'Webhooky'),
} as const satisfies Record<string, Text>;

export type ToolSetName = keyof typeof toolSetLabels;

export const toolSetNames = Object.keys(toolSetLabels).filter(
  (name): name is ToolSetName => name in toolSetLabels,
);
