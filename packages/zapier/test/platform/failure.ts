export interface Failure {
  readonly name: string;
  /** What the user reads in Zapier. */
  readonly message: string;
  /** Seconds until Zapier runs the step again, of a ThrottledError. */
  readonly delay: number | undefined;
}

/**
 * How a run failed, as Zapier shows it. Throws when it succeeded, or when the message tells what no user should see.
 */
export async function failureOf(run: Promise<unknown>): Promise<Failure> {
  const thrown = await run.then(
    (result) => new Error(`It did not fail but gave ${JSON.stringify(result)}.`),
    (error: unknown) => error,
  );
  if (!(thrown instanceof Error)) throw new Error(`This is no error: ${String(thrown)}`);
  if (thrown.message.startsWith('It did not fail')) throw thrown;
  // These carry more than the message, as JSON.
  const { message, delay } = ['AppError', 'ThrottledError'].includes(thrown.name)
    ? JSON.parse(thrown.message)
    : { message: thrown.message, delay: undefined };
  if (hidden.test(message.replaceAll(page, ''))) throw new Error(`No user should read this: ${message}`);
  return { name: thrown.name, message, delay };
}

/** Secrets, stacks, statuses, codes, JSON, ids and keys of fields are not for users. */
const hidden =
  /dk_\w|whsec_|Bearer|\bat \S+:\d+|\b[45]\d\d\b|[A-Z]{3,}_[A-Z]{3,}|[{}[\]]|[0-9a-f]{8}-[0-9a-f]{4}|\b[a-z]+_id\b/;
/** The address of a record's page, which people open. */
const page = /\(https?:\/\/[^ )]+\)/g;
