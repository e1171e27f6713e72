export { type ApiOptions, createApi } from './api.ts';
export { type RunningServer, serve } from './serve.ts';
