/**
 * An organization that uses Dealkeep, with the small demo: a pipeline with stages, services to book, products to
 * order.
 */
export interface Organization {
  readonly slug: string;
  /** Signs in with `ownerPassword`. */
  readonly ownerEmail: string;
  /** A key with every scope, another one for each call. */
  createKey(): Promise<string>;
  /** Adds a person whose role has these permissions: `leads.view=all,leads.edit=all`. */
  createPerson(permissions: string): Promise<{ readonly email: string }>;
  setSubscription(state: 'active' | 'lapsed'): Promise<void>;
  setRequestsPerMinute(requests: number): Promise<void>;
}

/** A running Dealkeep and its operator, who acts by the command line or by the verbs behind it. */
export interface Service {
  /** The API root. */
  readonly baseUrl: string;
  createOrganization(): Promise<Organization>;
  registerApp(
    redirectUri: string,
    scopes: readonly string[],
  ): Promise<{ readonly client_id: string; readonly client_secret: string }>;
  /** Lets an access token end, as an hour does. */
  endAccessToken(token: string): Promise<void>;
  /** Lets time tell what is overdue, as the service does by itself every minute. */
  passDeadlines(): Promise<void>;
  /** Sends again what a webhook was sent; answers how many deliveries. */
  replay(webhook: string): Promise<number>;
}
