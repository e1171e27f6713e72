import type { OperationDeclaration, ToolSetName } from '@dealkeep/contract';
import type { Core } from '@dealkeep/core';
import type { Credential, RequestOrigin } from '@dealkeep/core/identity';
import type {
  CallToolResult,
  InputRequiredResult,
  Tool as Listed,
  ServerContext,
} from '@modelcontextprotocol/server';

export type Arguments = Readonly<Record<string, unknown>>;

/** Who calls, and where it is counted. */
export interface Caller {
  readonly core: Core;
  readonly credential: Credential;
  /** Counts one request more, for what a call asks besides. Raises RATE_LIMITED. */
  countAnother(): Promise<void>;
  /** For the audit log. */
  readonly from: RequestOrigin;
}

/** A call of a tool, by a credential that may use it. */
export interface Call extends Caller {
  readonly arguments: Arguments;
  /** What the protocol says of the request; where the client can be asked, and what it answered. */
  readonly context: ServerContext;
}

/** Something that an assistant can do. */
export interface Tool {
  /** As `tools/list` tells it. */
  readonly listed: Listed;
  /** The operations that it runs: whoever may use none of them is not offered it. */
  readonly operations: readonly OperationDeclaration[];
  /** The set that it belongs to; undefined where it is of every set. */
  readonly set: ToolSetName | undefined;
  /** Offered at the address of no set, too. */
  readonly usual: boolean;
  readonly changes: boolean;
  /** It shows records of every set, and cannot leave any out: offered only where an owner allows them all. */
  readonly everySet?: boolean;
  /** Raises the `Problem` of the operation. */
  call(call: Call): Promise<CallToolResult | InputRequiredResult>;
}
