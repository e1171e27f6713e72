/**
 * What the audit log tells of besides operations, each with the resource that it is about: what somebody does with
 * their own account, imports, data that is taken out, and what an operator does for which there is no operation.
 */
export const auditedActions = {
  'account.sign-in': 'user',
  'account.sign-in-failed': 'user',
  'account.sign-out': 'user',
  'account.sign-out-others': 'user',
  'account.switch-organization': 'user',
  'account.change-password': 'user',
  'account.edit': 'user',
  'account.join': 'user',
  'backups.restore': 'organization',
  'connections.allow': 'me',
  'connections.end': 'me',
  'imports.run': 'import',
  'imports.stop': 'import',
  'imports.undo': 'import',
  'lists.export': 'export',
  'members.add': 'user',
  'organizations.create': 'organization',
  'organizations.export': 'organization',
  'organizations.move': 'organization',
  'organizations.take-back': 'organization',
} as const;

export type AuditedAction = keyof typeof auditedActions;
