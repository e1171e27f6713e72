import {
  archivedLookupNames,
  type InnerLookupAddition,
  type LookupAddition,
  type LookupEdit,
  type LookupMove,
  type LookupName,
  type LookupRemoval,
  type LookupReturn,
  lookupNames,
  lookupSettings,
  orderedLookupNames,
} from '@dealkeep/contract';
import { type Verb, writes } from '../../change/verb/verb.ts';
import { editableLookup, type LookupValues } from './editable-lookups.ts';
import { checkRemoval, removeLookup, restoreLookup } from './remove.ts';
import { addLookup, checkEditedLookup, checkNewLookup, editLookup, moveLookup } from './save.ts';

type LookupOperation =
  | LookupAddition
  | InnerLookupAddition
  | LookupEdit
  | LookupRemoval
  | LookupReturn
  | LookupMove;

const adds = (name: LookupName, id: LookupAddition | InnerLookupAddition) => {
  const within = (path: { readonly id: string }) => (editableLookup(name).parent ? { parent: path.id } : {});
  return writes(id, {
    check: (context, { path, body, isWhole }) =>
      checkNewLookup(context, name, { values: isWhole ? body : given(body), ...within(path) }),
    run: (context, { path, body }) => addLookup(context, name, { values: body, ...within(path) }),
  });
};

const edits = (name: LookupName, id: LookupEdit) =>
  writes(id, {
    check: (context, { path, body, isWhole }) =>
      checkEditedLookup(context, name, { id: path.id, changes: isWhole ? body : given(body) }),
    async run(context, _, edited) {
      await editLookup(context, name, edited);
      return undefined;
    },
  });

const removes = (name: LookupName, id: LookupRemoval) =>
  writes(id, {
    check: (context, { path, body }) => checkRemoval(context, name, { id: path.id, where: given(body) }),
    run: (context, _, found) => removeLookup(context, name, found),
  });

const restores = (name: LookupName, id: LookupReturn) =>
  writes(id, async (context, { path }) => {
    await restoreLookup(context, name, { id: path.id });
    return undefined;
  });

const moves = (name: LookupName, id: LookupMove) =>
  writes(id, async (context, { path, body }) => {
    await moveLookup(context, name, { id: path.id, direction: body.direction });
    return undefined;
  });

/** Without what was refused. */
const given = (part: LookupValues): LookupValues =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined));

/** What owners do with each of the lists. */
export const lookupVerbs = Object.fromEntries(
  [
    ...lookupNames.flatMap((name) => [
      adds(name, `${lookupSettings[name].plural}.add`),
      edits(name, `${lookupSettings[name].plural}.edit`),
      removes(name, `${lookupSettings[name].plural}.remove`),
    ]),
    ...archivedLookupNames.map((name) => restores(name, `${lookupSettings[name].plural}.restore`)),
    ...orderedLookupNames.map((name) => moves(name, `${lookupSettings[name].plural}.move`)),
  ].map((verb) => [verb.id, verb]),
) as { readonly [Id in LookupOperation]: Verb<Id> };
