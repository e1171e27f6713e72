/** What runs inside of `npm run` is told of this repository, and would look for scripts and settings in it. */
export const withoutNpm = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !/^npm_|^INIT_CWD$/i.test(name)));
