// How every kind of record is shown, in one line each.
export { activity } from './kinds/activity.ts';
export { booking } from './kinds/booking.ts';
export { client } from './kinds/client.ts';
export { company } from './kinds/company.ts';
export { contact } from './kinds/contact.ts';
export { invoice } from './kinds/invoice.ts';
export { lead } from './kinds/lead.ts';
export { order } from './kinds/order.ts';
export { product } from './kinds/product.ts';
export { quote } from './kinds/quote.ts';
export { task } from './kinds/task.ts';
