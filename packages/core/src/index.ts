export { type Core, type CoreOptions, createCore } from './core.ts';
