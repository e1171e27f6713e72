import { createPiece } from '@activepieces/pieces-framework';
import { PieceCategory } from '@activepieces/shared';
import manifest from '../package.json' with { type: 'json' };
import { actions } from './lib/actions/index.ts';
import { dealkeepAuth } from './lib/auth.ts';
import { triggers } from './lib/triggers/index.ts';

export { dealkeepAuth };

export const dealkeep = createPiece({
  displayName: 'Dealkeep',
  description: manifest.description,
  auth: dealkeepAuth,
  logoUrl: 'https://raw.githubusercontent.com/dealkeep/dealkeep/main/packages/zapier/assets/logo-256.png',
  categories: [PieceCategory.SALES_AND_CRM],
  authors: ['dealkeep'],
  actions,
  triggers,
});
