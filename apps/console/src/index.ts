export { type ConsoleOptions, createConsole } from './console.ts';
