import { checkValue, type FieldFacts, type FieldProblem, type Language, type Text } from '@dealkeep/contract';
import type * as z from 'zod';
import { fieldWords } from '../problem-words.ts';
import { fieldPaths, type Typed } from './typed.ts';

/** What a form asks for although the API does not. */
export interface FormRule {
  /** What it asks for, where people should know before they fill the form in. */
  readonly about?: Text;
  /**
   * The problems by which the form breaks the rule, at its fields.
   *
   * @param sent what the form sends
   * @param whole everything that the form holds; the same where the record is new
   */
  finds(
    sent: Readonly<Record<string, unknown>>,
    whole: Readonly<Record<string, unknown>>,
  ): readonly { readonly path: string; readonly says: Text }[];
}

/** What a form is held against before it is sent. */
export interface Judged {
  /** What is wrong with what it sends, besides the rules. */
  problemsOf(sent: Readonly<Record<string, unknown>>): Promise<readonly FieldProblem[]>;
  readonly rules?: readonly FormRule[];
  /** What the form sends, and all that stands in it. */
  bodies(typed: Typed): { sent: Readonly<Record<string, unknown>>; whole: Readonly<Record<string, unknown>> };
}

/** What the contract alone says of a body. */
export const byContract =
  (schema: z.ZodType) =>
  async (_: unknown, body: unknown): Promise<readonly FieldProblem[]> =>
    checkValue(schema, body).problems ?? [];

/** What is wrong with a form: beside its fields by their paths, in their order, and what belongs to none of them. */
export interface Judgement {
  readonly said: ReadonlyMap<string, string>;
  readonly others: readonly string[];
}

/**
 * Everything that is wrong with a form that cannot be sent because it is in doubt, breaks a rule of ours or is out
 * of date: its doubts, the rules, and what the contract says and is found besides. Nothing when it can be sent: the
 * operation then finds what else is wrong.
 */
export async function judge(
  language: Language,
  {
    fields,
    typed,
    doubts,
    isStale,
  }: {
    fields: readonly FieldFacts[];
    typed: Typed;
    doubts: ReadonlyMap<string, string>;
    isStale: boolean;
  },
  judged: Judged | undefined,
): Promise<Judgement> {
  const ofDoubts = { said: doubts, others: [] };
  if (!judged) return ofDoubts;
  const { sent, whole } = judged.bodies(typed);
  const broken = (judged.rules ?? []).flatMap((rule) => rule.finds(sent, whole));
  if (doubts.size === 0 && broken.length === 0 && !isStale) return ofDoubts;
  const { said, others } = placed(language, { fields, typed }, await judged.problemsOf(sent));
  const all = new Map([
    ...said,
    ...broken.map(({ path, says }) => [path, says[language]] as const),
    ...doubts,
  ]);
  return { said: inOrder(fields, typed, all), others: others.map((each) => fieldWords(language, each)) };
}

/** What is said beside fields, and what belongs to none of them. */
export function placed(
  language: Language,
  { fields, typed }: { fields: readonly FieldFacts[]; typed: Typed },
  problems: readonly FieldProblem[],
): { said: Map<string, string>; others: FieldProblem[] } {
  const given = new Map(problems.map((each) => [each.path, each]));
  const ofElements = Map.groupBy(given.values(), ({ path }) => arrayOf(path));
  const said = new Map<string, string>();
  for (const { path, field } of fieldPaths(fields, typed)) {
    // What is wrong with one of several values stands beside all of them; a row has a place of its own.
    const elements = field?.type === 'object' ? undefined : ofElements.get(path);
    const own = given.get(path) ?? elements?.find((each) => given.has(each.path));
    if (!own) continue;
    said.set(path, fieldWords(language, own));
    given.delete(own.path);
  }
  return { said, others: [...given.values()].filter(({ path }) => !said.has(arrayOf(path))) };
}

/** `tags` of `tags[2]`; nothing for what is no element of an array. */
const arrayOf = (path: string): string => /^(.*)\[[^[\]]*\]$/s.exec(path)?.[1] ?? '';

/** The first one has the focus, so they stand as the fields do. */
function inOrder(
  fields: readonly FieldFacts[],
  typed: Typed,
  problems: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const paths = [...fieldPaths(fields, typed)].map(({ path }) => path);
  const known = paths.flatMap((path) => {
    const problem = problems.get(path);
    return problem === undefined ? [] : [[path, problem] as const];
  });
  return new Map([...known, ...problems]);
}
