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

function argumentsNamed(fields: readonly FieldFacts[], taken: readonly string[]): readonly Argument[] {
  const short = fields.map(({ name, reference }) =>
    reference === undefined ? name : name.replace(/_(?:uu)?id(s?)$/, '$1'),
  );
  return fields.map((facts, index) => {
    const name = short[index] ?? facts.name;
    const isFree = !taken.includes(name) && short.indexOf(name) === short.lastIndexOf(name);
    return argumentOf(facts, isFree ? name : facts.name);
  });
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
    inner,
  };
}

/** The kind of record that a parameter of a path names: `/webhooks/{id}/test` names a REST hook, as `/webhooks/{id}` does. */
function recordNamedBy({ path }: OperationDeclaration, parameter: string): ReferenceName | undefined {
  const address = path.slice(0, path.indexOf(`{${parameter}}`) + parameter.length + 2);
  const reads = Object.values<OperationDeclaration>(operations).find(
    (each) => each.kind === 'get' && each.path === address,
  );
  return referenceNames.find((name) => name === reads?.resource);
}

const referenceNames = Object.keys(references).filter((name): name is ReferenceName => name in references);
