import {
  getOperationOf,
  namesOf,
  type OperationDeclaration,
  type Reference,
  type ReferenceName,
  references,
} from '@dealkeep/contract';
import { invalidField } from '@dealkeep/core/foundations';
import { isRefusal, RefusedCall, refusalOf } from '../tools/refusal.ts';
import type { Caller } from '../tools/tool.ts';
import { type Argument, argumentsOf } from './argument.ts';
import { askFor, type Candidate, candidatesOf, canList, operationNamed, valueAt } from './candidates.ts';
import { type Found, findCalled } from './find-called.ts';
import { folded } from './folded.ts';
import { idIn } from './id-in.ts';
import { isDayAlone, readDate, readDateTime } from './read-time.ts';
import { unclearText } from './unclear.ts';

type Values = Readonly<Record<string, unknown>>;

/** Each is a statement of its own: whoever has more names than these looks them up before. */
const mostNames = 20;

/**
 * What an operation is called with: the arguments of its tool under the operation's own names, each name of a record
 * replaced by its id, and each word for a day or local time by the day or the moment. A name is looked up in the
 * list that the credential reads; what is called so by none or by several is never guessed: it raises a
 * `RefusedCall` with the candidates. Ids alone cost nothing.
 */
export async function resolveArguments(
  caller: Caller,
  declaration: OperationDeclaration,
  given: Values,
): Promise<Values> {
  const names = new Names(caller, declaration);
  const resolved = await names.resolve(argumentsOf(declaration), given);
  if (names.unclear.length > 0) throw refused(names.unclear);
  return resolved;
}

const refused = (unclear: readonly string[]): RefusedCall =>
  new RefusedCall({ code: 'VALIDATION_ERROR', message: unclear.join('\n\n') });

/** The names in the arguments of one call. */
class Names {
  /** What is to be said of names that mean none or several. */
  readonly unclear: string[] = [];
  readonly #caller: Caller;
  readonly #declaration: OperationDeclaration;
  /** A name that stands in several places is looked up once; undefined for one that is unclear. */
  readonly #found = new Map<string, Candidate | undefined>();
  /** The record that the call is about, once its id is known. */
  #record: Values = {};

  constructor(caller: Caller, declaration: OperationDeclaration) {
    this.#caller = caller;
    this.#declaration = declaration;
  }

  async resolve(offered: readonly Argument[], given: Values): Promise<Values> {
    const resolved: Record<string, unknown> = { ...given };
    for (const argument of inOrder(offered)) {
      const { name, field } = argument;
      const value = givenFor(given, argument);
      if (name !== field) delete resolved[name];
      if (value !== undefined) {
        const taking = fieldFor(argument, value);
        resolved[taking] = await this.#valueFor(argument, value, resolved);
      }
      if (argument.isRecord) this.#record = { [field]: resolved[field] };
    }
    return resolved;
  }

  async #valueFor(argument: Argument, value: unknown, beside: Values): Promise<unknown> {
    if (Array.isArray(value)) {
      const all: unknown[] = [];
      for (const each of value) all.push(await this.#valueFor(argument, each, beside));
      return all;
    }
    if (isDescribed(argument, value)) return this.resolve(argument.inner, value);
    if (argument.reference !== undefined) return this.#idFor(argument, argument.reference, value, beside);
    if (typeof value === 'string') return this.#textFor(argument, value);
    return isValues(value) && argument.inner.length > 0 ? this.resolve(argument.inner, value) : value;
  }

  /**
   * A text as its operation takes it: words for days, local times and, in a filter, names of what is chosen by name.
   */
  async #textFor({ name, facts }: Argument, value: string): Promise<string | undefined> {
    if (facts.format === 'date') return readDate(this.#caller, value);
    if (facts.format === 'date-time') {
      if (!this.#changes || !isDayAlone(value)) return readDateTime(this.#caller, value);
      this.unclear.push(`${name}: Say at which time, like ${value.trim()} 10:00. Nothing was done.`);
      return undefined;
    }
    const named = facts.description?.nameOf;
    if (named === undefined || this.#changes || value.trim() === '') return value;
    if (!canList(this.#caller, references[named])) return value;
    return (await this.#lookUpOnce({ name, reference: named, creates: false }, value.trim(), undefined))
      ?.name;
  }

  /** The id that a value means; the value itself where it can be no name. */
  async #idFor(
    argument: Argument,
    reference: ReferenceName,
    value: unknown,
    beside: Values,
  ): Promise<unknown> {
    const id = idIn(value, reference, this.#caller.core.origin);
    if (id !== undefined) return id;
    const called = nameIn(value, references[reference]);
    if (called === undefined) return value;
    const { user } = this.#caller.credential;
    const isMe = folded(called) === me;
    if (isMe && reference === 'user') return user.id;
    if (this.#isWithinUnclear(argument, beside)) return undefined;
    const within = await this.#withinOf(argument, beside);
    const asked = { name: argument.name, reference, creates: argument.describedIn !== undefined };
    const given = isMe && reference === 'booking-staff' ? user.email : called;
    return (await this.#lookUpOnce(asked, given, within))?.id;
  }

  async #lookUpOnce(asked: Asked, given: string, within: string | undefined): Promise<Candidate | undefined> {
    const key = JSON.stringify([asked.reference, within, given]);
    if (this.#found.has(key)) return this.#found.get(key);
    if (this.#found.size === mostNames) {
      throw refused([`${asked.name}: More than ${mostNames} names are too many for one call. Give IDs.`]);
    }
    const found = await this.#lookUp(asked, given, within);
    this.#found.set(key, found);
    return found;
  }

  /** Within what is unclear, or was not given, nothing can be found. */
  #isWithinUnclear({ facts }: Argument, beside: Values): boolean {
    const sibling = facts.description?.dependsOn;
    if (sibling === undefined) return false;
    const isGiven = Object.hasOwn(beside, sibling);
    return isGiven ? beside[sibling] === undefined : Object.values(this.#record).includes(undefined);
  }

  /** The record within which a name is looked for: the sibling that narrows it, or the one that the record is in. */
  async #withinOf({ facts, reference }: Argument, beside: Values): Promise<string | undefined> {
    const sibling = facts.description?.dependsOn;
    if (sibling === undefined || reference === undefined) return undefined;
    if (beside[sibling] != null) return String(beside[sibling]);
    const { items }: Reference = references[reference];
    const reads = getOperationOf(this.#declaration);
    if (items === undefined || !reads || Object.keys(this.#record).length === 0) return undefined;
    const value = await askFor(this.#caller, operationNamed(reads.id), this.#record);
    const found = valueAt(value, `${sibling.replace(/_id$/, '')}.id`);
    return typeof found === 'string' ? found : undefined;
  }

  /** Undefined where it is unclear, which is then told. */
  async #lookUp(
    { name, reference, creates }: Asked,
    given: string,
    within: string | undefined,
  ): Promise<Candidate | undefined> {
    try {
      const found = await this.#find(references[reference], given, within);
      const [only, ...others] = this.#changes ? usual(found.exactly) : found.exactly;
      if (only && others.length === 0 && !found.isPart) return only;
      this.unclear.push(unclearText({ ...found, argument: name, reference, given, creates }));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const { code, message } = refusalOf(error);
      if (code === 'RATE_LIMITED') throw error;
      this.unclear.push(`${name}: The name cannot be looked up, give the ID. ${code}: ${message}`);
    }
    return undefined;
  }

  #find(reference: Reference, given: string, within: string | undefined): Promise<Found> {
    const { items, parent, inUse = {} } = reference;
    const narrowed =
      items === undefined && parent !== undefined && within !== undefined ? { [parent]: within } : {};
    return findCalled(
      reference,
      given,
      (filters) =>
        candidatesOf(
          this.#caller,
          reference,
          { ...narrowed, ...filters },
          items === undefined ? undefined : within,
        ),
      // Who reads can read the rest, too.
      this.#changes ? inUse : {},
    );
  }

  get #changes(): boolean {
    return this.#declaration.method !== 'GET';
  }
}

/** A name that is looked up. */
interface Asked {
  /** The argument that has it. */
  readonly name: string;
  readonly reference: ReferenceName;
  /** The argument takes an object, too, by which one is created. */
  readonly creates: boolean;
}

/** Whoever calls; of a key, who made it. */
const me = 'me';

/** Whether a value describes a record instead of naming one. */
const isDescribed = ({ describedIn }: Argument, value: unknown): value is Values =>
  describedIn !== undefined && isValues(value) && value['id'] === undefined;

const fieldFor = (argument: Argument, value: unknown): string =>
  isDescribed(argument, value) ? (argument.describedIn ?? argument.field) : argument.field;

/**
 * The name in a value: a text, a number, or of an object what names such a record; undefined where there is none.
 */
function nameIn(value: unknown, reference: Reference): string | undefined {
  if (typeof value === 'number') return String(value);
  if (isValues(value)) {
    const { known = [] } = reference;
    return [...namesOf(reference), 'name', ...known]
      .map((field) => nameIn(valueAt(value, field), reference))
      .find((each) => each !== undefined);
  }
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** What an argument has, by either of its names. Raises VALIDATION_ERROR where both have something. */
function givenFor(given: Values, { name, field }: Argument): unknown {
  if (name === field || given[field] === undefined) return given[name];
  if (given[name] !== undefined) throw invalidField(name, 'field.either', { one: name, other: field });
  return given[field];
}

/** The record itself first, and what narrows others before them. */
const inOrder = (offered: readonly Argument[]): readonly Argument[] =>
  offered.toSorted((one, other) => placeOf(one) - placeOf(other));

function placeOf({ isRecord, facts }: Argument): number {
  if (isRecord) return 0;
  return facts.description?.dependsOn === undefined ? 1 : 2;
}

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Of several that are called so, the one inside what is taken where nothing is said, such as the default pipeline.
 */
function usual(exactly: readonly Candidate[]): readonly Candidate[] {
  const inside = exactly.filter(({ owner }) => owner?.isDefault);
  return inside.length === 1 ? inside : exactly;
}
