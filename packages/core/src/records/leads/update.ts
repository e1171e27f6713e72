import type { FieldProblem } from '@dealkeep/contract';
import {
  type InputOf,
  type Reading,
  type ResultOf,
  type Sent,
  type Writing,
  writes,
} from '../../change/verb/verb.ts';
import { laterOf } from '../../foundations/clock.ts';
import { changesOf } from '../../foundations/database/values.ts';
import { amountIn } from '../../foundations/numbers/totals.ts';
import { invalidFields } from '../../foundations/problem.ts';
import type { ReferenceData, Stage } from '../../identity/reference-data/reference-data.ts';
import { makeTags, tagIdsOf, tagProblems } from '../tags/given-tags.ts';
import { type LeadRow, leadOfChange, leads } from './record.ts';
import {
  chooseStage,
  findLeadParties,
  leadReferenceProblems,
  shownOfCompany,
  shownOfContact,
} from './references.ts';
import { emitStageEvents, enterStage, lostReasonProblems } from './stages.ts';

type Body = InputOf<'leads.update'>['body'];

const check = async (
  context: Reading,
  { path, body, isRefused }: Pick<Sent<'leads.update'>, 'path' | 'body' | 'isRefused'>,
) => {
  const referenceData = await makeTags(context, body);
  const lead = await leadOfChange(context, path.id);
  const parties = await newParties(context, lead, ['company_id', 'contact_id'].some(isRefused) ? {} : body);
  const { stage, problems: ofStage } = ['pipeline_id', 'stage_id'].some(isRefused)
    ? { stage: undefined, problems: [] }
    : enteredStage(referenceData, lead, body);
  const problems = [
    ...leadReferenceProblems(body, referenceData, lead),
    ...tagProblems(context, referenceData, body, lead.tag_ids),
    ...parties.problems,
    ...ofStage,
  ];
  if (problems.length > 0) throw invalidFields(problems);
  return { referenceData, lead, parties, stage };
};

const update = async (
  context: Writing,
  { body }: Pick<InputOf<'leads.update'>, 'body'>,
  { referenceData, lead, parties, stage }: Awaited<ReturnType<typeof check>>,
): Promise<ResultOf<'leads.update'>> => {
  const { now } = context;
  const { lost_reason_id, lost_note } = body;
  const because = { lost_reason_id, lost_note };
  const { pipeline_id: _, stage_id: __, company_id: ___, contact_id: ____, ...rest } = body;
  const { lost_reason_id: _____, lost_note: ______, ...others } = rest;
  const { assignee_ids, tags: _______, add_tags: ________, remove_tags: _________, ...plain } = others;
  const fields = changesOf(lead, {
    ...plain,
    value: amountIn(referenceData.currency, plain.value, lead.value),
    acquisition_cost: amountIn(referenceData.currency, plain.acquisition_cost, lead.acquisition_cost),
    ...(assignee_ids ? { assignee_ids: [...new Set(assignee_ids)] } : {}),
    tag_ids: tagIdsOf(referenceData, body, lead.tag_ids),
    ...parties.columns,
    // Of a move they belong to what it makes of the lead.
    ...(stage ? {} : because),
  });
  const before = await leads.recordOf(context, lead);
  if (!fields && !stage) return before;

  const updatedAt = laterOf(now, lead.updated_at);
  const entered = stage ? enterStage(lead, stage, updatedAt, because) : {};
  const changes = { ...fields, ...entered, updated_at: updatedAt };
  const row = await leads.update(context, lead, changes, parties);
  const after = await leads.recordOf(context, row);
  if (fields) context.emitUpdated('lead.updated', before, after);
  if (stage) emitStageEvents(context, before, after);
  return after;
};

export const updateLead = writes('leads.update', { check, run: update });

/** The stage that an update makes a lead enter; undefined when it stays in its own. */
function enteredStage(
  referenceData: ReferenceData,
  lead: LeadRow,
  body: WantedStage,
): { stage?: Stage | undefined; problems: FieldProblem[] } {
  const target = targetStage(referenceData, lead, body);
  if (target && 'problem' in target) return { problems: [target.problem] };
  const stands = target?.stage ?? referenceData.stages.get(lead.stage_id);
  const problems = lostReasonProblems(stands, body, referenceData, lead);
  return { stage: stands?.id === lead.stage_id ? undefined : stands, problems };
}

type WantedStage = Partial<Pick<Body, 'pipeline_id' | 'stage_id' | 'lost_reason_id' | 'lost_note'>>;
type WantedParties = Partial<Pick<Body, 'company_id' | 'contact_id'>>;

interface NewParties {
  readonly columns: Partial<Pick<LeadRow, 'company_id' | 'contact_id'>>;
  /** What the lead then shows of them. */
  readonly joined: Partial<LeadRow>;
  readonly problems: FieldProblem[];
}

/** The stage that the body's pipeline and stage mean; undefined when it names neither. */
function targetStage(
  referenceData: ReferenceData,
  lead: LeadRow,
  body: WantedStage,
): { stage: Stage } | { problem: FieldProblem } | undefined {
  if (body.pipeline_id === undefined && body.stage_id === undefined) return undefined;
  if (body.pipeline_id === lead.pipeline_id && body.stage_id === undefined) return undefined;
  return chooseStage(referenceData, body.pipeline_id ?? lead.pipeline_id, body.stage_id);
}

/**
 * Company and contact after the update. A contact stays only with its company: when another company is set and no
 * contact with it, the contact is cleared; a contact alone brings its company when the lead has none.
 */
async function newParties(context: Reading, lead: LeadRow, body: WantedParties): Promise<NewParties> {
  const { company_id: oldCompany, contact_id: oldContact } = lead;
  const stays =
    (body.company_id === undefined || body.company_id === oldCompany) &&
    (body.contact_id === undefined || body.contact_id === oldContact);
  if (stays) return { columns: {}, joined: {}, problems: [] };
  const companyId = body.company_id === undefined ? oldCompany : body.company_id;
  if (body.company_id === null && body.contact_id) {
    return { columns: {}, joined: {}, problems: [{ path: 'contact_id', key: 'field.needs_company' }] };
  }
  const { company, contact, problems } = await findLeadParties(context, companyId, body.contact_id);
  const ofCompany = shownOfCompany(company);
  const columns = { company_id: company?.id ?? null };
  const keepsContact = body.contact_id === undefined && columns.company_id === oldCompany;
  if (keepsContact) return { columns, joined: ofCompany, problems };
  return {
    columns: { ...columns, contact_id: contact?.id ?? null },
    joined: { ...ofCompany, ...shownOfContact(contact) },
    problems,
  };
}

/** The form of tags: it shows all of them. In all else it is the update of a lead. */
export const editLeadTags = writes('leads.tags', { check, run: update });
