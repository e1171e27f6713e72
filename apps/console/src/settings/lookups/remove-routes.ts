import {
  archivedLookupNames,
  type FieldFacts,
  fieldsOf,
  LeadTargets,
  lookupSettings,
  resources,
  TaskTarget,
} from '@dealkeep/contract';
import { runAsUser } from '@dealkeep/core/operations';
import {
  countLeads,
  editableLookups,
  type LeadPlace,
  type LookupEntry,
  type LookupUsage,
  readLookups,
  readLookupUsage,
} from '@dealkeep/core/records';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { idIn, requirePayingOwner } from '../../auth/permitted.ts';
import type { ConsoleContext, ConsoleEnvironment } from '../../context.ts';
import { bodyOf } from '../../forms/body.ts';
import { formPage, type ShownForm, versionField } from '../../forms/form-page.ts';
import { beginningWith, type Refusal, refusedForm, versionOf } from '../../forms/send.ts';
import { firstOf, readingOf, readTyped } from '../../forms/typed.ts';
import { bulletList, type Markup } from '../../markup.ts';
import { eachLookup, entryIn, type Place, scopeOf, withChoices } from './place.ts';
import { lookupSay } from './texts.ts';

/** The pages that remove entries of the lists, and bring archived ones back. */
export function lookupRemoveRoutes(app: Hono<ConsoleEnvironment>): void {
  eachLookup((path, lookup, placeOf) => {
    app.get(`${path}/:id/remove`, async (c) => {
      const removal = await removalOf(c, await placeOf(c));
      return askPage(c, removal, { state: beginningWith(removal.fields) });
    });
    app.post(`${path}/:id/remove`, async (c) => remove(c, await removalOf(c, await placeOf(c))));
    const name = archivedLookupNames.find((each) => each === lookup.name);
    if (name === undefined) return;
    app.post(`${path}/:id/restore`, async (c) => {
      const session = requirePayingOwner(c);
      const { page } = await placeOf(c);
      const id = `${lookupSettings[name].plural}.restore` as const;
      await runAsUser(c.get('core'), session, id, { path: { id: idIn(c) } });
      return c.redirect(`${page}?done=restored`, 303);
    });
  });
}

interface Removal {
  readonly place: Place;
  readonly entry: LookupEntry;
  readonly usage: readonly LookupUsage[];
  /** Where the records that stand in it go. */
  readonly fields: readonly FieldFacts[];
}

async function removalOf(c: ConsoleContext, place: Place): Promise<Removal> {
  const entry = await entryIn(c, place);
  const { name } = place.lookup;
  if (name === 'stage') return { place, entry, ...(await leadsIn(c, { in: 'stage_id', id: entry.id })) };
  if (name === 'pipeline')
    return { place, entry, ...(await leadsIn(c, { in: 'pipeline_id', id: entry.id })) };
  const usage = await readLookupUsage(scopeOf(c), name, entry.id);
  const tasksMove = name === 'project-stage' && usage.length > 0;
  return { place, entry, usage, fields: tasksMove ? await taskTarget(c, place, entry) : [] };
}

async function taskTarget(
  c: ConsoleContext,
  { lookup, parent }: Place,
  { id }: LookupEntry,
): Promise<FieldFacts[]> {
  const others = (await readLookups(scopeOf(c), lookup.name, parent?.id)).filter((each) => each.id !== id);
  return fieldsOf(TaskTarget).map((field) => withChoices(field, others));
}

/** The leads that stand somewhere, and a stage to choose for each kind of them, among those that stay. */
async function leadsIn(c: ConsoleContext, place: LeadPlace): Promise<Pick<Removal, 'usage' | 'fields'>> {
  const scope = scopeOf(c);
  const counts = await countLeads(scope, place);
  if (counts.length === 0) return { usage: [], fields: [] };
  const [pipelines, stages] = await Promise.all([
    readLookups(scope, 'pipeline'),
    readLookups(scope, 'stage'),
  ]);
  const names = new Map(pipelines.map(({ id, name }) => [id, name]));
  const staying = stages.filter(
    (stage) => stage[place.in === 'stage_id' ? 'id' : 'pipeline_id'] !== place.id,
  );
  const fields = fieldsOf(LeadTargets)
    .filter(({ name }) => counts.some(({ status }) => status === name))
    .map((field) => {
      const choices = staying
        .filter(({ kind }) => kind === field.name)
        .map(({ id, name, pipeline_id: pipeline }) => ({
          id,
          name: `${names.get(String(pipeline))}: ${name}`,
        }));
      return { ...withChoices(field, choices), required: true, nullable: false };
    });
  const count = counts.reduce((sum, each) => sum + each.count, 0);
  return { usage: [{ resource: 'lead', count }], fields };
}

/** What the page showed of it. */
const versionOfRemoval = ({ entry, usage, fields }: Removal): string =>
  versionOf([entry, usage, fields.map(({ name }) => name)]);

type Form = Pick<ShownForm, 'state'> & Partial<ShownForm> & Partial<Pick<Refusal, 'status'>>;

function askPage(c: ConsoleContext, removal: Removal, { status, ...form }: Form): Promise<Response> {
  const { place, entry, usage } = removal;
  const { lookup, base, page } = place;
  const [language, text] = [c.get('language'), lookupSay(c.get('language'))];
  const archives = editableLookups[lookup.name].removal === 'archive' && usage.length > 0;
  const about = usage.length > 0 ? lookup.aboutRemoval[language] : text('unused');
  return formPage(
    c,
    {
      title: text(archives ? 'archiveTitle' : 'removeTitle', { name: entry.name }),
      about,
      concerned: concerned(c, removal),
      action: `${base}/${entry.id}/remove`,
      back: page,
      danger: true,
      button: text(archives ? 'archive' : 'remove'),
      version: versionOfRemoval(removal),
      ...form,
    },
    status,
  );
}

/** How many records have it, and whether some of them have nowhere to go. */
function concerned(c: ConsoleContext, { usage, fields, place }: Removal): Markup {
  const language = c.get('language');
  const stuck = place.lookup.name !== 'project-stage' && fields.some(({ values }) => values.length === 0);
  const counted = usage.map(
    ({ resource, count }) => html`${resources[resource].plural[language]}: <strong>${count}</strong>`,
  );
  const warning = stuck ? html`<p class="warning">${lookupSay(language)('noTarget')}</p>` : '';
  return html`${usage.length > 0 ? bulletList(counted) : ''}${warning}`;
}

async function remove(c: ConsoleContext, removal: Removal): Promise<Response> {
  const session = requirePayingOwner(c);
  const { place, entry, fields } = removal;
  const typed = await readTyped(c);
  if (firstOf(typed, versionField) !== versionOfRemoval(removal)) {
    const alerts = [lookupSay(c.get('language'))('usedMeanwhile')];
    return askPage(c, removal, { state: beginningWith(fields, typed), alerts, status: 409 });
  }
  const body = bodyOf(fields, typed, readingOf(c));
  const id = `${lookupSettings[place.lookup.name].plural}.remove` as const;
  try {
    const done = await runAsUser(c.get('core'), session, id, { path: { id: entry.id }, body });
    return c.redirect(`${place.page}?done=${done}`, 303);
  } catch (error) {
    // Records may have come since; they need somewhere to go, too.
    const now = await removalOf(c, place);
    return askPage(c, now, refusedForm(c, now.fields, typed, error));
  }
}
