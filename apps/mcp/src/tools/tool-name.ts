import type { OperationDeclaration } from '@dealkeep/contract';

/** `leads.create` → `create_lead`, `leads.list` → `list_leads`, `companies.upsert` → `create_or_update_company`. */
export function toolNameOf({ id, kind, resource, tool }: OperationDeclaration): string {
  if (tool !== undefined) return tool;
  const [plural = '', step = ''] = id.split('.');
  const verb = kind === 'upsert' ? 'create_or_update' : step;
  return `${verb}_${kind === 'list' ? plural : resource}`.replaceAll('-', '_');
}
