import {
  answeredSchema,
  everything,
  everythingForm,
  labelOfResource,
  outputFields,
  resourceSample,
  searchEverything,
  searchOfEverything,
} from '@dealkeep/connectors';
import type { Bundle, Search, ZObject } from 'zapier-platform-core';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import { inputFields } from '../forms/input-fields.ts';
import { guarded } from '../guarded.ts';
import { apiFor } from '../requests/call-api.ts';
import { ownKey } from './search-fields.ts';

const { key, label, description } = searchOfEverything;

/** One search over every kind of record that a connection can read. */
export function everythingSearch(variant: AuthenticationVariant): Search {
  const form = everythingForm(variant.reaches).map(ownKey);
  return {
    key,
    noun: labelOfResource(everything.resource),
    display: { label, description },
    operation: {
      inputFields: inputFields(form),
      perform: guarded(async (z: ZObject, bundle: Bundle) => [
        ...(await searchEverything(apiFor(variant, z, bundle), form, bundle.inputData)),
      ]),
      sample: resourceSample(everything.resource),
      outputFields: outputFields(answeredSchema(everything.resource)),
    },
  };
}
