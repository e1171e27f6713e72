import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as framework from '@activepieces/pieces-framework';
import type * as shared from '@activepieces/shared';
import { inject } from 'vitest';

/** The platform's own packages, apart from what the piece has in itself. */
const load = createRequire(join(inject('platformModules'), 'any.js'));
const { backwardCompatabilityContextUtils }: typeof framework = load('@activepieces/pieces-framework');
const { extractPieceFromModule }: typeof shared = load('@activepieces/shared');

/** The piece as the engine loads it: the first export of the installed package that is one. */
export const piece: framework.Piece = extractPieceFromModule({
  module: createRequire(import.meta.url)(join(inject('pieceFolder'), 'src', 'index.js')),
  pieceName: 'dealkeep',
  pieceVersion: '0',
});

export type ActionContext = framework.ActionContext<framework.PieceAuthProperty, framework.InputPropertyMap>;

/** What the engine does to the context of a step for the version of the framework that the piece was made with. */
export const contextFor = (context: ActionContext): ActionContext =>
  backwardCompatabilityContextUtils.makeActionContextBackwardCompatible({
    context,
    contextVersion: piece.getContextInfo?.().version,
  });
