/**
 * How an id is chosen by name. `list` is the operation that lists candidates, `items` the path inside each listed
 * item where the candidates stand (stages stand inside pipelines), `parent` the list's parameter (or, with `items`,
 * the listed item's own id) that a sibling field narrows by, `get` the operation that reads one by id.
 */
export interface Reference {
  readonly list: string;
  readonly get?: string;
  readonly items?: string;
  readonly parent?: string;
  /** Field of a candidate that is its id; `id` when absent. */
  readonly value?: 'uuid';
  /** Fields of a candidate that name it, with dots where one stands deeper, the best first; `name` when absent. */
  readonly names?: readonly [string, ...string[]];
  /** Fields that tell candidates of one name apart, the best first. */
  readonly apart?: readonly string[];
  /** Addresses and numbers of a candidate's own, as good as its name; a filter of the list of that name finds it. */
  readonly known?: readonly string[];
  /** What the list is asked for so that it leaves out what was put away and can no longer be changed. */
  readonly inUse?: Readonly<Record<string, boolean>>;
}

/** The fields of a reference's candidates that name them, the best first. */
export const namesOf = ({ names = ['name'] }: Reference): readonly [string, ...string[]] => names;
