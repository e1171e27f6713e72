import { CreateQuote, fieldsOf, ListQuotes, type Permission, type Quote, text } from '@dealkeep/contract';
import {
  actAsUser,
  createQuote,
  listQuotes,
  type NewQuote,
  possibleQuoteSteps,
  quoteProblems,
  readingOf,
  readQuote,
} from '@dealkeep/core';
import * as z from 'zod';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { quoteForSomebody } from './form-rules.ts';
import { queryOf } from './query.ts';
import type { RecordKind } from './record-kind.ts';
import { quoteSteps } from './record-steps.ts';

const resource = 'quote';
const view: readonly Permission[] = ['budget.view'];
const create: readonly Permission[] = ['budget.create', 'budget.edit'];

const scopeOf = (c: ConsoleContext, { id }: { id: string }) => {
  const core = c.get('core');
  return { core, organization: id, now: core.clock.now().toISOString(), ...readingOf(core, id) };
};

/** Quotes have no API operations: core lists, makes and decides them for the console alone. */
export const quotes: RecordKind = {
  resource,
  path: '/quotes',
  idField: 'id',
  query: ListQuotes,
  columns: ['number', 'status', 'company', 'lead', 'total', 'valid_until', 'created_at'],
  teaches: text(
    'What you offered, at which price, and what the customer said.',
    'Čo ste ponúkli, za akú cenu a čo povedal zákazník.',
  ),
  automates: text(
    'A Zap or an n8n workflow can tell your chat when one is accepted, or make the invoice of it.',
    'Zap alebo n8n workflow môže prijatie oznámiť v chate alebo z nej vytvoriť faktúru.',
  ),
  permissions: view,
  titleOf: ({ number }) => String(number ?? ''),
  list: (c, pairs) =>
    actAsUser(c.get('core'), sessionOf(c), { resource, permissions: view }, async (organization) => {
      return listQuotes(scopeOf(c, organization), queryOf(ListQuotes, pairs));
    }),
  get: (c, id) =>
    actAsUser(c.get('core'), sessionOf(c), { resource, permissions: view }, async (organization) => {
      const known = z.uuid().safeParse(id).success;
      return readQuote(scopeOf(c, organization), known ? id : nobody);
    }),
  create: {
    fields: fieldsOf(CreateQuote),
    problemsOf: (c, body) => quoteProblems(c.get('core'), sessionOf(c).organization, body),
    rules: [quoteForSomebody],
    permissions: create,
    run: (c, body, { once }) => {
      const [core, session] = [c.get('core'), sessionOf(c)];
      return actAsUser(core, session, { resource, permissions: create }, async (organization) => {
        // The verb checks by the contract what the form says.
        const form = { person: session.user.id, key: once, input: body };
        return createQuote(core, organization, body as NewQuote, form);
      });
    },
  },
  stepsOf: (record) => possibleQuoteSteps(record as Quote).map((step) => quoteSteps[step]),
};

/** The id of no record. */
const nobody = '00000000-0000-0000-0000-000000000000';
