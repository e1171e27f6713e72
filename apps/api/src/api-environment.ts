import type { IncomingMessage } from 'node:http';
import type { Arrival } from '@dealkeep/core/foundations';
import type { Context } from 'hono';

/** Why a request could not be read. */
export type Malformation = 'request.malformed' | 'request.too_slow';

/** What the log tells of a request; filled in as it becomes known. Never holds a token, a query or a body. */
export interface RequestStory {
  readonly id: string;
  readonly startedAt: number;
  operation?: string;
  /** That an assistant called. */
  tool?: string;
  /** Id of the API key, of the connection or of the user. */
  credential?: string;
  organization?: string;
  /** Where traces are told. */
  trace_id?: string;
  /** Of the error that was answered. */
  code?: string;
}

/** What goes with a request through the API. */
export type ApiEnvironment = {
  Bindings: {
    incoming: IncomingMessage;
    /** Stands in for a request that could not be read, so that it is answered like any other. */
    malformed?: Malformation;
    /** This process will soon listen no more. */
    stopping?: boolean;
    story?: RequestStory;
    /** Its body, which is held until it is answered. */
    arrival?: Arrival;
  };
};

export type ApiContext = Context<ApiEnvironment>;
