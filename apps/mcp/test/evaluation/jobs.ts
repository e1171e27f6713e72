import { expect } from 'vitest';
import { type Api, found, leadCalled, type Question } from './questions.ts';

/** What these jobs are about besides the demo: an order to invoice again. */
export async function setUp(api: Api): Promise<void> {
  const { data: company } = (await api.get('/companies', { q: 'Gemer Dental' })).page;
  await api.post('/orders', {
    customer: { name: 'Gemer Dental s.r.o.', company_uuid: company[0]?.id },
    items: [{ sku: 'CHAIR', quantity: 2, unit_price: 150 }],
  });
}

/** What the order has, as an invoice. */
const again = {
  company: 'Gemer Dental s.r.o.',
  items: [{ name: 'CHAIR', quantity: 2, unit_price: 150 }],
};

const booking = {
  service: 'Consultation',
  starts_at: 'tomorrow 10:00',
  customer: { name: 'Jana Malá', email: 'jana.mala@customer.example' },
};

/** Ten more jobs, which a small business gives to an assistant that may do everything. */
export const jobs: readonly Question[] = [
  {
    asks: 'What do I have to do today?',
    calls: [
      { tool: 'get_me', arguments: {} },
      {
        tool: 'list_tasks',
        arguments: {
          assignee: 'me',
          completed: false,
          archived: false,
          due_after: 'yesterday',
          due_before: 'tomorrow',
        },
      },
      {
        tool: 'list_activities',
        arguments: { assignee: 'me', status: 'open', start_after: 'today', start_before: 'tomorrow' },
      },
    ],
    answers: [/today: 2026-10-01/, /tasks/, /activities/],
  },
  {
    asks: 'Move the solar panels to lost: too expensive.',
    calls: [
      {
        tool: 'move_lead',
        arguments: { lead: 'Solar panels', stage: 'Lost', lost_reason: 'too expensive' },
      },
      // The answer names the lost reasons that there are.
      {
        tool: 'move_lead',
        arguments: (read) => ({
          lead: 'Solar panels',
          stage: 'Lost',
          lost_reason: found(read.at(-1), /- "(Price[^"]*|[^"]*expensive[^"]*|[^"]*price[^"]*)"/i),
          lost_note: 'Too expensive.',
        }),
      },
    ],
    answers: [/lost_reason: No lost reason is called "too expensive"/, /status: lost/],
    async ends(api) {
      expect(await leadCalled(api, 'Solar panels', 'Nový Mlyn s.r.o.')).toMatchObject({ status: 'lost' });
    },
  },
  {
    asks: 'How much is open, by stage?',
    calls: [{ tool: 'sum_leads', arguments: { status: 'open', archived: false, by: 'stage' } }],
    answers: [/In all: \d+ records, [\d.]+ EUR/, /- Negotiation: /],
  },
  {
    asks: 'Invoice the last order of Gemer Dental again.',
    calls: [
      { tool: 'list_orders', arguments: { company: 'Gemer Dental s.r.o.', sort: '-created_at', limit: 1 } },
      { tool: 'create_invoice', arguments: again },
      {
        tool: 'create_invoice',
        arguments: (read) => ({
          ...again,
          confirm: true,
          confirmation: found(read.at(-1), /confirmation: "([^"]+)"/),
        }),
      },
    ],
    answers: [/sku CHAIR, quantity 2, unit_price 150/, /Created invoice/, /total: 300/],
  },
  {
    asks: 'Who owes us money?',
    calls: [{ tool: 'sum_invoices', arguments: { status: ['issued', 'overdue'], by: 'company' } }],
    answers: [/In all: .* to be paid/],
  },
  {
    asks: 'Book Jana Malá with Marek for a consultation tomorrow at 10.',
    calls: [
      { tool: 'create_booking', arguments: { ...booking, staff: 'Marek' } },
      // The answer names the staff, of whom one is called Marek.
      {
        tool: 'create_booking',
        arguments: (read) => ({ ...booking, staff: found(read.at(-1), /- "(Marek [^"]+)"/) }),
      },
    ],
    answers: [/Created booking/, /starts_at: 2026-10-02T08:00:00.000Z/],
  },
  {
    asks: 'A new customer called: Lesný Dvor s.r.o., Adam Horský, 12 garden benches for 2,400 euros. It is mine.',
    calls: [
      {
        tool: 'create_lead',
        arguments: {
          name: 'Garden benches',
          company: { name: 'Lesný Dvor s.r.o.' },
          contact: { name: 'Adam Horský' },
          value: 2400,
          owner: 'me',
        },
      },
    ],
    answers: [/Created lead "Garden benches"/],
    async ends(api) {
      expect(await leadCalled(api, 'Garden benches', 'Lesný Dvor s.r.o.')).toMatchObject({
        value: 2400,
        contact: { name: 'Adam Horský' },
      });
    },
  },
  {
    asks: 'How many leads do we have, and which are the newest?',
    calls: [{ tool: 'list_leads', arguments: { limit: 100 } }],
    answers: [/\d+ of \d+ records \(leads\)/, /Garden benches/],
  },
  {
    asks: 'How much did we win, month by month?',
    calls: [{ tool: 'sum_leads', arguments: { status: 'won', by: 'won_month' } }],
    answers: [/- 2026-\d\d: \d+ records?, /],
  },
  {
    asks: 'Remind me tomorrow to call Adam about the benches.',
    calls: [
      {
        tool: 'create_task',
        arguments: {
          title: 'Call Adam about the benches',
          lead: 'Garden benches',
          assignees: ['me'],
          due_date: 'tomorrow',
        },
      },
    ],
    answers: [/due_date: 2026-10-02/],
    async ends(api) {
      const { data } = (await api.get('/tasks', { q: 'Call Adam' })).page;
      expect(data).toMatchObject([{ due_date: '2026-10-02', lead: { name: 'Garden benches' } }]);
    },
  },
];
