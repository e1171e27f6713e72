import { randomUUIDv7 } from 'node:crypto';
import type { Transaction } from '../../foundations/database/connect.ts';
import { derivedId } from '../../foundations/database/new-id.ts';

const stages = [
  { name: 'New', kind: 'open', probability: 10, color: '#8a94a6' },
  { name: 'Contacted', kind: 'open', probability: 25, color: '#4f7cac' },
  { name: 'Proposal sent', kind: 'open', probability: 50, color: '#c08b2d' },
  { name: 'Negotiation', kind: 'open', probability: 75, color: '#b4632e' },
  { name: 'Won', kind: 'won', probability: 100, color: '#2f7a5b' },
  { name: 'Lost', kind: 'lost', probability: 0, color: '#a63d40' },
] as const;
const lostReasons = ['Price', 'Chose a competitor', 'No budget', 'Bad timing', 'No answer'];
const activityTypes = ['Meeting', 'Phone call', 'E-mail', 'Video call', 'Site visit'];
const origins = ['Web form', 'Phone call', 'E-mail', 'Referral', 'Trade fair', 'Advertisement'];

/** What an organization needs before its first lead; the same each time that it is inserted. */
export async function insertDefaults(tx: Transaction, organization: string, now: string): Promise<void> {
  const rows = (kind: string, names: readonly string[]) =>
    namedRows(organization, now, names, (name) => derivedId(organization, kind, name));
  const idOf = (name: string): string => derivedId(organization, 'pipelines', name);
  await insertPipeline(tx, organization, now, { name: 'Sales', isDefault: true, idOf });
  await tx`insert into lost_reasons ${tx(rows('lost_reasons', lostReasons))}`;
  await tx`insert into activity_types ${tx(rows('activity_types', activityTypes))}`;
  await tx`insert into lead_origins ${tx(rows('lead_origins', origins))}`;
}

/** A pipeline with the usual stages. `idOf` gives the ids by the names of the pipeline and its stages. */
export async function insertPipeline(
  tx: Transaction,
  organization: string,
  now: string,
  {
    name,
    isDefault = false,
    requireLostReason = false,
    idOf = () => randomUUIDv7(),
  }: { name: string; isDefault?: boolean; requireLostReason?: boolean; idOf?: (name: string) => string },
): Promise<string> {
  const id = idOf(name);
  await tx`
    insert into pipelines (organization_id, id, name, is_default, require_lost_reason, created_at, updated_at)
    values (${organization}, ${id}, ${name}, ${isDefault}, ${requireLostReason}, ${now}, ${now})`;
  await insertUsualStages(tx, { organization, pipeline: id, idOf: (stage) => idOf(`${name}:${stage}`) });
  return id;
}

/** The stages that a pipeline begins with. `idOf` gives the ids by their names. */
export async function insertUsualStages(
  tx: Transaction,
  {
    organization,
    pipeline,
    idOf = () => randomUUIDv7(),
  }: { organization: string; pipeline: string; idOf?: (name: string) => string },
): Promise<void> {
  const rows = stages.map((stage, position) => ({
    organization_id: organization,
    id: idOf(stage.name),
    pipeline_id: pipeline,
    ...stage,
    position,
  }));
  await tx`insert into stages ${tx(rows)}`;
}

export const namedRows = (
  organization: string,
  now: string,
  names: readonly string[],
  idOf: (name: string) => string = () => randomUUIDv7(),
) =>
  names.map((name) => ({
    organization_id: organization,
    id: idOf(name),
    name,
    created_at: now,
    updated_at: now,
  }));
