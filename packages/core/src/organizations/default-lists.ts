import { randomUUIDv7 } from 'node:crypto';
import type { Transaction } from '../database/connect.ts';

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

/** What an organization needs before its first lead. */
export async function insertDefaults(tx: Transaction, organization: string, now: string): Promise<void> {
  await insertPipeline(tx, organization, now, { name: 'Sales', isDefault: true });
  await tx`insert into lost_reasons ${tx(namedRows(organization, now, lostReasons))}`;
  await tx`insert into activity_types ${tx(namedRows(organization, now, activityTypes))}`;
  await tx`insert into lead_origins ${tx(namedRows(organization, now, origins))}`;
}

/** A pipeline with the usual stages. */
export async function insertPipeline(
  tx: Transaction,
  organization: string,
  now: string,
  {
    name,
    isDefault = false,
    requireLostReason = false,
  }: { name: string; isDefault?: boolean; requireLostReason?: boolean },
): Promise<string> {
  const id = randomUUIDv7();
  await tx`
    insert into pipelines (organization_id, id, name, is_default, require_lost_reason, created_at, updated_at)
    values (${organization}, ${id}, ${name}, ${isDefault}, ${requireLostReason}, ${now}, ${now})`;
  const rows = stages.map((stage, position) => ({
    organization_id: organization,
    id: randomUUIDv7(),
    pipeline_id: id,
    ...stage,
    position,
  }));
  await tx`insert into stages ${tx(rows)}`;
  return id;
}

export const namedRows = (organization: string, now: string, names: readonly string[]) =>
  names.map((name) => ({
    organization_id: organization,
    id: randomUUIDv7(),
    name,
    created_at: now,
    updated_at: now,
  }));
