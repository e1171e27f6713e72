import { type Company, type Contact, comparisonForm, type FieldProblem } from '@dealkeep/contract';
import type { ValidPart } from '../../change/verb/check-input.ts';
import { canBeNamed, type Looking, sightOf } from '../../change/verb/sight.ts';
import {
  type Changing,
  type InputOf,
  isChanging,
  type Reading,
  type Writing,
} from '../../change/verb/verb.ts';
import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import { findLocked, lockNumber } from '../../foundations/database/in-transaction.ts';
import { type Actor, isCredential } from '../../identity/credentials/credential.ts';
import { canChoose, type ReferenceData, type Stage } from '../../identity/reference-data/reference-data.ts';
import { withContacts } from '../companies/record.ts';
import { insertCompany } from '../companies/write.ts';
import { lockContactsOf } from '../contacts/record.ts';
import { insertContact } from '../contacts/write.ts';

interface LeadReferences {
  owner_id?: string | null | undefined;
  origin_id?: string | null | undefined;
  /** An undefined one was refused already. */
  assignee_ids?: readonly (string | undefined)[] | null | undefined;
}

/** Users and origins that a lead's body names must exist, for a lead that had these; answers the failing fields. */
export function leadReferenceProblems(
  body: LeadReferences,
  referenceData: ReferenceData,
  had: { origin_id: string | null } = { origin_id: null },
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (body.owner_id && !referenceData.users.has(body.owner_id)) {
    problems.push({ path: 'owner_id', key: 'field.not_found' });
  }
  if (body.origin_id && !canChoose(referenceData.origins, body.origin_id, had.origin_id)) {
    problems.push({ path: 'origin_id', key: 'field.not_found' });
  }
  for (const [index, id] of (body.assignee_ids ?? []).entries()) {
    if (id === undefined || referenceData.users.has(id)) continue;
    problems.push({ path: `assignee_ids[${index}]`, key: 'field.not_found' });
  }
  return problems;
}

/** The stage that a pipeline and a stage, each perhaps absent, mean together. */
export function chooseStage(
  referenceData: ReferenceData,
  pipelineId: string | null | undefined,
  stageId: string | null | undefined,
): { stage: Stage } | { problem: FieldProblem } {
  if (pipelineId && !referenceData.pipelines.has(pipelineId)) {
    return { problem: { path: 'pipeline_id', key: 'field.not_found' } };
  }
  if (stageId) {
    const stage = referenceData.stages.get(stageId);
    if (!stage) return { problem: { path: 'stage_id', key: 'field.not_found' } };
    if (pipelineId && stage.pipeline_id !== pipelineId) {
      return { problem: { path: 'stage_id', key: 'field.stage_of_other_pipeline' } };
    }
    return { stage };
  }
  const pipeline = pipelineId
    ? referenceData.pipelines.get(pipelineId)
    : [...referenceData.pipelines.values()].find((each) => each.is_default);
  if (!pipeline) return { problem: { path: 'pipeline_id', key: 'field.no_pipeline' } };
  const stage = pipeline.stages.find((each) => each.kind === 'open');
  return stage ? { stage } : { problem: { path: 'pipeline_id', key: 'field.no_open_stage' } };
}

/** A company that there is, with what a lead shows of it. */
export interface FoundCompany {
  readonly id: string;
  readonly name: string;
  readonly registration_id: string | null;
  readonly client_id: string | null;
}

/** A contact that there is, with what a lead shows of it. */
export interface FoundContact {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly phone: string | null;
}

/** What a lead shows of its company. */
export const shownOfCompany = (company: FoundCompany | null) => ({
  company_name: company?.name ?? null,
  company_registration_id: company?.registration_id ?? null,
  client_id: company?.client_id ?? null,
});

/** What a lead shows of its contact. */
export const shownOfContact = (contact: FoundContact | null) => ({
  contact_name: contact?.name ?? null,
  contact_email: contact?.email ?? null,
  contact_phone: contact?.phone ?? null,
});

interface ContactWithCompany extends FoundContact {
  readonly company: FoundCompany;
}

/** A `FoundCompany` of the company `c` and its client `k`. */
const foundCompany = (sql: Statements): Fragment => sql`
  json_build_object('id', c.id, 'name', c.name, 'registration_id', c.registration_id, 'client_id', k.id)`;
const clientOfCompany = (sql: Statements, organization: string): Fragment => sql`
  left join clients k on k.organization_id = ${organization} and k.company_id = c.id`;

export interface LeadParties {
  company: FoundCompany | null;
  contact: FoundContact | null;
  problems: FieldProblem[];
}

/**
 * The company and contact that a lead's ids name. A contact brings its company along; one of another company fails.
 */
export async function findLeadParties(
  { sql, organization }: Reading,
  companyId: string | null | undefined,
  contactId: string | null | undefined,
): Promise<LeadParties> {
  if (!companyId && !contactId) return { company: null, contact: null, problems: [] };
  const [found] = await sql<{ company: FoundCompany | null; contact: ContactWithCompany | null }[]>`
    select (select ${foundCompany(sql)} from companies c ${clientOfCompany(sql, organization)}
            where c.organization_id = ${organization} and c.id = ${companyId ?? null}) as company,
           (select json_build_object('id', t.id, 'name', t.name, 'email', t.email, 'phone', t.phone,
                                     'company', ${foundCompany(sql)})
            from contacts t join companies c on c.organization_id = t.organization_id and c.id = t.company_id
            ${clientOfCompany(sql, organization)}
            where t.organization_id = ${organization} and t.id = ${contactId ?? null}) as contact`;
  const { company = null, contact = null } = found ?? {};
  const problems: FieldProblem[] = [];
  if (companyId && !company) problems.push({ path: 'company_id', key: 'field.not_found' });
  if (contactId && !contact) problems.push({ path: 'contact_id', key: 'field.not_found' });
  if (company && contact && contact.company.id !== company.id) {
    problems.push({ path: 'contact_id', key: 'field.contact_of_other_company' });
  }
  return { company: company ?? contact?.company ?? null, contact, problems };
}

type NewLead = InputOf<'leads.create'>['body'];
export type InlineCompany = NonNullable<NewLead['company']>;
export type InlineContact = NonNullable<NewLead['contact']>;

/** A company of a new lead, and its record where it was made for it. */
export interface CompanyOfNewLead extends FoundCompany {
  readonly made?: Company;
}

/** A contact of a new lead, and its record where it was made for it. */
interface ContactOfNewLead extends FoundContact {
  readonly made?: Contact;
}

/**
 * The company that there is already of those that an inline description can mean: matched by registration id, else
 * e-mail, else name; an e-mail or name match is dropped when both sides have different registration ids; of several
 * the oldest. Changes with the same match value wait for each other, so that two of them make one company.
 */
export function matchCompany(
  context: Reading,
  described: ValidPart<InlineCompany>,
): Promise<FoundCompany | undefined> {
  const { registration_id, email, name } = described;
  const find = (): Promise<FoundCompany | undefined> => findCompany(context, described);
  if (!isChanging(context)) return find();
  const values = [registration_id, email && comparisonForm(email), name && comparisonForm(name)];
  const locks = values.flatMap((value, kind) =>
    value ? [lockNumber('match-company', context.organization, String(kind), value)] : [],
  );
  return findLocked(context.sql, locks, find);
}

/** Makes the company of a new lead that is there under no name yet. */
export async function makeCompany(
  context: Writing,
  described: InlineCompany & { readonly name: string },
): Promise<CompanyOfNewLead> {
  const made = await insertCompany(context, { ...described, ...ownCompany(context.actor) });
  return { id: made.id, name: made.name, registration_id: made.registration_id, client_id: null, made };
}

/** Who sees only companies of their own becomes the owner of those that they make, and sees them. */
const ownCompany = (actor: Actor): { owner_id?: string } =>
  isCredential(actor) && sightOf(actor, 'company') === 'own' ? { owner_id: actor.user.id } : {};

/** The problem of a company that is to be made without a name. */
export const companyWithoutName = {
  path: 'company.name',
  key: 'field.required',
} as const satisfies FieldProblem;

/** The company that there is already, among those that the actor can name. */
async function findCompany(
  looking: Looking,
  { email, name, registration_id }: ValidPart<InlineCompany>,
): Promise<FoundCompany | undefined> {
  const { sql, organization } = looking;
  // An empty registration id counts as none.
  const registrationId = registration_id || null;
  const [match] = await sql<FoundCompany[]>`
    select c.id, c.name, c.registration_id, k.id as client_id from (
      select organization_id, id, name, registration_id, created_at, case
        when registration_id = ${registrationId} then 1
        when comparison_form(email) = comparison_form(${email ?? null}) then 2
        else 3 end as rank
      from companies
      where organization_id = ${organization} and ${canBeNamed(looking, 'company', 'companies')}
        and (registration_id = ${registrationId}
          or ((comparison_form(email) = comparison_form(${email ?? null}) or comparison_form(name) = comparison_form(${name ?? null}))
            and (coalesce(registration_id, '') = '' or ${registrationId}::text is null
              or registration_id = ${registrationId})))
    ) as c ${clientOfCompany(sql, organization)}
    order by rank, c.created_at, c.id limit 1`;
  return match;
}

/** The contact of a company that there is already, matched by e-mail, else name. */
export async function matchContact(
  context: Reading,
  companyId: string,
  described: ValidPart<InlineContact>,
): Promise<FoundContact | undefined> {
  if (isChanging(context)) await lockContactsOf(context, companyId);
  return findContact(context, companyId, described);
}

/** Makes the contact of a new lead. */
export async function makeContact(
  context: Writing,
  companyId: string,
  described: InlineContact & { readonly name: string },
): Promise<ContactOfNewLead> {
  const { contact } = await insertContact(context, { ...described, company_id: companyId });
  const { id, name, email = null, phone = null } = contact;
  return { id, name, email, phone, made: contact };
}

/** Says what was made for a lead: a company with the contact that it has by now. */
export function emitMade(
  context: Changing,
  company: CompanyOfNewLead | null,
  contact: ContactOfNewLead | null,
): void {
  const made = contact?.made;
  if (company?.made) context.emit('company.created', withContacts(company.made, made ? [made] : []));
  if (made) context.emit('contact.created', made);
}

/** The problem of a contact that is to be made without a name. */
export const contactWithoutName = {
  path: 'contact.name',
  key: 'field.required',
} as const satisfies FieldProblem;

/** The contact of a company that there is already, among those that the actor can name. */
async function findContact(
  looking: Looking,
  companyId: string,
  { email, name }: ValidPart<InlineContact>,
): Promise<FoundContact | undefined> {
  const { sql, organization } = looking;
  const [match] = await sql<FoundContact[]>`
    select id, name, email, phone from contacts
    where organization_id = ${organization} and company_id = ${companyId}
      and ${canBeNamed(looking, 'contact', 'contacts')}
      and (comparison_form(email) = comparison_form(${email ?? null}) or comparison_form(name) = comparison_form(${name ?? null}))
    order by (comparison_form(email) = comparison_form(${email ?? null})) desc nulls last, created_at, id limit 1`;
  return match;
}
