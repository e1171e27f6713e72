import { randomUUIDv7 } from 'node:crypto';
import { lockAll, lockNumber } from '../database/locks.ts';
import { invalidField, invalidFields } from '../problem.ts';
import { writes } from '../verb/verb.ts';
import { emitDecision } from './emit-stage-events.ts';
import { enterStage } from './enter-stage.ts';
import { findLeadPeople } from './lead-people.ts';
import { insertLead, readLead } from './lead-record.ts';
import { chooseStage, leadReferenceProblems } from './lead-references.ts';
import { matchOrCreateCompany } from './match-company.ts';
import { matchOrCreateContact } from './match-contact.ts';
import { combinationProblems, furtherNewLeadProblems } from './new-lead-problems.ts';
import { newestOpenLead } from './newest-open-lead.ts';

export const createLead = writes(
  'leads.create',
  async (context, { body }) => {
    const { sql, organization, now } = context;
    const directory = await context.directory();
    const people = await findLeadPeople(context, body.company_id, body.contact_id);
    const chosen = chooseStage(directory, body.pipeline_id, body.stage_id);
    const problems = [
      ...combinationProblems((name) => Boolean(body[name]), body.dedupe),
      ...leadReferenceProblems(body, directory),
      ...people.problems,
      ...('problem' in chosen ? [chosen.problem] : []),
    ];
    if (problems.length > 0 || 'problem' in chosen) throw invalidFields(problems);

    const company = body.company ? await matchOrCreateCompany(context, body.company) : people.company;
    if (company && people.company && company.id !== people.company.id) {
      throw invalidField('contact_id', 'field.contact_of_other_company');
    }
    if (company && body.dedupe === 'company') {
      // Two creates at once for one company come one after another, so that they make one lead.
      await lockAll(sql, [lockNumber('dedupe-lead', organization, company.id)]);
      const existing = await newestOpenLead(context, company.id);
      if (existing) return { ...(await readLead(context, existing)), deduplicated: true };
    }
    const contactId =
      body.contact && company
        ? await matchOrCreateContact(context, company.id, body.contact)
        : people.contactId;

    const fresh = {
      status: 'open',
      won_at: null,
      lost_at: null,
      lost_reason_id: null,
      lost_note: null,
    } as const;
    const created = await insertLead(context, {
      id: randomUUIDv7(),
      name: body.name ?? company?.name ?? null,
      value: body.value ?? null,
      acquisition_cost: body.acquisition_cost ?? null,
      expected_close_date: body.expected_close_date ?? null,
      note: body.note ?? null,
      company_id: company?.id ?? null,
      contact_id: contactId,
      owner_id: body.owner_id ?? null,
      assignee_ids: [...new Set(body.assignee_ids)],
      origin_id: body.origin_id ?? null,
      ...enterStage(fresh, chosen.stage, now),
      archived_at: null,
      created_at: now,
      updated_at: now,
    });
    context.emit('lead.created', created);
    emitDecision(context, 'open', created);
    return created;
  },
  { further: furtherNewLeadProblems },
);
