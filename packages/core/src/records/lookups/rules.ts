import { randomUUIDv7 } from 'node:crypto';
import { type FieldProblem, type LookupName, TaskTarget } from '@dealkeep/contract';
import { insertUsualStages } from '../../accounts/organizations/default-lookups.ts';
import { type Changing, isChanging, type ReadContext } from '../../change/verb/verb.ts';
import { laterOf } from '../../foundations/clock.ts';
import { recordsMovedAtOnce } from '../../foundations/operating-limits.ts';
import { invalidField, Problem } from '../../foundations/problem.ts';
import { tasks } from '../tasks/record.ts';
import { changeTask } from '../tasks/write.ts';
import { type LookupEntry, type LookupValues, readLookupUsage } from './editable-lookups.ts';
import { findTargets, sendLeads } from './send-leads.ts';

/** What holds for one list alone. */
interface LookupRules {
  /**
   * What is wrong with an entry that is made, or changed from what it was; without the values that the contract
   * refuses.
   */
  problemsOf?(
    reading: Pick<ReadContext, 'sql' | 'organization'>,
    saved: { before: LookupEntry | undefined; values: LookupValues },
  ): Promise<FieldProblem[]>;
  /** Before an entry is written. */
  beforeSaving?(changing: Changing, saved: { id: string; values: LookupValues }): Promise<void>;
  /** What a new entry begins with. */
  afterCreating?(changing: Changing, entry: LookupEntry): Promise<void>;
  /**
   * What keeps an entry from being removed, and where the records go that stand in it, as `where` says. Answers what
   * sends them there. Raises CONFLICT and VALIDATION_ERROR.
   */
  checkRemoval?(context: ReadContext, entry: LookupEntry, where: LookupValues): Promise<RemovalWork>;
  /** Before the row of an entry is deleted that nothing refers to: deletes what stands in it. */
  beforeDeleting?(changing: Changing, entry: LookupEntry): Promise<void>;
}

/** What is done before an entry is removed. */
export type RemovalWork = (changing: Changing) => Promise<void>;

/** There is always exactly one default pipeline. */
const pipelineRules: LookupRules = {
  async problemsOf(_, { before, values }) {
    return before?.['is_default'] === true && values['is_default'] === false
      ? [{ path: 'is_default', key: 'field.default_pipeline' }]
      : [];
  },

  async beforeSaving({ sql, organization, now }, { id, values }) {
    if (values['is_default'] !== true) return;
    await sql`
      update pipelines set is_default = false, updated_at = ${now}
      where organization_id = ${organization} and is_default and id <> ${id}`;
  },

  async afterCreating({ sql, organization }, { id }) {
    await insertUsualStages(sql, { organization, pipeline: id });
  },

  async checkRemoval(context, { id, is_default }, where) {
    if (is_default === true) throw new Problem('pipeline.default');
    const { sql, organization } = context;
    if (isChanging(context)) {
      await sql`
        select 1 from stages where organization_id = ${organization} and pipeline_id = ${id} order by id for update`;
    }
    const from = { in: 'pipeline_id', id } as const;
    const targets = await findTargets(context, from, where);
    return (changing) => sendLeads(changing, from, targets);
  },

  async beforeDeleting({ sql, organization }, { id }) {
    await sql`delete from stages where organization_id = ${organization} and pipeline_id = ${id}`;
  },
};

/** A pipeline always has an open stage, and the status of leads follows the kind of their stage. */
const stageRules: LookupRules = {
  async problemsOf(reading, { before, values }) {
    if (!before || before['kind'] === values['kind']) return [];
    const problems: FieldProblem[] = [];
    const [used] = await readLookupUsage(reading, 'stage', before.id);
    if (used) problems.push({ path: 'kind', key: 'field.leads_in_stage', values: { count: used.count } });
    if (await isLastOpen(reading, before)) problems.push({ path: 'kind', key: 'field.last_open_stage' });
    // One problem for a field.
    return problems.slice(0, 1);
  },

  async checkRemoval(context, entry, where) {
    if (await isLastOpen(context, entry)) throw new Problem('stage.last_open');
    const from = { in: 'stage_id', id: entry.id } as const;
    const targets = await findTargets(context, from, where);
    return (changing) => sendLeads(changing, from, targets);
  },
};

async function isLastOpen(
  { sql, organization }: Pick<ReadContext, 'sql' | 'organization'>,
  stage: LookupEntry,
): Promise<boolean> {
  if (stage['kind'] !== 'open') return false;
  const others = await sql`
    select 1 from stages
    where organization_id = ${organization} and pipeline_id = ${String(stage['pipeline_id'])} and kind = 'open'
      and id <> ${stage.id}
    limit 1`;
  return others.length === 0;
}

const usualStages = [
  { name: 'To do', category: 'to_do' },
  { name: 'In progress', category: 'in_progress' },
  { name: 'Done', category: 'done' },
] as const;

const projectRules: LookupRules = {
  async afterCreating({ sql, organization }, { id }) {
    const rows = usualStages.map((stage, position) => ({
      organization_id: organization,
      id: randomUUIDv7(),
      project_id: id,
      position,
      ...stage,
    }));
    await sql`insert into project_stages ${sql(rows)}`;
  },

  async beforeDeleting({ sql, organization }, { id }) {
    await sql`delete from project_stages where organization_id = ${organization} and project_id = ${id}`;
  },
};

/** Tasks, archived ones too, go to another stage of the project, or to none. */
const projectStageRules: LookupRules = {
  async checkRemoval(context, entry, where) {
    const stageId = await targetOf(context, entry, where);
    return (changing) => sendTasks(changing, entry, stageId);
  },
};

async function sendTasks(changing: Changing, entry: LookupEntry, stageId: string | null): Promise<void> {
  const { sql, now } = changing;
  const standing = await tasks.lockAll(
    changing,
    sql`t.project_id = ${String(entry['project_id'])} and t.stage_id = ${entry.id}`,
  );
  const count = standing.length;
  if (count > recordsMovedAtOnce)
    throw new Problem('project_stage.too_many_tasks', { count, max: recordsMovedAtOnce });
  for (const task of standing) {
    await changeTask(changing, task, { stage_id: stageId, updated_at: laterOf(now, task.updated_at) });
  }
}

async function targetOf(
  { core, sql, organization }: ReadContext,
  { id, project_id }: LookupEntry,
  where: LookupValues,
): Promise<string | null> {
  const { stage_id: wanted } = TaskTarget.parse(where);
  if (!wanted) return null;
  const { projectStages } = await core.referenceDataCache.current(sql, organization);
  if (wanted === id || projectStages.get(wanted)?.project_id !== project_id) {
    throw invalidField('stage_id', 'field.not_found');
  }
  return wanted;
}

/** Values are texts of the field's type, so the type stays while there are any. */
const customFieldRules: LookupRules = {
  async problemsOf(reading, { before, values }) {
    const problems: FieldProblem[] = [];
    const group = values['group_id'];
    if (typeof group === 'string' && !(await isGroup(reading, group))) {
      problems.push({ path: 'group_id', key: 'field.not_found' });
    }
    if (before && before['type'] !== values['type']) {
      const [used] = await readLookupUsage(reading, 'custom-field', before.id);
      if (used) problems.push({ path: 'type', key: 'field.values_of_type', values: { count: used.count } });
    }
    const choices = Array.isArray(values['choices']) ? values['choices'] : [];
    if (values['type'] === 'choice' && choices.length === 0) {
      problems.push({ path: 'choices', key: 'field.required' });
    }
    const twice = choices.findIndex((choice, index) => choices.indexOf(choice) < index);
    if (twice !== -1) problems.push({ path: `choices[${twice}]`, key: 'field.duplicate' });
    return problems;
  },
};

async function isGroup(
  { sql, organization }: Pick<ReadContext, 'sql' | 'organization'>,
  id: string,
): Promise<boolean> {
  const rows = await sql`
    select 1 from custom_field_groups where organization_id = ${organization} and id = ${id}`;
  return rows.length > 0;
}

const rules: Readonly<Partial<Record<LookupName, LookupRules>>> = {
  pipeline: pipelineRules,
  stage: stageRules,
  'custom-field': customFieldRules,
  project: projectRules,
  'project-stage': projectStageRules,
};

/** What holds for a list alone; nothing for most. */
export const rulesOf = (name: LookupName): LookupRules => rules[name] ?? {};
