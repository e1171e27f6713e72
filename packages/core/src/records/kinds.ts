// Every kind of record, in one line: its table, its verbs and what an erasure makes of it stand in its room.
export { activity } from './activities/kind.ts';
export { booking } from './bookings/kind.ts';
export { client } from './clients/kind.ts';
export { company } from './companies/kind.ts';
export { contact } from './contacts/kind.ts';
export { invoice } from './invoices/kind.ts';
export { lead } from './leads/kind.ts';
export { order } from './orders/kind.ts';
export { product } from './products/kind.ts';
export { quote } from './quotes/kind.ts';
export { task } from './tasks/kind.ts';
