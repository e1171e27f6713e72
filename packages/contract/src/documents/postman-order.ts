import type { OperationDeclaration, OperationKind } from '../operation.ts';
import { operations } from '../operations.ts';
import { type ResourceName, resourceNames } from '../resources.ts';
import { given, needed } from './postman-variables.ts';

/** Requests that are sent one after the other. */
export interface Step {
  /** Undefined of what ends something, which comes last. */
  readonly resource: ResourceName | undefined;
  readonly operations: readonly OperationDeclaration[];
}

const all = Object.values<OperationDeclaration>(operations);

/** What is made is there to be listed, read, changed and moved. */
const turns: Readonly<Record<OperationKind, number>> = {
  create: 0,
  list: 1,
  get: 2,
  upsert: 3,
  update: 4,
  batch: 5,
  action: 6,
  delete: 7,
};

const ends = ({ kind, destructive }: OperationDeclaration): boolean =>
  kind === 'delete' || destructive === true;

/**
 * Every operation in an order in which each finds what it needs: resource by resource, those first that others refer
 * to. What puts records away comes at the end, in the opposite order.
 */
export function runOrder(): Step[] {
  const order = resourceOrder();
  const steps = order.map((resource) => ({
    resource,
    operations: all
      .filter((each) => each.resource === resource && !ends(each))
      .sort((one, other) => turns[one.kind] - turns[other.kind]),
  }));
  const last = order
    .toReversed()
    .flatMap((name) => all.filter((each) => each.resource === name && ends(each)));
  const putAway = last.sort((one, other) => turns[one.kind] - turns[other.kind]);
  return [...steps, { resource: undefined, operations: putAway }].filter(
    (step) => step.operations.length > 0,
  );
}

function resourceOrder(): ResourceName[] {
  const givers = new Map(
    all.toReversed().flatMap((each) => given(each).map(({ name }) => [name, each.resource])),
  );
  const order = new Set<ResourceName>();
  const open = new Set<string>();
  const visit = (name: string): void => {
    const resource = resourceNames.find((each) => each === name);
    if (!resource || open.has(resource)) return;
    open.add(resource);
    for (const each of all) {
      if (each.resource !== resource) continue;
      for (const variable of needed(each)) visit(givers.get(variable) ?? resource);
    }
    order.add(resource);
  };
  // A hook is there before what it tells of, so that its deliveries are found at the end.
  for (const name of ['webhook', ...resourceNames]) visit(name);
  return [...order];
}
