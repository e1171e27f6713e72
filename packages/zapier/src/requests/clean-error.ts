/**
 * Marks an error as complete. Zapier's core would otherwise add the whole bundle, the signing secret of a hook
 * included, and the log of the run to its message.
 */
export function cleanError<E extends Error>(error: E): E {
  return Object.assign(error, { doNotContextify: true });
}
