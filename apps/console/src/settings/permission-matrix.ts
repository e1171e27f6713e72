import {
  type CreateRole,
  entityLabels,
  type FieldFacts,
  type PermissionReach,
  permissionEntities,
  permissionRights,
  reachLabels,
  rightLabels,
} from '@dealkeep/contract';
import { assignedEntities } from '@dealkeep/core/identity';
import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import { fieldsMarkup } from '../forms/field-markup.ts';
import { type FormState, fieldId } from '../forms/labelled-control.ts';
import { firstOf } from '../forms/typed.ts';
import { bulletList, type Markup, option } from '../markup.ts';
import { settingsSay } from './texts.ts';

type Entity = (typeof permissionEntities)[number];
type Right = (typeof permissionRights)[number];

const matrixName: keyof typeof CreateRole.shape = 'permissions';
const isMatrix = ({ name }: FieldFacts): boolean => name === matrixName;

/**
 * The form of a role: its name, and a table of what it permits, record by record. On a phone the style sheet
 * displays the rows as blocks, which browsers no longer take for a table; the ARIA roles say that they are.
 */
export async function roleLayout(c: ConsoleContext, state: FormState): Promise<Markup> {
  const [language, text] = [c.get('language'), settingsSay(c.get('language'))];
  const others = await fieldsMarkup(
    c,
    state,
    state.fields.filter((field) => !isMatrix(field)),
  );
  const head = permissionRights.map(
    (right) =>
      html`<th role="columnheader" scope="col" id="right-${right}">${rightLabels[right][language]}</th>`,
  );
  const rows = permissionEntities.map((entity) => {
    const cells = permissionRights.map(
      (right) =>
        html`<td role="cell" data-label="${rightLabels[right][language]}">${cell(c, state, entity, right)}</td>`,
    );
    const label = entityLabels[entity][language];
    return html`<tr role="row"><th role="rowheader" scope="row" id="entity-${entity}">${label}</th>${cells}</tr>`;
  });
  const meanings = ['meansView', 'meansCreate', 'meansEdit', 'meansAssigned'] as const;
  return html`${others}
<h2 id="permissions">${text('permissions')}</h2>
${bulletList(meanings.map((name) => text(name)))}
<table role="table" aria-labelledby="permissions"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${text('records')}</th>${head}</tr></thead>
<tbody role="rowgroup">${rows}</tbody></table>`;
}

function cell(c: ConsoleContext, state: FormState, entity: Entity, right: Right): Markup {
  const [language, text] = [c.get('language'), settingsSay(c.get('language'))];
  const name = `${matrixName}.${entity}.${right}`;
  const chosen = firstOf(state.typed, name);
  const problem = state.problems.get(name);
  // `assigned` is not offered where records are assigned to nobody, unless an operator has set it all the same.
  const offered = reaches.filter(
    (reach) => reach === 'all' || reach === chosen || assignedEntities.includes(entity),
  );
  const options = offered.map((reach) => option(reach, reachLabels[reach][language], reach === chosen));
  const wrong = problem === undefined ? '' : html` aria-invalid="true" aria-describedby="problem-${name}"`;
  const said =
    problem === undefined ? '' : html`<p class="field-problem" id="problem-${name}">${problem}</p>`;
  const named = html`name="${name}" id="${fieldId(name)}" aria-labelledby="entity-${entity} right-${right}"`;
  return html`<select ${named}${wrong}>${option('', text('noPermission'))}${options}</select>${said}`;
}

const reaches: readonly PermissionReach[] = ['assigned', 'all'];
