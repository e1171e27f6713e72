import { randomUUIDv7 } from 'node:crypto';
import type { Lead } from '@dealkeep/contract';
import { envelopeText } from '../events/envelope.ts';
import { newEventId } from '../events/event-id.ts';
import { tellEmitted } from '../verb/transact.ts';
import type { InputOf, Reading } from '../verb/verb.ts';
import { leadRecord } from './lead-record.ts';
import { chooseStage, leadReferenceProblems } from './lead-references.ts';
import { type LeadRow, withoutPeople } from './lead-row.ts';

/**
 * Creates a lead that names neither a company nor a contact: all that GET will answer is known before it is written, so
 * lead, event and deliveries are one statement, together with those of other requests. Undefined where that is not so,
 * or the statement failed: then nothing was written, and the usual way tells what is wrong.
 */
export async function createPlainLead(
  { core, credential, organization, now }: Reading,
  body: InputOf<'leads.create'>['body'],
): Promise<Lead | undefined> {
  const directory = core.directories.known(organization);
  if (!directory || namesPeople(body) || !isExact(body.value) || !isExact(body.acquisition_cost)) return;
  const chosen = chooseStage(directory, body.pipeline_id, body.stage_id);
  if ('problem' in chosen || chosen.stage.kind !== 'open') return;
  if (leadReferenceProblems(body, directory).length > 0) return;

  const columns = {
    id: randomUUIDv7(),
    name: body.name ?? null,
    value: body.value ?? null,
    acquisition_cost: body.acquisition_cost ?? null,
    expected_close_date: body.expected_close_date ?? null,
    note: body.note ?? null,
    owner_id: body.owner_id ?? null,
    assignee_ids: [...new Set(body.assignee_ids)],
    origin_id: body.origin_id ?? null,
    pipeline_id: chosen.stage.pipeline_id,
    stage_id: chosen.stage.id,
    created_at: now,
  };
  const row: LeadRow = {
    ...withoutPeople,
    ...columns,
    organization_id: organization,
    directory_version: directory.version,
    stage_entered_at: now,
    updated_at: now,
  };
  const lead = leadRecord(row, directory, core);
  const type = 'lead.created';
  const event = { id: newEventId(), type, timestamp: now, data: lead } as const;
  const caused = await core.leadCreations.ask({
    ...columns,
    organization_id: organization,
    directory_version: directory.version,
    event_id: event.id,
    envelope: envelopeText(credential.organization, event),
  });
  if (!caused) return;
  tellEmitted(core, [{ ...caused, type, record_id: lead.id, organization_id: organization }]);
  return lead;
}

const namesPeople = (body: InputOf<'leads.create'>['body']): boolean =>
  Boolean(body.company || body.company_id || body.contact || body.contact_id || body.dedupe);

/** Amounts are kept to the cent; PostgreSQL rounds what has more decimals. */
const isExact = (amount: number | null | undefined): boolean =>
  amount == null || Math.round(amount * 100) / 100 === amount;
