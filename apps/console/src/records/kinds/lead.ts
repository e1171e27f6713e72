import { type Lead, text } from '@dealkeep/contract';
import { possibleLeadSteps } from '@dealkeep/core/records';
import { textIn } from '../../values/shown-record.ts';
import { stateBadge } from '../../values/shown-value.ts';
import { leadBegins } from '../beginnings.ts';
import { namedLead } from '../form-rules.ts';
import { columnLabels, dueColumn } from '../list-cells.ts';
import type { Composite, Presentation } from '../presentation.ts';

/**
 * The stage with the colour of what became of the lead, so that won and lost ones are seen whatever stages are
 * called.
 */
const stageColumn: Composite = {
  label: text('Stage', 'Fáza'),
  of: ['stage', 'status'],
  whole: (record) => textIn(record, 'stage.name'),
  shown: (_, record) => stateBadge(textIn(record, 'stage.name'), textIn(record, 'status')),
};

export const lead: Presentation = {
  resource: 'lead',
  path: '/leads',
  icon: 'target',
  group: 'sales',
  key: 'l',
  object: text('the lead', 'príležitosť'),
  createLabel: text('Create lead', 'Vytvoriť príležitosť'),
  columns: [
    'name',
    'company',
    stageColumn,
    'value',
    'owner',
    dueColumn(text('Closes', 'Uzavretie'), 'expected_close_date', ({ status }) => status === 'open'),
    'created_at',
  ],
  labels: {
    origin: text('Comes from', 'Zdroj'),
    origin_id: text('Comes from', 'Zdroj'),
    acquisition_cost: text('Cost of winning it', 'Náklady na získanie'),
    expected_close_date: text('Closes', 'Uzavretie'),
    stage_entered_at: text('In this stage since', 'V tejto fáze od'),
    assignees: text('Works on it', 'Rieši'),
    assignee_ids: text('Works on it', 'Rieši'),
    won_at: text('Won', 'Vyhratá'),
    lost_at: text('Lost', 'Prehratá'),
    lost_reason: text('Why it was lost', 'Prečo je prehratá'),
    lost_reason_id: text('Why it was lost', 'Prečo je prehratá'),
    lost_note: text('About the loss', 'K prehre'),
    'stage.probability': text('Chance in percent', 'Šanca v percentách'),
    'company.registration_id': text('Registration no.', 'IČO'),
    'contact.email': text('E-mail', 'E-mail'),
    'contact.phone': text('Phone', 'Telefón'),
    company: text('Company', 'Firma'),
    note: text('Notes', 'Poznámky'),
  },
  form: [
    { fields: ['company_id', 'company', 'contact_id', 'contact', 'name', 'value'] },
    { fields: ['stage_id', 'expected_close_date', 'owner_id'] },
  ],
  more: ['assignee_ids', 'origin_id', 'acquisition_cost', 'note', 'lost_reason_id', 'lost_note'],
  begins: leadBegins,
  unexplained: ['company_id', 'stage_id', 'value'],
  page: [
    {
      heading: text('Deal', 'Obchod'),
      fields: [
        'name',
        'status',
        'stage',
        'pipeline',
        'stage_entered_at',
        'value',
        'expected_close_date',
        'won_at',
        'lost_at',
        'lost_reason',
        'lost_note',
      ],
    },
    { heading: columnLabels.customer, fields: ['company', 'contact', 'client'] },
    {
      heading: text('About', 'O príležitosti'),
      fields: [
        'owner',
        'assignees',
        'origin',
        'acquisition_cost',
        'tags',
        'note',
        'created_at',
        'updated_at',
        'archived_at',
      ],
    },
  ],
  leftOut: {
    page: {
      id: 'the address of the page holds it',
      app_url: 'it is this page',
      deduplicated: 'only the answer to a program that creates says it',
    },
    form: {
      pipeline_id: 'the stage says it',
      dedupe: 'of somebody who types, the new company is found by its name instead',
    },
  },
  rules: [namedLead],
  teaches: text(
    'Business that may come about, from the first question to won or lost.',
    'Obchody, ktoré môžu vzniknúť, od prvej otázky po výhru alebo prehru.',
  ),
  automates: text(
    'An automation in Zapier, n8n or Activepieces can make one of each message of your web form, and tell your chat when one is won.',
    'Automatizácia v Zapieri, n8n alebo Activepieces ju môže vytvoriť z každej správy webového formulára a výhru oznámiť v chate.',
  ),
  possible: (record) => possibleLeadSteps(record as Lead),
  views: [
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
};
