import { type Text, text } from '@dealkeep/contract';
import type { RecordKind } from './record-kind.ts';

/** The filters and the sort of a list under a name, as its address holds them. */
export interface DefaultView {
  readonly name: Text;
  readonly query: string;
}

const mine = (query: string): DefaultView => ({ name: text('Mine', 'Moje'), query });

/** What everybody finds above a list without saving it. */
export const defaultViews: Readonly<Partial<Record<RecordKind['resource'], readonly DefaultView[]>>> = {
  company: [mine('owner_id=me')],
  client: [mine('owner_id=me')],
  lead: [
    {
      name: text('Mine, open', 'Moje otvorené'),
      query: 'archived=false&owner_id=me&status=open',
    },
    {
      name: text('Closing this month', 'Uzavrieť tento mesiac'),
      query:
        'archived=false&expected_close_after=end-of-last-month&expected_close_before=start-of-next-month&sort=expected_close_date&status=open',
    },
  ],
  activity: [
    {
      name: text('Today', 'Dnes'),
      query: 'sort=start_at&start_after=yesterday&start_before=tomorrow',
    },
    {
      name: text('Mine, open', 'Moje otvorené'),
      query: 'assignee_id=me&sort=start_at&status=open',
    },
  ],
  task: [
    mine('archived=false&assignee_id=me&completed=false&sort=due_date'),
    {
      name: text('Overdue', 'Po termíne'),
      query: 'archived=false&completed=false&due_before=today&sort=due_date',
    },
    {
      name: text('Next 7 days', 'Najbližších 7 dní'),
      query: 'archived=false&completed=false&due_after=yesterday&due_before=in-7-days&sort=due_date',
    },
  ],
  invoice: [
    { name: text('Overdue', 'Po splatnosti'), query: 'is_overdue=true&sort=due_date' },
    { name: text('Unpaid', 'Neuhradené'), query: 'sort=due_date&status=issued,overdue' },
  ],
  quote: [{ name: text('Waiting for an answer', 'Čakajú na odpoveď'), query: 'status=sent' }],
  booking: [
    {
      name: text('Today', 'Dnes'),
      query: 'sort=starts_at&starts_after=yesterday&starts_before=tomorrow',
    },
    { name: text('To confirm', 'Na potvrdenie'), query: 'sort=starts_at&status=pending' },
  ],
  order: [
    { name: text('New', 'Nové'), query: 'status=new' },
    {
      name: text('To send', 'Na odoslanie'),
      query: 'status=confirmed,picking,packed',
    },
  ],
  product: [{ name: text('On offer', 'V ponuke'), query: 'active=true&sort=name' }],
};
