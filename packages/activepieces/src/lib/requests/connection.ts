import { apiRootFrom, InputProblem } from '@dealkeep/connectors';

/** What a person filled in to connect. */
export interface Credentials {
  readonly base_url: string;
  readonly api_key: string;
}

/** A connection as the platform hands it to a step. */
export interface Connected {
  readonly props: Credentials;
}

/** The address of the API root, without a trailing slash. Throws when it is no address that a key may be sent to. */
export function apiRootOf({ base_url }: Credentials): string {
  const root = apiRootFrom(base_url);
  if (root !== undefined) return root;
  throw new InputProblem(
    'Service Address: This must be a web address that starts with https://, such as https://crm.example.com. Open the connection and set the right one.',
  );
}

export const authorizationOf = ({ api_key }: Credentials): string => `Bearer ${api_key.trim()}`;
