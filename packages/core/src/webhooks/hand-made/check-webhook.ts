import { fieldProblems } from '@dealkeep/contract';
import type * as z from 'zod';
import type { Core } from '../../core.ts';
import { invalidFields, Problem } from '../../problem.ts';
import { requireGoodTarget } from '../require-good-target.ts';

/**
 * Checks by the contract how a webhook is made or changed by hand. Where that finds something, its target is judged
 * besides, so that whoever made it learns of everything at once. Raises VALIDATION_ERROR, and SERVICE_UNAVAILABLE as judging a target does.
 */
export async function checkWebhook<Schema extends z.ZodType<{ target_url?: string | undefined }>>(
  core: Core,
  organization: string,
  schema: Schema,
  input: z.input<Schema> & { readonly target_url?: string | undefined },
): Promise<z.output<Schema>> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = fieldProblems(parsed.error, input);
  const { target_url: target } = input;
  if (typeof target === 'string' && !problems.some(({ path }) => path === 'target_url')) {
    try {
      await requireGoodTarget(core, organization, target);
    } catch (error) {
      if (!(error instanceof Problem) || error.detail?.['field'] !== 'target_url') throw error;
      problems.push({ path: 'target_url', key: error.key, values: error.values });
    }
  }
  throw invalidFields(problems);
}
