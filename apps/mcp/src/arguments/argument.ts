import {
  type FieldFacts,
  fieldsOf,
  type OperationDeclaration,
  operations,
  pathParameters,
  type ReferenceName,
  references,
} from '@dealkeep/contract';

/** An argument of a tool, or a field inside one. */
export interface Argument {
  /** What the tool calls it: what names a record is called without `_id`. */
  readonly name: string;
  /** What the operation calls it; that is taken as well. */
  readonly field: string;
  /** As the contract tells it, under the tool's names. */
  readonly facts: FieldFacts;
  /** The kind of record that it names. */
  readonly reference: ReferenceName | undefined;
  /** It stands in the path and names the record that is worked with. */
  readonly isRecord: boolean;
  /** The field of the operation that takes an object which describes the record, instead of its ID. */
  readonly describedIn: string | undefined;
  readonly inner: readonly Argument[];
}

/** Operations do not change; what their arguments are called is found out once. */
const known = new Map<string, readonly Argument[]>();

/** The arguments of an operation's tool, those of its path first. */
export function argumentsOf(declaration: OperationDeclaration): readonly Argument[] {
  const found = known.get(declaration.id) ?? readArguments(declaration);
  known.set(declaration.id, found);
  return found;
}

function readArguments(declaration: OperationDeclaration): readonly Argument[] {
  const { query, body } = declaration;
  const inPath = fieldsOf(pathParameters(declaration));
  const rest = [query, body].flatMap((part) => (part ? fieldsOf(part) : []));
  const taken = [...inPath, ...rest].map(({ name }) => name);
  const named = argumentsNamed(rest, taken);
  const own = inPath.map((facts): Argument => {
    const reference = recordNamedBy(declaration, facts.name);
    if (reference === undefined) return argumentOf(facts, facts.name);
    const name = reference.replaceAll('-', '_');
    const isFree = !taken.includes(name) && !named.some((each) => each.name === name);
    // That an ID is one says nothing to whoever may give a name.
    const { help: _, ...description } = facts.description ?? { label: { en: name, sk: name } };
    return {
      ...argumentOf({ ...facts, reference, description }, isFree ? name : facts.name),
      isRecord: true,
    };
  });
  return [...own, ...named];
}

function argumentsNamed(all: readonly FieldFacts[], taken: readonly string[]): readonly Argument[] {
  const descriptions = new Map(all.map((facts) => [facts.name, descriptionIn(all, facts)]));
  const described = [...descriptions.values()];
  const fields = all.filter((facts) => !described.includes(facts));
  const short = fields.map(shortName);
  return fields.map((facts, index) => {
    const name = short[index] ?? facts.name;
    const description = descriptions.get(facts.name);
    if (description)
      return { ...argumentOf(either(facts, description), name), describedIn: description.name };
    const isFree = !taken.includes(name) && short.indexOf(name) === short.lastIndexOf(name);
    return argumentOf(facts, isFree ? name : facts.name);
  });
}

const shortName = ({ name, reference }: FieldFacts): string =>
  reference === undefined ? name : name.replace(/_(?:uu)?id(s?)$/, '$1');

/** The field beside it that describes the record which it names: `company` of `company_id`. */
const descriptionIn = (all: readonly FieldFacts[], facts: FieldFacts): FieldFacts | undefined =>
  facts.reference === undefined || facts.isArray
    ? undefined
    : all.find((each) => each !== facts && each.name === shortName(facts) && each.fields.length > 0);

/** One argument that takes either. */
function either(facts: FieldFacts, { description, fields }: FieldFacts): FieldFacts {
  const { label } = facts.description ?? description ?? { label: { en: facts.name, sk: facts.name } };
  const { help } = description ?? {};
  return {
    ...facts,
    fields,
    description: {
      ...facts.description,
      label,
      help: {
        en: ['Or an object.', help?.en].filter((each) => each !== undefined).join(' '),
        sk: ['Alebo objekt.', help?.sk].filter((each) => each !== undefined).join(' '),
      },
    },
  };
}

function argumentOf(facts: FieldFacts, name: string): Argument {
  const inner = argumentsNamed(
    facts.fields,
    facts.fields.map((each) => each.name),
  );
  return {
    name,
    field: facts.name,
    facts: { ...facts, name, fields: inner.map((each) => each.facts) },
    reference: facts.reference,
    isRecord: false,
    describedIn: undefined,
    inner,
  };
}

/**
 * The kind of record that a parameter of a path names: `/webhooks/{id}/test` names a REST hook, as `/webhooks/{id}`
 * does.
 */
function recordNamedBy({ path }: OperationDeclaration, parameter: string): ReferenceName | undefined {
  const address = path.slice(0, path.indexOf(`{${parameter}}`) + parameter.length + 2);
  const reads = Object.values<OperationDeclaration>(operations).find(
    (each) => each.kind === 'get' && each.path === address,
  );
  return referenceNames.find((name) => name === reads?.resource);
}

const referenceNames = Object.keys(references).filter((name): name is ReferenceName => name in references);
