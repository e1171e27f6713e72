import { exampleOf, isEventType, sampleData } from '@dealkeep/contract';
import { type ApiRecord, isApiRecord } from './api-record.ts';
import { recordSchema, withExampleNames } from './related-records.ts';
import { sampleOf } from './sample-of.ts';

/** A believable record of a resource: as its `created` event shows it where there is one. */
export function resourceSample(resource: string, withOptional = false): ApiRecord {
  const type = `${resource}.created`;
  const schema = recordSchema(resource);
  const example = isEventType(type) ? sampleData(type) : exampleOf(schema);
  return sampleOf(schema, isApiRecord(example) ? withExampleNames(resource, example) : {}, withOptional);
}
