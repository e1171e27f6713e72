import { type AssistantAccess, assistantAccess, type ToolSetName, toolSetNames } from '@dealkeep/contract';

/** What AI assistants may do for an organization, with a key, or with a credential of both. */
export interface AssistantReach {
  readonly access: AssistantAccess;
  /** Null is every set, also those that come with later versions. */
  readonly toolSets: readonly ToolSetName[] | null;
}

/** The same, as `organizations` and `api_keys` hold it. */
export interface AssistantColumns {
  assistant_access: AssistantAccess;
  assistant_tool_sets: string[] | null;
}

/** A set that this version does not know is none. */
export const assistantReach = (row: AssistantColumns): AssistantReach => ({
  access: row.assistant_access,
  toolSets: row.assistant_tool_sets && toolSetNames.filter((name) => row.assistant_tool_sets?.includes(name)),
});

/** What both allow: the lesser access, and the sets that are in both. */
export const lesserReach = (one: AssistantReach, other: AssistantReach): AssistantReach => ({
  access: assistantAccess.find((access) => access === one.access || access === other.access) ?? one.access,
  toolSets: inBoth(one.toolSets, other.toolSets),
});

const inBoth = (
  one: AssistantReach['toolSets'],
  other: AssistantReach['toolSets'],
): AssistantReach['toolSets'] => {
  if (one === null || other === null) return one ?? other;
  return one.filter((name) => other.includes(name));
};
