export { type RunningWorker, startWorker, type WorkerOptions } from './worker.ts';
