export { cachedInstall, run, toolsFolder } from './cached-install.ts';
export { checkTypes } from './check-types.ts';
export { notesOf, versionsOf } from './release/changelog.ts';
export { compareWithReleased } from './released-surface.ts';
export { type FlatSurface, surfaceBreaks } from './surface-breaks.ts';
export { withoutNpm } from './without-npm.ts';
