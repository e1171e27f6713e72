import { exampleOf, isEventType, sampleData } from '@dealkeep/contract';
import { answeredSchema } from '../registry.ts';
import type { ApiRecord } from './api-record.ts';
import { sampleOf } from './sample-of.ts';

/** A believable record of a resource: as its `created` event shows it where there is one. */
export function resourceSample(resource: string, withOptional = false): ApiRecord {
  const type = `${resource}.created`;
  const schema = answeredSchema(resource);
  return sampleOf(schema, isEventType(type) ? sampleData(type) : exampleOf(schema), withOptional);
}
