import type { Resolve } from '@dealkeep/core/foundations';

/** Names below `hanging.example` get no answer until they are let go; all others are public at once. */
export function slowNames() {
  const asked: string[] = [];
  const letGo = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  const resolve: Resolve = async (host) => {
    asked.push(host);
    if (!host.endsWith('hanging.example')) return [{ address: '93.184.215.14' }];
    running += 1;
    most = Math.max(most, running);
    await letGo.promise;
    running -= 1;
    return [{ address: '93.184.215.14' }];
  };
  return { resolve, asked, letGo: letGo.resolve, mostAtOnce: () => most };
}

/** A hook whose target has such a name. */
export const hook = (name: string) => ({
  target_url: `https://${name}/hook`,
  event: 'lead.created' as const,
});
