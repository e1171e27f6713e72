import type { Import } from '@dealkeep/core/operations';

/** The page of one import. */
export const importAddress = ({ id }: Pick<Import, 'id'>): string => `/imports/${id}`;
