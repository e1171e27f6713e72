import { createAction } from '@activepieces/pieces-framework';
import {
  answeredSchema,
  everything,
  everythingForm,
  searchEverything,
  searchOfEverything,
} from '@dealkeep/connectors';
import { instructionText } from '@dealkeep/contract';
import { dealkeepAuth } from '../auth.ts';
import { foundOutput, foundSchema } from '../outputs/found.ts';
import { propertiesOf } from '../properties/property-of.ts';
import { apiOf } from '../requests/api.ts';
import { patience } from '../requests/patience.ts';

const { key, label, description } = searchOfEverything;
const form = everythingForm(() => true);

/** One search over every kind of record. */
export const searchEverythingAction = createAction({
  auth: dealkeepAuth,
  name: key,
  displayName: label,
  description,
  aiMetadata: { description: instructionText(everything), idempotent: true },
  props: propertiesOf(form),
  outputSchema: foundSchema('Records', 'title', answeredSchema(everything.resource)),
  run: async ({ auth, propsValue }) =>
    foundOutput(await searchEverything(apiOf(auth.props, { waits: patience.step }), form, propsValue)),
});
