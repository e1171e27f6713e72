import { type FieldFacts, text } from '@dealkeep/contract';
import { getMember, listRoles, type Member } from '@dealkeep/core/accounts';
import { idIn, ownerText, requireOwner } from '../auth/permitted.ts';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { badge, type Markup } from '../markup.ts';
import { settingsSay } from './texts.ts';

export const membersPath = '/settings/users';
export const rolesPath = '/settings/roles';
export const accountPath = '/settings/account';
export const ownPasswordPath = `${accountPath}/password`;

/** The fields of a form about somebody, with the organization's roles to choose from. */
export async function withRoles(c: ConsoleContext, fields: readonly FieldFacts[]): Promise<FieldFacts[]> {
  const roles = await listRoles(c.get('core'), requireOwner(c).organization);
  const choices = Object.fromEntries([
    ['owner', ownerText],
    ...roles.map(({ name }) => [name, text(name, name)] as const),
  ]);
  const choosing = (field: FieldFacts): FieldFacts => ({
    ...field,
    values: ['owner', ...roles.map(({ name }) => name)],
    description: field.description && { ...field.description, choices },
  });
  return fields.map((field) => (field.name === 'role' ? choosing(field) : field));
}

export function accessBadge(c: ConsoleContext, { active }: Pick<Member, 'active'>): Markup {
  const text = settingsSay(c.get('language'));
  return active ? badge(text('isActive'), 'good') : badge(text('isInactive'));
}

/** Whether somebody is the one who looks. */
export const isSelf = (c: ConsoleContext, id = idIn(c)): boolean => sessionOf(c).user.id === id;

/** The member of the path. Raises NOT_FOUND. */
export function memberOf(c: ConsoleContext): Promise<Member> {
  const { organization } = requireOwner(c);
  return getMember(c.get('core').sql, { organization: organization.id, id: idIn(c) });
}
