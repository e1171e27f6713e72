import { randomUUIDv7 } from 'node:crypto';
import type { TestDealkeep, TestOrganization } from '../start-dealkeep.ts';

export interface AddedProject {
  id: string;
  /** Ids of its stages by their names. */
  stages: Record<string, string>;
}

/** A project whose stages are given as `{ Name: category }`, in order, written as the console writes it. */
export async function addProject(
  { dealkeep: { sql }, organization }: { dealkeep: TestDealkeep; organization: TestOrganization },
  name: string,
  stages: Readonly<Record<string, 'to_do' | 'in_progress' | 'done'>> = {},
  status: 'active' | 'on_hold' | 'closed' = 'active',
): Promise<AddedProject> {
  const organization_id = organization.id;
  const project: AddedProject = { id: randomUUIDv7(), stages: {} };
  const now = new Date().toISOString();
  await sql`insert into projects ${sql({
    organization_id,
    id: project.id,
    name,
    status,
    created_at: now,
    updated_at: now,
  })}`;
  for (const [position, [stage, category]] of Object.entries(stages).entries()) {
    const id = randomUUIDv7();
    project.stages[stage] = id;
    await sql`insert into project_stages ${sql({
      organization_id,
      id,
      project_id: project.id,
      name: stage,
      category,
      position,
    })}`;
  }
  await sql`update organizations set directory_version = directory_version + 1 where id = ${organization_id}`;
  return project;
}

/** A stage that the test itself has added. */
export function stageOf(project: AddedProject, name: string): string {
  const id = project.stages[name];
  if (id === undefined) throw new Error(`The project has no stage ${name}`);
  return id;
}
