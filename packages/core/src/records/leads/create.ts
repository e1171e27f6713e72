import type { FieldProblem } from '@dealkeep/contract';
import { canBeNamed, type Looking } from '../../change/verb/sight.ts';
import { type InputOf, isChanging, type Reading, type Sent, writes } from '../../change/verb/verb.ts';
import { lockAll, lockNumber } from '../../foundations/database/in-transaction.ts';
import { newId } from '../../foundations/database/new-id.ts';
import { amountIn } from '../../foundations/numbers/totals.ts';
import { invalidFields } from '../../foundations/problem.ts';
import { makeTags, tagIdsOf, tagProblems } from '../tags/given-tags.ts';
import { leads } from './record.ts';
import {
  chooseStage,
  companyWithoutName,
  contactWithoutName,
  emitMade,
  type FoundCompany,
  type FoundContact,
  findLeadParties,
  type LeadParties,
  leadReferenceProblems,
  makeCompany,
  makeContact,
  matchCompany,
  matchContact,
  shownOfCompany,
  shownOfContact,
} from './references.ts';
import { emitDecision, enterStage, lostReasonProblems } from './stages.ts';

export const createLead = writes('leads.create', {
  async check(context, sent) {
    const { body, isRefused } = sent;
    const referenceData = await context.referenceData();
    const parties = await findLeadParties(context, body.company_id, body.contact_id);
    const staged = ['pipeline_id', 'stage_id'].some(isRefused)
      ? undefined
      : chooseStage(referenceData, body.pipeline_id, body.stage_id);
    const stage = staged && 'stage' in staged ? staged.stage : undefined;
    const company = await companyOf(context, sent, parties);
    const existing = await existingLead(context, sent, company);
    const contact = existing ? noContact : await contactOf(context, sent, company);
    const problems = [
      ...combinationProblems((name) => Boolean(body[name]) || isRefused(name), body.dedupe),
      ...leadReferenceProblems(body, referenceData),
      ...tagProblems(context, referenceData, body),
      ...parties.problems,
      ...(staged && 'problem' in staged ? [staged.problem] : []),
      ...lostReasonProblems(stage, body, referenceData),
      ...company.problems,
      ...contact.problems,
    ];
    if (problems.length > 0 || !stage) throw invalidFields(problems);
    return { referenceData, stage, company, existing, contact: contact.found ?? parties.contact };
  },

  async run(context, { body }, { referenceData, stage, company: ofCompany, existing, contact: ofContact }) {
    const { now } = context;
    if (existing) return { ...(await leads.get(context, existing)), deduplicated: true };
    const company =
      body.company?.name && ofCompany.is === 'new'
        ? await makeCompany(context, { ...body.company, name: body.company.name })
        : (ofCompany.found ?? null);
    const contact =
      body.contact?.name && company && !ofContact
        ? await makeContact(context, company.id, { ...body.contact, name: body.contact.name })
        : ofContact;
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
      value: amountIn(referenceData.currency, body.value),
      acquisition_cost: amountIn(referenceData.currency, body.acquisition_cost),
      tag_ids: tagIds,
      company_id: company?.id ?? null,
      contact_id: contact?.id ?? null,
      assignee_ids: [...new Set(body.assignee_ids)],
      ...enterStage(fresh, stage, now, body),
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
});

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

/** The company of a new lead: one that is found, one that is to be made, none, or one that is not known. */
interface CompanyOfLead {
  readonly is: 'known' | 'new' | 'none' | 'unclear';
  readonly found?: FoundCompany;
  readonly problems: readonly FieldProblem[];
}

async function companyOf(
  context: Reading,
  { body, isRefused }: Sent<'leads.create'>,
  { company }: LeadParties,
): Promise<CompanyOfLead> {
  const unclear = { is: 'unclear', problems: [] } as const;
  const sources = ['company', 'company_id', 'contact_id'] as const;
  if (sources.some((name) => isRefused(name)) || (body.company && body.company_id)) return unclear;
  if (!body.company) {
    return company ? { is: 'known', found: company, problems: [] } : { is: 'none', problems: [] };
  }
  if (['name', 'email', 'registration_id'].some((name) => isRefused(`company.${name}`))) return unclear;
  const found = await matchCompany(context, body.company);
  if (!found && !body.company.name) return { is: 'unclear', problems: [companyWithoutName] };
  const isOther = company !== null && company.id !== found?.id;
  return {
    ...(found ? { is: 'known', found } : { is: 'new' }),
    problems: isOther ? [{ path: 'contact_id', key: 'field.contact_of_other_company' }] : [],
  };
}

const mayBeDeduplicated = ({ body, isRefused }: Sent<'leads.create'>): boolean =>
  body.dedupe === 'company' || isRefused('dedupe');

/** The lead that is answered instead of a new one. Two creates at once for one company make one lead. */
async function existingLead(
  context: Reading,
  sent: Sent<'leads.create'>,
  { found: company }: CompanyOfLead,
): Promise<string | undefined> {
  if (!company || !mayBeDeduplicated(sent)) return undefined;
  if (isChanging(context)) {
    await lockAll(context.sql, [lockNumber('dedupe-lead', context.organization, company.id)]);
  }
  return newestOpenLead(context, company.id);
}

interface ContactOfLead {
  readonly found?: FoundContact | undefined;
  readonly problems: readonly FieldProblem[];
}

const noContact: ContactOfLead = { problems: [] };

/** The inline contact, as far as there is one already; one that is to be made needs a name. */
async function contactOf(
  context: Reading,
  sent: Sent<'leads.create'>,
  company: CompanyOfLead,
): Promise<ContactOfLead> {
  const { body, isRefused } = sent;
  const { contact } = body;
  if (!contact || body.contact_id || isRefused('contact_id') || company.is === 'none') return noContact;
  if (['name', 'email'].some((name) => isRefused(`contact.${name}`))) return noContact;
  if (company.is === 'unclear' && (mayBeDeduplicated(sent) || contact.email)) return noContact;
  const found = company.found && (await matchContact(context, company.found.id, contact));
  return found || contact.name ? { found, problems: [] } : { problems: [contactWithoutName] };
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
