import {
  type OperationDeclaration,
  type OperationId,
  operationIds,
  operations,
  pathParameters,
  type ResourceName,
  resourceNames,
  resources,
} from '@dealkeep/contract';
import type { Credential } from '@dealkeep/core/identity';
import type { McpAddress } from '../address.ts';
import { isResourceOn, setOf } from '../switches.ts';
import { isUsable } from '../tools/allowed.ts';

/** Records of a kind, each a resource; or one resource that stands alone. */
export interface ResourceKind {
  /** `dealkeep://lead/{id}`, `dealkeep://pipelines` */
  readonly uri: string;
  readonly name: string;
  readonly id: OperationId;
  readonly declaration: OperationDeclaration;
  readonly resource: ResourceName;
  /** What the operation calls the id of a record; undefined of what stands alone. */
  readonly idName: string | undefined;
  readonly isList: boolean;
}

const scheme = 'dealkeep://';

/** Every record that one operation reads by its id, every list to choose from, and what the connection is. */
const resourceKinds: readonly ResourceKind[] = operationIds.flatMap((id) => {
  const declaration: OperationDeclaration = operations[id];
  const resource = resourceNames.find((each) => each === declaration.resource);
  if (!resource) return [];
  const [idName, ...others] = Object.keys(pathParameters(declaration).shape);
  const common = { id, declaration, resource, idName };
  const isRecord = declaration.kind === 'get' && idName !== undefined && declaration.path.endsWith('}');
  if (isRecord && others.length === 0) {
    return { ...common, uri: `${scheme}${resource}/{id}`, name: resource, isList: false };
  }
  const isLookup = declaration.kind === 'list' && resources[resource].kind === 'lookup';
  if (idName !== undefined || !(isLookup || id === 'me.get')) return [];
  const [name = ''] = id.split('.');
  return { ...common, uri: scheme + name, name, isList: isLookup };
});

/** Those that a credential can read at an address. */
export const resourceKindsAt = (address: McpAddress, credential: Credential): readonly ResourceKind[] =>
  resourceKinds.filter(({ declaration, resource }) => {
    const set = setOf(resource);
    const isHere =
      set === undefined || address.tools === 'all' || address.tools === 'usual' || address.tools === set;
    return isHere && isResourceOn(credential.assistants, resource) && isUsable(credential, declaration);
  });

/** What an address of a resource names: its kind, and the id of the record. */
export function kindAt(
  kinds: readonly ResourceKind[],
  uri: string,
): { readonly kind: ResourceKind; readonly id: string | undefined } | undefined {
  const [, name, id] = /^dealkeep:\/\/([a-z-]+)(?:\/([^/?#]+))?$/.exec(uri) ?? [];
  const kind = kinds.find((each) => each.name === name && (each.idName === undefined) === (id === undefined));
  const decoded = id === undefined ? undefined : decodedPart(id);
  return kind && (id === undefined || decoded !== undefined) ? { kind, id: decoded } : undefined;
}

function decodedPart(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // No text is encoded like this.
    return undefined;
  }
}
