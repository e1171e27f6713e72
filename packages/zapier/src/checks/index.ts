import type { Check } from './check.ts';
import { Definition } from './definition.ts';
import { fieldChecks } from './field-checks.ts';
import { operationChecks } from './operation-checks.ts';
import { sampleChecks } from './sample-checks.ts';

export type { Check } from './check.ts';
export { Definition } from './definition.ts';

/** All checks by Zapier's codes that a definition alone decides. */
export const checks: readonly Check[] = [...fieldChecks, ...operationChecks, ...sampleChecks].sort(
  (one, other) => one.code.localeCompare(other.code),
);

/** What is wrong with a definition, one line each: `D004 creates.move_lead.id: a record is chosen …`. */
export function findingsOf(definition: unknown): string[] {
  const parsed = Definition.parse(definition);
  return checks.flatMap(({ code, promise, findings }) =>
    findings(parsed).map((where) => `${code} ${where}: ${promise}`),
  );
}

/** M002: the public description of the app, 40 to 140 characters that speak of the app itself. */
export function descriptionFindings(description: string): string[] {
  const wrong = description.length < 40 || description.length > 140 || /zapier|sync/i.test(description);
  return wrong ? ['M002 description: 40 to 140 characters about the app, not about Zapier'] : [];
}
