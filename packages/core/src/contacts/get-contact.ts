import { reads } from '../verb/verb.ts';
import { readContact } from './contact-record.ts';

export const getContact = reads('contacts.get', (context, { path }) => readContact(context, path.id));
