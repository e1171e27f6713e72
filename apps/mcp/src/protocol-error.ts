import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { isRefusal, refusalOf } from './tools/refusal.ts';
import type { Caller } from './tools/tool.ts';

/**
 * Answers a request of the protocol that is no call of a tool: what is refused is the protocol's error with what is
 * wrong; a fault is logged and told without its cause.
 */
export async function answered<Answer>({ core }: Caller, answer: () => Promise<Answer>): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const { code, message } = refusalOf(error);
    if (isRefusal(error)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${code}: ${message}`);
    core.log.error({ error }, 'A request of an assistant failed');
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${code}: ${message}`);
  }
}
