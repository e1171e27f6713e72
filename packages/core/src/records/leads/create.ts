import type { FieldProblem } from '@dealkeep/contract';
import type { Refused, ValidPart } from '../../change/verb/check-input.ts';
import { canBeNamed, type Looking } from '../../change/verb/sight.ts';
import { type InputOf, type Reading, writes } from '../../change/verb/verb.ts';
import { lockAll, lockNumber } from '../../foundations/database/in-transaction.ts';
import { newId } from '../../foundations/database/new-id.ts';
import { amountIn } from '../../foundations/numbers/totals.ts';
import { invalidField, invalidFields } from '../../foundations/problem.ts';
import { makeTags, tagIdsOf, tagProblems } from '../tags/given-tags.ts';
import { leads } from './record.ts';
import {
  type CompanyOfNewLead,
  chooseStage,
  companyWithoutName,
  contactWithoutName,
  emitMade,
  findCompany,
  findContact,
  findLeadParties,
  type InlineCompany,
  type InlineContact,
  type LeadParties,
  leadReferenceProblems,
  matchOrCreateCompany,
  matchOrCreateContact,
  shownOfCompany,
  shownOfContact,
} from './references.ts';
import { emitDecision, enterStage, lostReasonProblems } from './stages.ts';

export const createLead = writes(
  'leads.create',
  async (context, { body }) => {
    const { sql, organization, now } = context;
    const directory = await context.directory();
    const parties = await findLeadParties(context, body.company_id, body.contact_id);
    const chosen = chooseStage(directory, body.pipeline_id, body.stage_id);
    const problems = [
      ...combinationProblems((name) => Boolean(body[name]), body.dedupe),
      ...leadReferenceProblems(body, directory),
      ...tagProblems(context, directory, body),
      ...parties.problems,
      ...('problem' in chosen ? [chosen.problem] : lostReasonProblems(chosen.stage, body, directory)),
    ];
    if (problems.length > 0 || 'problem' in chosen) throw invalidFields(problems);

    const company: CompanyOfNewLead | null = body.company
      ? await matchOrCreateCompany(context, body.company)
      : parties.company;
    if (company && parties.company && company.id !== parties.company.id) {
      throw invalidField('contact_id', 'field.contact_of_other_company');
    }
    // A company that was made just now has no lead, and nobody else sees it yet.
    if (company && !company.made && body.dedupe === 'company') {
      // Two creates at once for one company come one after another, so that they make one lead.
      await lockAll(sql, [lockNumber('dedupe-lead', organization, company.id)]);
      const existing = await newestOpenLead(context, company.id);
      if (existing) return { ...(await leads.get(context, existing)), deduplicated: true };
    }
    const contact =
      body.contact && company ? await matchOrCreateContact(context, company, body.contact) : parties.contact;
    emitMade(context, company, contact);
    // Not before: a lead that is there already is answered without a trace.
    const tagIds = tagIdsOf(await makeTags(context, body), body, []) ?? [];

    const fresh = {
      status: 'open',
      won_at: null,
      lost_at: null,
      lost_reason_id: null,
      lost_note: null,
    } as const;
    const lead = {
      ...leads.valuesOf(body),
      id: newId(),
      name: body.name ?? company?.name ?? null,
      value: amountIn(directory.currency, body.value),
      acquisition_cost: amountIn(directory.currency, body.acquisition_cost),
      tag_ids: tagIds,
      company_id: company?.id ?? null,
      contact_id: contact?.id ?? null,
      assignee_ids: [...new Set(body.assignee_ids)],
      ...enterStage(fresh, chosen.stage, now, body),
      created_at: now,
      updated_at: now,
    };
    const joined = { ...shownOfCompany(company), ...shownOfContact(contact) };
    const row = await leads.insertWhole(context, lead, { joined });
    const created = await leads.recordOf(context, row);
    context.emit('lead.created', created);
    emitDecision(context, 'open', created);
    return created;
  },
  { further: furtherNewLeadProblems },
);

type Body = InputOf<'leads.create'>['body'];
type Named = 'company' | 'company_id' | 'contact' | 'contact_id';

/** Fields that exclude or need each other. */
function combinationProblems(
  given: (name: Named) => boolean,
  dedupe: Body['dedupe'] | undefined,
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const either = (one: Named, other: Named): FieldProblem => ({
    path: one,
    key: 'field.either',
    values: { one, other },
  });
  if (given('company') && given('company_id')) problems.push(either('company', 'company_id'));
  if (given('contact') && given('contact_id')) problems.push(either('contact', 'contact_id'));
  const hasCompany = given('company') || given('company_id') || given('contact_id');
  if (given('contact') && !hasCompany) problems.push({ path: 'contact', key: 'field.needs_company' });
  if (dedupe === 'company' && !hasCompany) problems.push({ path: 'dedupe', key: 'field.needs_company' });
  return problems;
}

/**
 * What else is wrong with a new lead that is refused anyway. Its inline company and contact are looked up, but not
 * made.
 */
async function furtherNewLeadProblems(context: Reading, refused: Refused<Body>): Promise<FieldProblem[]> {
  const { part, isRefused } = refused;
  const directory = await context.directory();
  const staged =
    isRefused('pipeline_id') || isRefused('stage_id')
      ? undefined
      : chooseStage(directory, part.pipeline_id, part.stage_id);
  const parties = await findLeadParties(context, part.company_id, part.contact_id);
  const company = await companyOf(context, refused, parties);
  return [
    ...combinationProblems((name) => Boolean(part[name]) || isRefused(name), part.dedupe),
    ...leadReferenceProblems({ ...part, assignee_ids: [] }, directory),
    ...tagProblems(context, directory, part),
    ...parties.problems,
    ...(staged && 'problem' in staged ? [staged.problem] : []),
    ...lostReasonProblems(staged && 'stage' in staged ? staged.stage : undefined, part, directory),
    ...company.problems,
    ...(await contactProblems(context, refused, company)),
  ];
}

/** The company of a new lead: an existing one, one that will be made, none, or not known yet. */
interface CompanyOfLead {
  readonly is: 'known' | 'new' | 'none' | 'unclear';
  readonly id?: string;
  readonly problems: readonly FieldProblem[];
}

async function companyOf(
  context: Reading,
  { part, isRefused }: Refused<Body>,
  { company }: LeadParties,
): Promise<CompanyOfLead> {
  const unclear = { is: 'unclear', problems: [] } as const;
  const sources = ['company', 'company_id', 'contact_id'] as const;
  if (sources.some((name) => isRefused(name)) || (part.company && part.company_id)) return unclear;
  if (!part.company) {
    return company ? { is: 'known', id: company.id, problems: [] } : { is: 'none', problems: [] };
  }
  if (['name', 'email', 'registration_id'].some((name) => isRefused(`company.${name}`))) return unclear;
  const match = await findCompany(context, part.company satisfies ValidPart<InlineCompany>);
  if (!match && !part.company.name) return { is: 'unclear', problems: [companyWithoutName] };
  const isOther = company !== null && company.id !== match?.id;
  return {
    ...(match ? { is: 'known', id: match.id } : { is: 'new' }),
    problems: isOther ? [{ path: 'contact_id', key: 'field.contact_of_other_company' }] : [],
  };
}

/** A contact that is to be made needs a name. */
async function contactProblems(
  context: Reading,
  { part, isRefused }: Refused<Body>,
  company: CompanyOfLead,
): Promise<readonly FieldProblem[]> {
  const { contact } = part;
  if (!contact || contact.name || ['name', 'email'].some((name) => isRefused(`contact.${name}`))) return [];
  if (company.is === 'none' || part.contact_id || isRefused('contact_id')) return [];
  const mayBeDeduplicated = part.dedupe === 'company' || isRefused('dedupe');
  if (mayBeDeduplicated && company.is === 'unclear') return [];
  if (mayBeDeduplicated && company.id && (await newestOpenLead(context, company.id))) return [];
  if (!contact.email || company.is === 'new') return [contactWithoutName];
  if (!company.id) return [];
  const match = await findContact(context, company.id, contact satisfies ValidPart<InlineContact>);
  return match ? [] : [contactWithoutName];
}

/**
 * The id of a company's newest lead that the actor can name and that is open and not archived: what `dedupe=company`
 * answers.
 */
async function newestOpenLead(looking: Looking, companyId: string): Promise<string | undefined> {
  const { sql, organization } = looking;
  const [row] = await sql<{ id: string }[]>`
    select id from leads
    where organization_id = ${organization} and company_id = ${companyId} and status = 'open' and archived_at is null
      and ${canBeNamed(looking, 'lead', 'leads')}
    order by created_at desc, id desc limit 1`;
  return row?.id;
}
