import { type ToolSetName, toolSetNames, toolSets } from '@dealkeep/contract';
import { Problem } from '@dealkeep/core/foundations';
import type { Credential } from '@dealkeep/core/identity';
import type { McpAddress } from './address.ts';

/** Raises FORBIDDEN where its owner lets assistants do nothing with the credential, or nothing at this address. */
export function requireAssistants({ assistants }: Credential, { tools }: McpAddress): void {
  const { access, toolSets: allowed } = assistants;
  if (access === 'off' || allowed?.length === 0) throw new Problem('assistants.off');
  const set = toolSetNames.find((name) => name === tools);
  if (set) requireSetOn(assistants, set);
}

function requireSetOn(assistants: Credential['assistants'], set: ToolSetName): void {
  if (isSetOn(assistants, set)) return;
  throw new Problem('assistants.set_off', { set: toolSets[set].label }, { detail: { tool_set: set } });
}

/** Whether assistants may change anything with the credential. */
export const mayChange = ({ assistants }: Credential): boolean => assistants.access === 'all';

/** Whether assistants are offered what belongs to a set, or to none. */
export const isSetOn = (
  { toolSets: allowed }: Credential['assistants'],
  set: ToolSetName | undefined,
): boolean => set === undefined || allowed === null || allowed.includes(set);

/**
 * Whether assistants are offered records of a resource: those of its set; events, which show any record, where all
 * are.
 */
export const isResourceOn = (assistants: Credential['assistants'], resource: string): boolean =>
  resource === 'event' ? assistants.toolSets === null : isSetOn(assistants, setOf(resource));

/** Raises FORBIDDEN where assistants are not offered records of a resource. */
export function requireResourceOn({ assistants }: Credential, resource: string): void {
  const set = setOf(resource);
  if (set) requireSetOn(assistants, set);
}

/** The set that a resource belongs to; undefined where it is of every set. */
export const setOf = (resource: string): ToolSetName | undefined =>
  toolSetNames.find((name) => toolSets[name].resources.some((each) => each === resource));
