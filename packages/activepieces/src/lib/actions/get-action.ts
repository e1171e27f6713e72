import { createAction } from '@activepieces/pieces-framework';
import {
  actionCall,
  actionLabel,
  answerOf,
  keyOf,
  recordField,
  recordIn,
  shapeRecord,
} from '@dealkeep/connectors';
import { instructionText, type OperationDeclaration } from '@dealkeep/contract';
import { dealkeepAuth } from '../auth.ts';
import { outputFieldsOf } from '../outputs/output-schema.ts';
import { propertiesOf } from '../properties/property-of.ts';
import { apiOf } from '../requests/api.ts';
import { patience } from '../requests/patience.ts';

/** Reads one record by its id: that of an earlier step, or chosen from a list. */
export function getAction(operation: OperationDeclaration) {
  const record = recordField(operation);
  const schema = answerOf(operation);
  const label = actionLabel(operation);
  return createAction({
    auth: dealkeepAuth,
    name: keyOf(label),
    displayName: label,
    description: `Gets ${operation.title.en.replace(/^\w+ /, '')} by its ID. One that is not there is an error.`,
    aiMetadata: { description: instructionText(operation), idempotent: true },
    props: propertiesOf([record]),
    outputSchema: { fields: outputFieldsOf(schema) },
    async run({ auth, propsValue }) {
      const api = apiOf(auth.props, { waits: patience.step });
      const answer = await api.call(
        actionCall({ operation, record, fields: [], sends: undefined }, propsValue),
      );
      return shapeRecord(schema, recordIn(answer));
    },
  });
}
