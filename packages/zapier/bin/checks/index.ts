import { addressChecks } from './address-checks.ts';
import type { Check } from './check.ts';
import { Definition } from './definition.ts';
import { fieldChecks } from './field-checks.ts';
import { formChecks } from './form-checks.ts';
import { operationChecks } from './operation-checks.ts';
import { relatedChecks } from './related-checks.ts';
import { sampleChecks } from './sample-checks.ts';
import { textChecks } from './text-checks.ts';

export type { Check } from './check.ts';
export { Definition } from './definition.ts';

/** All checks by Zapier's codes that a definition alone decides. */
export const checks: readonly Check[] = [
  ...addressChecks,
  ...fieldChecks,
  ...formChecks,
  ...operationChecks,
  ...relatedChecks,
  ...sampleChecks,
  ...textChecks,
].sort((one, other) => one.code.localeCompare(other.code));

/** What is wrong with a definition, one line each: `D004 creates.move_lead.id: a record is chosen …`. */
export function findingsOf(definition: unknown): string[] {
  const parsed = Definition.parse(definition);
  return checks.flatMap(({ code, promise, findings }) =>
    findings(parsed).map((where) => `${code} ${where}: ${promise}`),
  );
}

/** M002: the public description of the app: "Dealkeep is a …", 40 to 140 characters that speak of the app itself. */
export function descriptionFindings(description: string, app = 'Dealkeep'): string[] {
  const wrong =
    !description.startsWith(`${app} is a`) ||
    description.length < 40 ||
    description.length > 140 ||
    /zapier|\bsync/i.test(description);
  return wrong
    ? [`M002 description: begins "${app} is a", 40 to 140 characters about the app, not about Zapier`]
    : [];
}
