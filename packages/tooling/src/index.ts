export { type CachedInstall, cachedInstall, run } from './cached-install.ts';
