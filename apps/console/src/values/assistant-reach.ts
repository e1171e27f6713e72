import { assistantAccessLabels, toolSets } from '@dealkeep/contract';
import type { AssistantReach } from '@dealkeep/core/identity';
import type { ConsoleContext } from '../context.ts';

/** What AI assistants may do: `Read only`, and the sets of tools where these are not all. */
export function assistantReachWords(c: ConsoleContext, { access, toolSets: sets }: AssistantReach): string {
  const language = c.get('language');
  // Where the organization and the key have no set in common.
  if (access === 'off' || sets?.length === 0) return assistantAccessLabels.off[language];
  const may = assistantAccessLabels[access][language];
  return sets === null ? may : `${may}: ${sets.map((name) => toolSets[name].label[language]).join(', ')}`;
}
