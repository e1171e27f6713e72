import { randomUUIDv7 } from 'node:crypto';
import type { TestDealkeep, TestOrganization } from '@dealkeep/testing';

// What people edit in the console and the API only shows; written as the console writes it, with the reference
// data's version, so that every process sees it at once.

type Place = { dealkeep: TestDealkeep; organization: TestOrganization };
type Kind = 'open' | 'won' | 'lost';

const now = () => new Date().toISOString();

async function touch({ dealkeep, organization }: Place): Promise<void> {
  await dealkeep.sql`
    update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
}

export interface AddedPipeline {
  id: string;
  /** Ids of its stages by their names. */
  stages: Record<string, string>;
}

/** A pipeline whose stages are given as `{ Name: kind }`, in order. */
export async function addPipeline(
  place: Place,
  name: string,
  stages: Readonly<Record<string, Kind>>,
  { requireLostReason = false } = {},
): Promise<AddedPipeline> {
  const { sql } = place.dealkeep;
  const organization_id = place.organization.id;
  const id = randomUUIDv7();
  const ids: Record<string, string> = {};
  await sql`insert into pipelines ${sql({
    organization_id,
    id,
    name,
    require_lost_reason: requireLostReason,
    created_at: now(),
    updated_at: now(),
  })}`;
  for (const [position, [stage, kind]] of Object.entries(stages).entries()) {
    ids[stage] = randomUUIDv7();
    await sql`insert into stages ${sql({
      organization_id,
      id: ids[stage],
      pipeline_id: id,
      name: stage,
      kind,
      probability: kind === 'won' ? 100 : 0,
      position,
    })}`;
  }
  await touch(place);
  return { id, stages: ids };
}

/** A tag, put on records of a table. */
export async function addTag(
  place: Place,
  name: string,
  on: { table: 'companies' | 'leads'; ids: readonly string[] },
): Promise<string> {
  const { sql } = place.dealkeep;
  const organization_id = place.organization.id;
  const id = randomUUIDv7();
  await sql`insert into tags ${sql({ organization_id, id, name, color: '#2f7a5b', created_at: now(), updated_at: now() })}`;
  await sql`
    update ${sql(on.table)} set tag_ids = tag_ids || ${id}::uuid
    where organization_id = ${organization_id} and id = any(${on.ids}::uuid[])`;
  await touch(place);
  return id;
}

/** A custom field in a group, with values of companies by their ids. */
export async function addCustomField(
  place: Place,
  name: string,
  values: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { sql } = place.dealkeep;
  const organization_id = place.organization.id;
  const stamps = { created_at: now(), updated_at: now() };
  const group_id = randomUUIDv7();
  await sql`insert into custom_field_groups ${sql({ organization_id, id: group_id, name: `${name} group`, ...stamps })}`;
  const id = randomUUIDv7();
  await sql`insert into custom_fields ${sql({
    organization_id,
    id,
    name,
    description: 'What it is for',
    type: 'text',
    group_id,
    ...stamps,
  })}`;
  for (const [company, value] of Object.entries(values)) {
    await sql`
      update companies set custom_fields = custom_fields || jsonb_build_object(${id}::text, ${value}::text)
      where organization_id = ${organization_id} and id = ${company}`;
  }
  await touch(place);
}

/** The client record of a company. */
export async function addClient(place: Place, company: string): Promise<string> {
  const { sql } = place.dealkeep;
  const id = randomUUIDv7();
  await sql`insert into clients ${sql({
    organization_id: place.organization.id,
    id,
    company_id: company,
    created_at: now(),
    updated_at: now(),
  })}`;
  return id;
}

/** A person of the organization. */
export async function addUser(
  place: Place,
  name: string,
  {
    active = true,
    email = `${randomUUIDv7()}@people.example`,
    role,
  }: { active?: boolean; email?: string; role?: string } = {},
): Promise<string> {
  const { sql } = place.dealkeep;
  const id = randomUUIDv7();
  const stamps = { created_at: now(), updated_at: now() };
  await sql`insert into users ${sql({ id, email, email_verified: true, password_hash: 'none', ...stamps })}`;
  await sql`insert into memberships ${sql({
    organization_id: place.organization.id,
    id,
    person_id: id,
    name,
    active,
    ...stamps,
  })}`;
  if (role !== undefined) {
    const { id: organization_id } = place.organization;
    await sql`
      update memberships set role_id = roles.id from roles
      where memberships.organization_id = ${organization_id} and memberships.id = ${id}
        and roles.organization_id = ${organization_id} and roles.name = ${role}`;
  }
  await touch(place);
  return id;
}
