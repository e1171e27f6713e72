import { isSeen } from '../../change/verb/sight.ts';
import { type ResultOf, reads } from '../../change/verb/verb.ts';

const shownOldest = 3;

type Overview = ResultOf<'invoices.overview'>;

/** What is overdue, by currency, and what has been so longest. */
export const overviewOfInvoices = reads('invoices.overview', async (context): Promise<Overview> => {
  const { sql, organization } = context;
  const [row] = await sql<Overview[]>`
      select coalesce((select json_agg(json_build_object('currency', currency, 'invoices', invoices, 'amount', amount)
                                       order by invoices desc, currency)
                       from (select currency, count(*)::integer as invoices, sum(total - paid_amount) as amount
                             from invoices where organization_id = ${organization} and status = 'overdue'
                             group by currency) late), '[]') as overdue,
             coalesce((select json_agg(json_build_object('id', id, 'number', number, 'name', name, 'due_date', due_date,
                                                         'currency', currency, 'amount', amount)
                                       order by due_date, id)
                       from (select i.id, i.number, c.name, i.due_date, i.currency, i.total - i.paid_amount as amount
                             from invoices i
                             left join companies c on c.organization_id = i.organization_id and c.id = i.company_id
                               and (${isSeen(context, 'company', 'c')} or exists (
                                 select from clients k where k.organization_id = ${organization} and k.id = i.client_id
                                   and ${isSeen(context, 'client', 'k')}))
                             where i.organization_id = ${organization} and i.status = 'overdue'
                             order by i.due_date, i.id limit ${shownOldest}) oldest), '[]') as oldest`;
  if (!row) throw new Error('Unreachable: one row always comes');
  return row;
});
