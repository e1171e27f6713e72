import { writes } from '../verb/verb.ts';
import { lockCompany } from './demote-primary.ts';
import { insertContact } from './insert-contact.ts';

export const createContact = writes('contacts.create', async (context, { body }) => {
  await lockCompany(context, body.company_id);
  return insertContact(context, body);
});
