import { seedDemo } from '@dealkeep/core/installation';
import type { TestDealkeep } from '@dealkeep/testing';
import { expect } from 'vitest';
import { Definition, type Operation } from '../bin/checks/definition.ts';
import { resultFindings } from '../bin/checks/result-checks.ts';
import { keysOf } from './platform/keys-of.ts';
import { outputFieldsOf } from './platform/output-fields-of.ts';
import type { Values } from './platform/setting.ts';
import { startPrivate } from './platform/start-in-process.ts';

/** An account whose organization holds the small demo, and what each step of the definition promises to give on. */
export async function demoAccount(dealkeep: TestDealkeep) {
  const { newAccount } = await startPrivate(dealkeep);
  const { setting, organization } = await newAccount();
  await seedDemo(dealkeep.core, organization.slug, 'small');
  const definition = Definition.parse(await setting.platform.definition());

  /** A step's real output has the keys of its sample and the types of its output fields. */
  async function expectShape(where: string, operation: Operation | undefined, live: Values): Promise<void> {
    if (!operation) throw new Error(`There is no ${where}.`);
    const outputFields = await outputFieldsOf(setting.platform, setting.connection, where);
    expect(resultFindings(operation, { live, listed: [], outputFields })).toEqual([]);
    expect(keysOf(live)).toEqual(keysOf(operation.operation.sample));
  }

  return { setting, definition, expectShape };
}
