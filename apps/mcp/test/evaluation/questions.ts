import type { TestDealkeep } from '@dealkeep/testing';
import { expect } from 'vitest';

export type Api = ReturnType<TestDealkeep['as']>;

/** What the model reads of the answers so far, the last one last. */
type Read = readonly string[];

/** A call as a sensible assistant would make it, knowing the question, the tools and what it was answered so far. */
export interface AssistantCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>> | ((read: Read) => Readonly<Record<string, unknown>>);
}

export interface Question {
  /** What a salesperson asks for. */
  readonly asks: string;
  readonly calls: readonly AssistantCall[];
  /** What the last answer must say, for the assistant to answer with. */
  readonly answers: readonly RegExp[];
  /** What must be true of the records afterwards. */
  ends?(api: Api): Promise<void>;
}

/** The first text of an answer that looks like this; its group where it has one. */
export function found(text: string | undefined, pattern: RegExp): string {
  const [whole, group] = pattern.exec(text ?? '') ?? [];
  if (whole === undefined) throw new Error(`Nothing like ${pattern} was answered:\n${text}`);
  return group ?? whole;
}

export const leadCalled = async (api: Api, name: string, company: string) =>
  (await api.walk('/leads', { q: name })).find((lead) => lead.company?.name === company);

/** Ten tasks of a salesperson with the demo organization, on the first of October 2026. */
export const questions: readonly Question[] = [
  {
    asks: 'Who do we talk to at Tatra Bikes, and what is open with them?',
    calls: [
      { tool: 'search', arguments: { query: 'Tatra Bikes' } },
      { tool: 'list_contacts', arguments: { company: 'Tatra Bikes s.r.o.', is_primary: true } },
      { tool: 'list_leads', arguments: { company: 'Tatra Bikes s.r.o.', status: 'open' } },
    ],
    answers: [/Employee training/, /New website/, /Peter Šimko/],
  },
  {
    asks: 'Enter this business card: Eva Hudáková, Purchasing manager, Nový Mlyn s.r.o., eva@novymlyn.example, +421 905 777 888.',
    calls: [
      { tool: 'create_or_update_company', arguments: { match_by: 'name', name: 'Nový Mlyn s.r.o.' } },
      {
        tool: 'create_or_update_contact',
        arguments: {
          match_by: 'email',
          company: 'Nový Mlyn s.r.o.',
          name: 'Eva Hudáková',
          position: 'Purchasing manager',
          email: 'eva@novymlyn.example',
          phone: '+421 905 777 888',
        },
      },
    ],
    answers: [/Eva Hudáková/, /Nový Mlyn/],
    async ends(api) {
      const { data } = (await api.get('/contacts', { q: 'eva@novymlyn.example' })).page;
      expect(data).toMatchObject([{ position: 'Purchasing manager', company: { name: 'Nový Mlyn s.r.o.' } }]);
    },
  },
  {
    asks: 'Nový Mlyn wants solar panels for about 18,500 euros by the end of January. Make a lead of it and plan a call with Eva tomorrow at ten.',
    calls: [
      {
        tool: 'create_lead',
        arguments: {
          name: 'Solar panels',
          company: 'Nový Mlyn s.r.o.',
          contact: 'Eva Hudáková',
          value: 18500,
          expected_close_date: '2027-01-31',
        },
      },
      {
        tool: 'create_activity',
        arguments: {
          name: 'Call about the solar panels',
          type: 'Phone call',
          company: 'Nový Mlyn s.r.o.',
          lead: 'Solar panels',
          start_at: 'tomorrow 10:00',
          end_at: 'tomorrow 10:30',
        },
      },
    ],
    answers: [/Call about the solar panels/, /Solar panels/],
    async ends(api) {
      expect(await leadCalled(api, 'Solar panels', 'Nový Mlyn s.r.o.')).toMatchObject({
        value: 18500,
        contact: { name: 'Eva Hudáková' },
      });
    },
  },
  {
    asks: 'Move the summer campaign to Contacted; they answered today.',
    calls: [
      { tool: 'move_lead', arguments: { lead: 'Summer campaign', stage: 'Contacted' } },
      // Several are called so; the model asks the user, who means the one of Považie Stav.
      {
        tool: 'move_lead',
        arguments: { lead: 'Summer campaign (Považie Stav s.r.o.)', stage: 'Contacted' },
      },
    ],
    answers: [/Contacted/],
    async ends(api) {
      expect(await leadCalled(api, 'Summer campaign', 'Považie Stav s.r.o.')).toMatchObject({
        stage: { name: 'Contacted' },
      });
    },
  },
  {
    asks: 'We lost the office refurbishment of Hron Dizajn: they have no budget this year.',
    calls: [
      { tool: 'list_leads', arguments: { company: 'Hron Dizajn s.r.o.', status: 'open' } },
      {
        tool: 'move_lead',
        arguments: {
          lead: 'Office refurbishment (Hron Dizajn s.r.o.)',
          stage: 'Lost',
          lost_reason: 'No budget',
          lost_note: 'No budget this year.',
        },
      },
    ],
    answers: [/lost/i, /No budget/],
    async ends(api) {
      expect(await leadCalled(api, 'Office refurbishment', 'Hron Dizajn s.r.o.')).toMatchObject({
        status: 'lost',
        lost_reason: { name: 'No budget' },
      });
    },
  },
  {
    asks: 'What are our three largest open leads in negotiation?',
    calls: [
      {
        tool: 'list_leads',
        arguments: { pipeline: 'Sales', stage: 'Negotiation', status: 'open', sort: '-value', limit: 3 },
      },
    ],
    answers: [/39,?690\.5/, /Kriváň Bikes/],
  },
  {
    asks: 'What has changed since this morning?',
    calls: [{ tool: 'what_changed', arguments: { since: '2026-10-01T06:00:00Z' } }],
    answers: [/Summer campaign/, /Solar panels/],
  },
  {
    asks: 'Remind me to send the contract to Gemer Dental by Friday. And the price offer for Hron Dizajn is done.',
    calls: [
      {
        tool: 'create_task',
        arguments: { title: 'Send the contract', company: 'Gemer Dental s.r.o.', due_date: '2026-10-02' },
      },
      { tool: 'list_tasks', arguments: { q: 'price offer', completed: false } },
      {
        tool: 'update_task',
        arguments: { task: 'Prepare the price offer (Hron Dizajn s.r.o.)', completed: true },
      },
    ],
    answers: [/Prepare the price offer/],
    async ends(api) {
      const { data } = (await api.get('/tasks', { q: 'Prepare the price offer', completed: true })).page;
      expect(data.map(({ company }) => company?.name)).toContain('Hron Dizajn s.r.o.');
    },
  },
  {
    asks: 'The follow-up call with Karpaty Nábytok is done.',
    calls: [
      { tool: 'list_activities', arguments: { company: 'Karpaty Nábytok s.r.o.', status: 'open' } },
      {
        tool: 'complete_activity',
        arguments: (read) => ({ activity: found(read.at(-1), /[0-9a-f]{8}-[0-9a-f-]{27}/) }),
      },
    ],
    answers: [/Follow-up call/, /closed/i],
    async ends(api) {
      const { data } = (await api.get('/activities', { q: 'Follow-up call', status: 'closed' })).page;
      expect(data.map(({ company }) => company?.name)).toContain('Karpaty Nábytok s.r.o.');
    },
  },
  {
    asks: 'Archive the yearly service contract of Hron Reality; it was entered by mistake.',
    calls: [
      { tool: 'archive_lead', arguments: { lead: 'Yearly service contract (Hron Reality s.r.o.)' } },
      {
        tool: 'archive_lead',
        arguments: (read) => ({
          lead: 'Yearly service contract (Hron Reality s.r.o.)',
          confirm: true,
          confirmation: found(read.at(-1), /confirmation: "([^"]+)"/),
        }),
      },
    ],
    answers: [/archived/i],
    async ends(api) {
      expect(await leadCalled(api, 'Yearly service contract', 'Hron Reality s.r.o.')).toMatchObject({
        archived_at: '2026-10-01T08:00:00.000Z',
      });
    },
  },
];
