import type { FieldProblem, Lead } from '@dealkeep/contract';
import { laterOf } from '../clock.ts';
import type { Core } from '../core.ts';
import { cents, changesOf } from '../database/values.ts';
import { chosenTags, type Directory, type Stage } from '../directory/directory.ts';
import { invalidFields } from '../problem.ts';
import type { Refused } from '../verb/check-input.ts';
import { type OrganizationName, requireUnchanged, transact } from '../verb/transact.ts';
import { type InputOf, type Reading, type ResultOf, type Writing, writes } from '../verb/verb.ts';
import { findLead, type LeadRow, leads, lockLead } from './record.ts';
import { chooseStage, findLeadParties, leadReferenceProblems } from './references.ts';
import { emitStageEvents, enterStage, lostReasonProblems } from './stages.ts';

type Body = InputOf<'leads.update'>['body'];

const update = async (
  context: Writing,
  { path, body }: InputOf<'leads.update'>,
): Promise<ResultOf<'leads.update'>> => {
  const { now } = context;
  const lead = await lockLead(context, path.id);
  const directory = await context.directory();
  const parties = await newParties(context, lead, body);
  const { stage, problems: ofStage } = enteredStage(directory, lead, body);
  const problems = [...leadReferenceProblems(body, directory, lead), ...parties.problems, ...ofStage];
  if (problems.length > 0) throw invalidFields(problems);

  const { pipeline_id: _, stage_id: __, company_id: ___, contact_id: ____, assignee_ids, ...plain } = body;
  const fields = changesOf(lead, {
    ...plain,
    ...(plain.value == null ? {} : { value: cents(plain.value) }),
    ...(plain.acquisition_cost == null ? {} : { acquisition_cost: cents(plain.acquisition_cost) }),
    ...(assignee_ids ? { assignee_ids: [...new Set(assignee_ids)] } : {}),
    ...parties.columns,
  });
  const before = await leads.recordOf(context, lead);
  if (!fields && !stage) return before;

  const updatedAt = laterOf(now, lead.updated_at);
  const entered = stage ? enterStage(lead, stage, updatedAt) : {};
  const row = await leads.update(context, path.id, { ...fields, ...entered, updated_at: updatedAt });
  const after = await leads.recordOf(context, row);
  if (fields) context.emitUpdated('lead.updated', before, after);
  if (stage) emitStageEvents(context, lead.status, after);
  return after;
};

export const updateLead = writes('leads.update', update, { further });

async function further(
  context: Reading,
  { part, isRefused }: Refused<Body>,
  { id }: InputOf<'leads.update'>['path'],
): Promise<FieldProblem[]> {
  const lead = await findLead(context, id);
  if (!lead) return [];
  const directory = await context.directory();
  const isClear = (...names: (keyof Body)[]): boolean => !names.some((name) => isRefused(name));
  return [
    ...leadReferenceProblems({ ...part, assignee_ids: [] }, directory, lead),
    ...(isClear('company_id', 'contact_id') ? (await newParties(context, lead, part)).problems : []),
    ...(isClear('pipeline_id', 'stage_id') ? enteredStage(directory, lead, part).problems : []),
  ];
}

/** The stage that an update makes a lead enter; undefined when it stays in its own. */
function enteredStage(
  directory: Directory,
  lead: LeadRow,
  body: WantedStage,
): { stage?: Stage | undefined; problems: FieldProblem[] } {
  const target = targetStage(directory, lead, body);
  if (target && 'problem' in target) return { problems: [target.problem] };
  const stage = target && target.stage.id !== lead.stage_id ? target.stage : undefined;
  return { stage, problems: lostReasonProblems(stage, {}, directory, lead) };
}

type WantedStage = Partial<Pick<Body, 'pipeline_id' | 'stage_id'>>;
type WantedParties = Partial<Pick<Body, 'company_id' | 'contact_id'>>;

/** The stage that the body's pipeline and stage mean; undefined when it names neither. */
function targetStage(
  directory: Directory,
  lead: LeadRow,
  body: WantedStage,
): { stage: Stage } | { problem: FieldProblem } | undefined {
  if (body.pipeline_id === undefined && body.stage_id === undefined) return undefined;
  if (body.pipeline_id === lead.pipeline_id && body.stage_id === undefined) return undefined;
  return chooseStage(directory, body.pipeline_id ?? lead.pipeline_id, body.stage_id);
}

/**
 * Company and contact after the update. A contact stays only with its company: when another company is set and no
 * contact with it, the contact is cleared; a contact alone brings its company when the lead has none.
 */
async function newParties(
  context: Reading,
  lead: LeadRow,
  body: WantedParties,
): Promise<{
  columns: { company_id?: string | null; contact_id?: string | null };
  problems: FieldProblem[];
}> {
  const { company_id: oldCompany, contact_id: oldContact } = lead;
  const stays =
    (body.company_id === undefined || body.company_id === oldCompany) &&
    (body.contact_id === undefined || body.contact_id === oldContact);
  if (stays) return { columns: {}, problems: [] };
  const companyId = body.company_id === undefined ? oldCompany : body.company_id;
  if (body.company_id === null && body.contact_id) {
    return { columns: {}, problems: [{ path: 'contact_id', key: 'field.needs_company' }] };
  }
  const parties = await findLeadParties(context, companyId, body.contact_id);
  const columns: { company_id?: string | null; contact_id?: string | null } = {
    company_id: parties.company?.id ?? null,
  };
  if (body.contact_id !== undefined) columns.contact_id = parties.contact?.id ?? null;
  else if (parties.company?.id !== oldCompany) columns.contact_id = null;
  return { columns, problems: parties.problems };
}

/**
 * Replaces the tags of a lead by their names, which the API has no operation for: `lead.updated`. Answers the lead as
 * GET does. Raises NOT_FOUND, VALIDATION_ERROR, and CONFLICT when the lead is archived or somebody changed it meanwhile.
 *
 * @param unchangedSince the `updated_at` that it must still have; whatever it has when absent
 */
export const editLeadTags = (
  core: Core,
  organization: OrganizationName,
  { id, tags }: { id: string; tags: readonly string[] },
  unchangedSince?: string,
): Promise<Lead> =>
  transact(core, organization, async (context) => {
    const { now } = context;
    const row = await lockLead(context, id);
    const before = await leads.recordOf(context, row);
    requireUnchanged(before, unchangedSince);
    const { ids, problems } = await chosenTags(context, tags);
    if (problems.length > 0) throw invalidFields(problems);
    if (!changesOf(row, { tag_ids: ids })) return before;
    const updatedAt = laterOf(now, row.updated_at);
    const after = await leads.recordOf(
      context,
      await leads.update(context, id, { tag_ids: ids, updated_at: updatedAt }),
    );
    context.emitUpdated('lead.updated', before, after);
    return after;
  });
