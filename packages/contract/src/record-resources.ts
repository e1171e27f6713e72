// Every kind of record, in one line. What it is, how it is read and written and what it tells of stands in its file;
// everything else is derived from here.
export { activity } from './resources/activities.ts';
export { booking } from './resources/bookings.ts';
export { client } from './resources/clients.ts';
export { company } from './resources/companies.ts';
export { contact } from './resources/contacts.ts';
export { invoice } from './resources/invoices.ts';
export { lead } from './resources/leads.ts';
export { order } from './resources/orders.ts';
export { product } from './resources/products.ts';
export { quote } from './resources/quotes.ts';
export { task } from './resources/tasks.ts';
