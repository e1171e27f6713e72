import { createRequire } from 'node:module';

/**
 * The platform's core ends a process that has grown to more than Zapier gives it. In these tests the whole service
 * and its database connections live in the same process, so its size tells nothing of the integration.
 */
export function unlimitMemory(): void {
  const constants: { KILL_MAX_LIMIT: number } = createRequire(import.meta.url)(
    'zapier-platform-core/src/constants',
  );
  constants.KILL_MAX_LIMIT = Number.POSITIVE_INFINITY;
}
