import type { FieldProblem } from '@dealkeep/contract';
import type { Refused, ValidPart } from '../verb/further-problems.ts';
import type { InputOf, Reading } from '../verb/verb.ts';
import { findLeadPeople, type LeadPeople } from './lead-people.ts';
import { chooseStage, leadReferenceProblems } from './lead-references.ts';
import { companyWithoutName, findCompany, type InlineCompany } from './match-company.ts';
import { contactWithoutName, findContact, type InlineContact } from './match-contact.ts';
import { newestOpenLead } from './newest-open-lead.ts';

type Body = InputOf<'leads.create'>['body'];
type Named = 'company' | 'company_id' | 'contact' | 'contact_id';

/** What cannot stand beside each other, or not without each other. */
export function combinationProblems(
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

/** What is wrong with a new lead that is refused anyway; whom it means inline is looked up, and not made. */
export async function furtherNewLeadProblems(
  context: Reading,
  refused: Refused<Body>,
): Promise<FieldProblem[]> {
  const { part, isRefused } = refused;
  const directory = await context.directory();
  const staged =
    isRefused('pipeline_id') || isRefused('stage_id')
      ? undefined
      : chooseStage(directory, part.pipeline_id, part.stage_id);
  const people = await findLeadPeople(context, part.company_id, part.contact_id);
  const company = await companyOf(context, refused, people);
  return [
    ...combinationProblems((name) => Boolean(part[name]) || isRefused(name), part.dedupe),
    ...leadReferenceProblems({ ...part, assignee_ids: [] }, directory),
    ...people.problems,
    ...(staged && 'problem' in staged ? [staged.problem] : []),
    ...company.problems,
    ...(await contactProblems(context, refused, company)),
  ];
}

/** The company that a lead will be of: one that there is, one that is made, none, or nobody can say yet. */
interface CompanyOfLead {
  readonly is: 'known' | 'new' | 'none' | 'unclear';
  readonly id?: string;
  readonly problems: readonly FieldProblem[];
}

async function companyOf(
  context: Reading,
  { part, isRefused }: Refused<Body>,
  { company }: LeadPeople,
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
