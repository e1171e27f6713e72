export { cachedInstall, run, toolsFolder } from './cached-install.ts';
