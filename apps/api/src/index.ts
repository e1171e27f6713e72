export { type ApiOptions, createApi, createOperations } from './api.ts';
export { type RunningServer, serve, transportSecurity } from './serve.ts';
