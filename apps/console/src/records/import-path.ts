import type { RecordKind } from './record-kind.ts';

/** The page of a kind where a file is chosen to be imported. */
export const importPath = ({ path }: Pick<RecordKind, 'path'>): string => `${path}/import`;
