import type { OutputSchema } from '@activepieces/pieces-framework';
import type { ApiRecord } from '@dealkeep/connectors';
import type * as z from 'zod';
import { outputFieldsOf } from './output-schema.ts';

/** What a search gives on: whether it found something, to branch on, and what. */
export const foundOutput = (records: readonly ApiRecord[]) => ({ found: records.length > 0, records });

export const foundSchema = (label: string, naming: string, schema: z.ZodObject): OutputSchema => ({
  fields: [
    { key: 'found', label: 'Found', format: 'boolean' },
    { key: 'records', label, labelKey: naming, listItems: outputFieldsOf(schema) },
  ],
});
